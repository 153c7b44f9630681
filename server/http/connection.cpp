// SPDX-License-Identifier: MIT
#include "server/http/connection.h"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/write.hpp>
#include <exception>
#include <utility>

namespace ludens::server {
namespace {

namespace asio = boost::asio;

/// Replies up to this size are not counted: an answer to a host must be sent in any case.
constexpr std::size_t kSmallReply = 4096;
/// Heads up to this size are not counted; a larger one takes several times its size once it is
/// read.
constexpr std::size_t kSmallHead = 4096, kHeadFactor = 4;
/// This many bytes behind a request are discarded while its reply is awaited; then nothing more is
/// read, and the peer's end is not noticed.
constexpr std::size_t kMostDiscarded = std::size_t{64} << 10;
/// A peer that has ended its side is asked after so many seconds, and again, whether it is there.
constexpr int kAskPeer = 10;
/// The first byte of every TLS connection.
constexpr char kTlsHandshake = 0x16;

std::string text_of(const asio::ip::tcp::endpoint& peer) {
  const std::string host = peer.address().to_string();
  return (peer.address().is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(peer.port());
}

}  // namespace

/// What a `Respond` holds. Copies share it; the destructor of the last one answers if none did.
class Connection::Pending {
 public:
  explicit Pending(std::function<void(Response)> send) : send_(std::move(send)) {}
  ~Pending() {
    try {
      (*this)(Response{500, "text/plain", "no reply was made\n", {}});
    } catch (...) {  // no memory for a reply: the connection's timer ends it
    }
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  void operator()(Response response) {
    if (send_) std::exchange(send_, nullptr)(std::move(response));
  }

 private:
  std::function<void(Response)> send_;
};

Connection::Connection(asio::ip::tcp::socket socket, std::shared_ptr<const HttpLimits> limits,
                       Callbacks callbacks)
    : socket_(std::move(socket)),
      limits_(std::move(limits)),
      callbacks_(std::move(callbacks)),
      timer_(socket_.get_executor()),
      patience_timer_(socket_.get_executor()),
      head_memory_(limits_->memory),
      out_memory_(limits_->memory) {
  boost::system::error_code error;
  const auto endpoint = socket_.remote_endpoint(error);
  request_.peer = error ? "(gone)" : text_of(endpoint);
  request_.address = plain_address(endpoint.address());
  peer_ = peer_of(endpoint.address());
}

template <class Step>
void Connection::guarded(Step step) {
  try {
    step();
  } catch (...) {
    failed();
  }
}

/// Refusing first frees what the request holds, so that there is memory for the refusal.
void Connection::failed() {
  try {
    if (phase_ == Phase::Reading) return refuse(503, "out of memory");
  } catch (...) {
  }
  close();
}

void Connection::start() {
  guarded([this] {
    boost::system::error_code ignored;
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
    timer_.expires_after(limits_->request);
    timer_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
      if (error || self->phase_ != Phase::Reading) return;
      self->guarded([&] { self->refuse(408, "the request took too long"); });
    });
    read();
  });
}

void Connection::expire_after(std::chrono::milliseconds time, void (Connection::*action)()) {
  timer_.expires_after(time);
  timer_.async_wait([self = shared_from_this(), action](const boost::system::error_code& error) {
    if (!error) (self.get()->*action)();
  });
}

void Connection::read() {
  if (reading_) return;
  reading_ = true;
  socket_.async_read_some(asio::buffer(buffer_),
                          [self = shared_from_this()](const auto& error, std::size_t size) {
                            self->reading_ = false;
                            self->guarded([&] { self->received(error, size); });
                          });
}

/// Nothing is read while a reply is written. Before that, bytes belong to the request; behind it,
/// they are discarded: closing with unread bytes would reset the connection and lose the reply. A
/// client that listens to a stream sends nothing more: all that can be read is the end.
void Connection::received(const boost::system::error_code& error, std::size_t size) {
  if (phase_ == Phase::Lingering) return error ? close() : read();
  if (phase_ == Phase::Streaming) return close();
  if (phase_ == Phase::Answering) return await(error, size);
  if (phase_ != Phase::Reading) return;
  if (error) return stream_ended(error);
  if (!has_first_byte_) {
    has_first_byte_ = true;
    request_.first_byte = std::chrono::steady_clock::now();
    if (buffer_[0] == kTlsHandshake) {
      return refuse(
          400, "this is plain HTTP, but a TLS handshake arrived: use http:// instead of https://");
    }
  }
  take(std::string_view(buffer_.data(), size));
}

/// Notices that the peer is gone while its reply is awaited. An end of its stream alone may also be
/// how it ends its request.
void Connection::await(const boost::system::error_code& error, std::size_t size) {
  if (error && error != asio::error::eof) return close();
  if (error) {
    peer_ended_ = true;
    return watch_for_reset();
  }
  discarded_ += size;
  if (discarded_ <= kMostDiscarded) read();
}

/// A peer that has closed both sides refuses the next thing that it gets.
void Connection::watch_for_reset() {
  const int socket = socket_.native_handle(), on = 1;
  (void)::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  (void)::setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &kAskPeer, sizeof kAskPeer);
  (void)::setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &kAskPeer, sizeof kAskPeer);
  socket_.async_wait(asio::ip::tcp::socket::wait_error,
                     [self = shared_from_this()](const boost::system::error_code& error) {
                       if (!error && self->may_be_gone()) self->close();
                     });
}

