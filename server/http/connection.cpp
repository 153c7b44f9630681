#include "server/http/connection.h"

#include <boost/asio/write.hpp>

namespace ludens::server {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

/// What a `Respond` holds. Copies share it; the last one to go answers if none did.
class Pending {
 public:
  explicit Pending(std::function<void(const Response&)> send) : send_(std::move(send)) {}
  ~Pending() {
    if (send_) send_(Response{500, "text/plain", "no reply was made\n", {}});
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  void operator()(const Response& response) {
    if (!send_) return;
    const auto send = std::move(send_);
    send_ = nullptr;
    send(response);
  }

 private:
  std::function<void(const Response&)> send_;
};

std::string text_of(const tcp::socket& socket) {
  boost::system::error_code error;
  const auto peer = socket.remote_endpoint(error);
  if (error) return "(gone)";
  const std::string host = peer.address().to_string();
  return (peer.address().is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(peer.port());
}

}  // namespace

Connection::Connection(tcp::socket socket, const HttpLimits& limits, Callbacks callbacks)
    : socket_(std::move(socket)),
      limits_(limits),
      callbacks_(std::move(callbacks)),
      timer_(socket_.get_executor()),
      patience_timer_(socket_.get_executor()) {
  request_.peer = text_of(socket_);
}

void Connection::start() {
  boost::system::error_code ignored;
  socket_.set_option(tcp::no_delay(true), ignored);
  timer_.expires_after(limits_.request);
  timer_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
    if (!error && self->phase_ == Phase::Reading) {
      self->refuse(408, "the request took too long");
    }
  });
  read();
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
                            self->received(error, size);
                          });
}

/// While a reply is written nothing is read; before, bytes belong to the request, and after, they
/// are thrown away: closing with bytes unread would reset the connection and lose the reply.
void Connection::received(const boost::system::error_code& error, std::size_t size) {
  if (phase_ == Phase::Lingering) return error ? close() : read();
  if (phase_ != Phase::Reading) return;
  if (error) return stream_ended(error);
  if (!has_first_byte_) {
    has_first_byte_ = true;
    request_.first_byte = std::chrono::steady_clock::now();
  }
  take(std::string_view(buffer_.data(), size));
}

void Connection::take(std::string_view bytes) {
  if (body_) return body_step(body_->feed(bytes));
  const std::size_t seen = head_bytes_.size();
  head_bytes_ += bytes;
  const auto length = head_length(head_bytes_, seen);
  if (length.value_or(head_bytes_.size()) > limits_.head_bytes) {
    return refuse(
        431, "the request's head is larger than " + std::to_string(limits_.head_bytes) + " bytes");
  }
  if (!length) return read();
  const std::string all = std::move(head_bytes_);
  head_complete(std::string_view(all).substr(0, *length), std::string_view(all).substr(*length));
}

void Connection::head_complete(std::string_view head, std::string_view rest) {
  auto parsed = parse_request_head(head);
  if (const auto* problem = std::get_if<std::string>(&parsed)) {
    return refuse(400, "not an HTTP request: " + *problem);
  }
  request_.head = std::get<RequestHead>(std::move(parsed));
  BodyAnnounced announced = request_.head.body;
  // Only a POST has a body that nothing announces.
  if (request_.head.method != "POST" && !announced.chunked && !announced.length) {
    announced.length = 0;
  }
  body_.emplace(announced, limits_.body_bytes);
  body_step(body_->feed(rest));
}

void Connection::body_step(BodyReader::State state) {
  switch (state) {
    case BodyReader::State::TooLarge:
      return refuse(413,
                    "the body is larger than " + std::to_string(limits_.body_bytes) + " bytes");
    case BodyReader::State::Malformed:
      return refuse(400, "the body's chunks are broken, or their extensions too long");
    case BodyReader::State::Complete:
      return dispatch();
    case BodyReader::State::More:
      return read_on();
  }
}

void Connection::read_on() {
  if (const auto patience = body_->patience(); patience && !patient_) {
    patient_ = true;
    patience_timer_.expires_after(*patience);
    patience_timer_.async_wait([self = shared_from_this()](const auto& error) {
      if (error || self->phase_ != Phase::Reading) return;
      self->patient_ = false;
      if (self->body_->patience()) self->dispatch();
    });
  }
  if (!request_.head.expects_continue || continue_sent_) return read();
  continue_sent_ = true;
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(socket_, asio::buffer(kContinue),
                    [self = shared_from_this()](const auto&, std::size_t) {
                      if (self->phase_ == Phase::Reading) self->read();
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
  phase_ = Phase::Answering;
  timer_.cancel();
  patience_timer_.cancel();
  request_.body = body_->take();
  const auto pending = std::make_shared<Pending>(
      [self = shared_from_this()](const Response& response) { self->respond(response); });
  const auto handler = callbacks_.request;  // a copy: it may drop this connection
  handler(std::move(request_), [pending](const Response& r) { (*pending)(r); });
}

void Connection::respond(const Response& response) {
  if (phase_ == Phase::Answering) write(print(response));
}

void Connection::refuse(int status, const std::string& reason) {
  if (phase_ != Phase::Reading) return;
  patience_timer_.cancel();
  if (callbacks_.refused) callbacks_.refused({request_.peer, status, reason});
  write(print(Response{status, "text/plain", reason + "\n", {}}));
}

void Connection::write(std::string bytes) {
  phase_ = Phase::Writing;
  out_ = std::move(bytes);
  expire_after(limits_.request, &Connection::close);
  asio::async_write(socket_, asio::buffer(out_),
                    [self = shared_from_this()](const auto& error, std::size_t) {
                      if (self->phase_ != Phase::Writing) return;
                      if (error) return self->close();
                      self->linger();
                    });
}

void Connection::linger() {
  phase_ = Phase::Lingering;
  boost::system::error_code error;
  socket_.shutdown(tcp::socket::shutdown_send, error);
  if (error) return close();
  expire_after(limits_.linger, &Connection::close);
  read();
}

void Connection::close() {
  if (phase_ == Phase::Closed) return;
  const auto closed = callbacks_.closed;
  drop();
  if (closed) closed(this);
}

void Connection::drop() {
  phase_ = Phase::Closed;
  timer_.cancel();
  patience_timer_.cancel();
  boost::system::error_code ignored;
  socket_.close(ignored);
  callbacks_ = {};
}

}  // namespace ludens::server