void Connection::take(std::string_view bytes) {
  if (body_) return body_step(body_->feed(bytes));
  const std::size_t seen = head_bytes_.size();
  head_bytes_ += bytes;
  const auto length = head_length(head_bytes_, seen);
  const std::size_t size = length.value_or(head_bytes_.size());
  if (size > limits_->head_bytes) {
    return refuse(
        431, "the request's head is larger than " + std::to_string(limits_->head_bytes) + " bytes");
  }
  if (size > kSmallHead && !head_memory_.resize(kHeadFactor * size)) {
    return body_step(BodyReader::State::NoMemory);
  }
  if (!length) return read();
  const std::string all = std::move(head_bytes_);
  head_complete(std::string_view(all).substr(0, *length), std::string_view(all).substr(*length));
}

void Connection::head_complete(std::string_view head, std::string_view rest) {
  auto parsed = parse_request_head(head);
  if (!parsed) {
    return refuse(400, "not an HTTP request: " + parsed.error().text);
  }
  request_.head = *std::move(parsed);
  if (request_.head.body.unknown_coding) {
    return refuse(501, "the only Transfer-Encoding that is known is chunked");
  }
  if (request_.head.expects_more) {
    return refuse(417, "the only expectation that is known is 100-continue");
  }
  // Only a POST of a host has a body that nothing announces.
  const bool host = limits_->audience == Audience::Hosts && request_.head.method == "POST";
  body_.emplace(request_.head.body, limits_->body_bytes, host ? BodyRule::Hosts : BodyRule::Plain,
                HeldBytes(limits_->memory));
  body_step(body_->feed(rest));
}

void Connection::body_step(BodyReader::State state) {
  switch (state) {
    case BodyReader::State::TooLarge:
      return refuse(413,
                    "the body is larger than " + std::to_string(limits_->body_bytes) + " bytes");
    case BodyReader::State::Malformed:
      return refuse(400, "the body's chunks are broken, or their extensions too long");
    case BodyReader::State::NoMemory:
      return refuse(503, "there is no memory left for this request");
    case BodyReader::State::Complete:
      return dispatch();
    case BodyReader::State::More:
      return read_on();
  }
}

void Connection::read_on() {
  silence_.heard(std::chrono::steady_clock::now(), body_->patience());
  if (const auto end = silence_.end()) {
    patience_timer_.expires_at(*end);
    patience_timer_.async_wait([self = shared_from_this()](const auto& error) {
      if (error || self->phase_ != Phase::Reading) return;
      if (self->silence_.over(std::chrono::steady_clock::now())) self->dispatch();
    });
  }
  if (!request_.head.expects_continue || continue_sent_) return read();
  continue_sent_ = true;
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(socket_, asio::buffer(kContinue),
                    [self = shared_from_this()](const auto&, std::size_t) {
                      if (self->phase_ == Phase::Reading) self->guarded([&] { self->read(); });
                    });
}

void Connection::stream_ended(const boost::system::error_code& error) {
  if (error != asio::error::eof || !has_first_byte_) return close();
  if (!body_) return refuse(400, "the request ended within its head");
  if (body_->end_of_stream() != BodyReader::State::Complete) {
    return refuse(400, "the request ended within its body");
  }
  dispatch();
}

void Connection::dispatch() {
  const auto pending = std::make_shared<Pending>(
      [self = shared_from_this()](Response response) { self->respond(std::move(response)); });
  phase_ = Phase::Answering;
  timer_.cancel();
  patience_timer_.cancel();
  try {
    hand_over(pending);
    if (phase_ == Phase::Answering) read();
  } catch (...) {  // this destroys `pending`, which answers
  }
}

void Connection::hand_over(const std::shared_ptr<Pending>& pending) {
  request_.body = body_->take();
  request_.memory = std::make_shared<HeldBytes>(body_->take_memory());
  body_.reset();
  const auto handler = callbacks_.request;  // a copy: it may drop this connection
  HttpRequest request = std::move(request_);
  handler(std::move(request), [pending](Response r) { (*pending)(std::move(r)); });
  head_memory_ = HeldBytes();
}

void Connection::respond(Response response) {
  if (phase_ == Phase::Answering) {
    guarded([&] { write(std::move(response)); });
  }
}

void Connection::refuse(int status, const std::string& reason) {
  if (phase_ != Phase::Reading) return;
  patience_timer_.cancel();
  body_.reset();
  head_bytes_ = {};
  if (callbacks_.refused) callbacks_.refused({request_.peer, status, reason});
  Response response{status, "text/plain", reason + "\n", {}};
  if (limits_->audience == Audience::Browsers) add_page_headers(response.headers);
  write(std::move(response));
}

void Connection::write(Response response) {
  out_ = std::move(response);
  if (out_.body.size() > kSmallReply && !out_memory_.resize(out_.body.size())) {
    out_ = Response{503, "text/plain", "there is no memory left for the reply\n", {}};
  }
  out_head_ = print_head(out_, limits_->audience);
  phase_ = Phase::Writing;
  expire_after(limits_->request, &Connection::close);
  const std::array<asio::const_buffer, 2> both{asio::buffer(out_head_), asio::buffer(out_.body)};
  asio::async_write(socket_, both, [self = shared_from_this()](const auto& error, std::size_t) {
    if (self->phase_ != Phase::Writing) return;
    if (error) return self->close();
    self->guarded([&] { self->written(); });
  });
}

void Connection::written() {
  const auto opened = std::move(out_.opened);
  out_ = {};
  (void)out_memory_.resize(0);
  if (!opened) return linger();
  phase_ = Phase::Streaming;
  timer_.cancel();
  read();
  opened(shared_from_this());
}

void Connection::send(std::shared_ptr<const std::string> bytes) {
  if (phase_ != Phase::Streaming) return;
  guarded([&] {
    waiting_ += bytes->size();
    if (!out_memory_.resize(waiting_)) return close();
    stream_.push_back(std::move(bytes));
    if (stream_.size() == 1) write_next();
  });
}

void Connection::write_next() {
  asio::async_write(socket_, asio::buffer(*stream_.front()),
                    [self = shared_from_this()](const auto& error, std::size_t size) {
                      if (self->phase_ != Phase::Streaming) return;
                      if (error) return self->close();
                      self->waiting_ -= size;
                      (void)self->out_memory_.resize(self->waiting_);
                      self->stream_.pop_front();
                      if (!self->stream_.empty()) self->guarded([&] { self->write_next(); });
                    });
}

void Connection::linger() {
  phase_ = Phase::Lingering;
  boost::system::error_code error;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, error);
  if (error) return close();
  expire_after(limits_->linger, &Connection::close);
  read();
}

void Connection::close() {
  if (phase_ == Phase::Closed) return;
  const auto closed = std::move(callbacks_.closed);
  const auto self = shared_from_this();
  abandon();
  if (closed) closed(this);
}

void Connection::abandon() {
  phase_ = Phase::Closed;
  timer_.cancel();
  patience_timer_.cancel();
  boost::system::error_code ignored;
  socket_.close(ignored);
  callbacks_ = {};
  body_.reset();
  (void)head_memory_.resize(0);
}

}  // namespace ludens::server
