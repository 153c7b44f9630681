// SPDX-License-Identifier: MIT
#include "server/http/client.h"

#include <algorithm>
#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/scheme.hpp>
#include <boost/url/url_view.hpp>
#include <cctype>
#include <charconv>
#include <exception>

#include "server/http/framing.h"

namespace ludens::server {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using Kind = ExchangeResult::Kind;
using Clock = std::chrono::steady_clock;

/// What separates the zone of a scoped address from it in a URL.
constexpr std::string_view kZoneMark = "%25";

double milliseconds(Clock::duration d) {
  return std::chrono::duration<double, std::milli>(d).count();
}

/// A running exchange. Its handlers own it, all on the context's thread; it ends by closing the
/// socket, which ends the handlers.
class Running : public std::enable_shared_from_this<Running> {
 public:
  Running(asio::io_context& context, Exchange exchange, std::function<void(ExchangeResult)> done)
      : context_(context),
        exchange_(std::move(exchange)),
        done_(std::move(done)),
        socket_(context),
        total_timer_(context, exchange_.deadline),
        connect_timer_(context),
        pause_timer_(context),
        patience_timer_(context) {}

  void start() {
    if (finished_) return;
    on(total_timer_, &Running::deadline_passed);
    connect_timer_.expires_after(exchange_.connect_limit);
    on(connect_timer_, &Running::connect_limit_passed);
    boost::system::error_code not_numeric;
    asio::ip::make_address(exchange_.address.host, not_numeric);
    if (!not_numeric) return connect({exchange_.address.host});
    if (!exchange_.known.empty()) return connect(exchange_.known);
    try {
      look_up_aside(context_, exchange_.look_up, exchange_.address.host,
                    [weak = weak_from_this()](FoundAddresses found) {
                      if (const auto self = weak.lock()) self->looked_up(std::move(found));
                    });
    } catch (const std::exception& exception) {  // no thread
      finish(Kind::ConnectionFailed, exception.what());
    }
  }

  void cancel() { finish(Kind::Cancelled, "cancelled"); }

 private:
  void on(asio::steady_timer& timer, void (Running::*action)()) {
    timer.async_wait([self = shared_from_this(), action](const boost::system::error_code& error) {
      if (!error && !self->finished_) (self.get()->*action)();
    });
  }

  void deadline_passed() {
    if (connected_) return finish(Kind::TimedOut, "no whole reply before the deadline");
    finish(Kind::ConnectionFailed, "no connection before the deadline");
  }

  void connect_limit_passed() {
    if (connected_) return;
    finish(Kind::ConnectionFailed,
           "no connection within " + std::to_string(exchange_.connect_limit.count()) + " ms");
  }

  void looked_up(FoundAddresses found) {
    if (finished_) return;
    if (found.addresses.empty()) return finish(Kind::ConnectionFailed, std::move(found.problem));
    connect(std::move(found.addresses));
  }

  /// Tries the addresses one after the other.
  void connect(NumericAddresses addresses) {
    std::vector<tcp::endpoint> endpoints;
    for (const std::string& address : addresses) {
      endpoints.emplace_back(asio::ip::make_address(address), exchange_.address.port);
    }
    result_.known = std::move(addresses);
    asio::async_connect(socket_, endpoints,
                        [self = shared_from_this()](const auto& error, const tcp::endpoint&) {
                          self->connected(error);
                        });
  }

  void connected(const boost::system::error_code& error) {
    if (finished_) return;
    if (error) return finish(Kind::ConnectionFailed, error.message());
    connected_ = true;
    connect_timer_.cancel();
    result_.connect_ms = milliseconds(Clock::now() - begun_);
    boost::system::error_code ignored;
    socket_.set_option(tcp::no_delay(true), ignored);
    read();
    send_next();
  }

  void send_next() {
    if (finished_) return;
    if (sent_ == exchange_.pieces.size()) {
      boost::system::error_code ignored;
      if (exchange_.end_after_sending) socket_.shutdown(tcp::socket::shutdown_send, ignored);
      return;
    }
    const auto pause = exchange_.pieces[sent_].pause;
    if (pause.count() <= 0) return send_piece();
    pause_timer_.expires_after(pause);
    on(pause_timer_, &Running::send_piece);
  }

  /// A failure to send is not the end: a player may have answered and closed before it had read
  /// everything (413). Reading finds out.
  void send_piece() {
    asio::async_write(socket_, asio::buffer(exchange_.pieces[sent_].bytes),
                      [self = shared_from_this()](const auto& error, std::size_t) {
                        ++self->sent_;
                        if (!error) self->send_next();
                      });
  }

  void read() {
    socket_.async_read_some(asio::buffer(buffer_),
                            [self = shared_from_this()](const auto& error, std::size_t size) {
                              self->received(error, size);
                            });
  }

  void received(const boost::system::error_code& error, std::size_t size) {
    if (finished_) return;
    if (error) return stream_ended(error);
    result_.begun = true;
    if (body_) result_.received += size;
    if (!complete_) {
      last_byte_ = Clock::now();
      take(std::string_view(buffer_.data(), size));
    }
    if (!finished_) read();
  }

  void stream_ended(const boost::system::error_code& error) {
    result_.closed = true;
    if (complete_) return finish(Kind::Reply, {});
    if (body_ && body_->end_of_stream() == BodyReader::State::Complete &&
        error == asio::error::eof) {
      return finish(Kind::Reply, {});
    }
    finish(Kind::NoReply, error == asio::error::eof
                              ? "the connection was closed before the whole reply arrived"
                              : error.message());
  }

  void take(std::string_view bytes) {
    if (body_) return step(body_->feed(bytes));
    std::size_t seen = head_.size();
    head_ += bytes;
    while (const auto length = head_length(head_, seen)) {
      if (!head_complete(std::string_view(head_).substr(0, *length))) return;
      if (result_.head.status >= 200) return head_done(*length);
      head_.erase(0, *length);  // the actual reply still follows
      seen = 0;
    }
    if (head_.size() > kMaxHeadBytes) finish(Kind::Malformed, "the head is too long");
  }

  /// False if the head is invalid.
  bool head_complete(std::string_view head) {
    auto parsed = parse_response_head(head);
    if (!parsed) {
      return finish(Kind::Malformed, "not an HTTP reply: " + parsed.error().text), false;
    }
    result_.head = *std::move(parsed);
    if (result_.head.status < 200 && ++interim_ > kMaxInterim) {
      return finish(Kind::Malformed, "too many interim replies"), false;
    }
    if (result_.head.body.unknown_coding) {
      return finish(Kind::Malformed, "the reply has a Transfer-Encoding that is not known"), false;
    }
    return true;
  }

  void head_done(std::size_t length) {
    body_.emplace(result_.head.body, exchange_.max_body_bytes, BodyRule::Replies);
    result_.received = head_.size() - length;
    step(body_->feed(std::string_view(head_).substr(length)));
  }

  void step(BodyReader::State state) {
    switch (state) {
      case BodyReader::State::TooLarge:
        return finish(Kind::TooLarge, "the reply is larger than " +
                                          std::to_string(exchange_.max_body_bytes) + " bytes");
      case BodyReader::State::Malformed:
        return finish(Kind::Malformed,
                      "the reply's chunks are broken, or their extensions too long");
      case BodyReader::State::NoMemory:
        return finish(Kind::TooLarge, "there is no memory left for the reply");
      case BodyReader::State::Complete:
        return reply_complete();
      case BodyReader::State::More:
        break;
    }
    silence_.heard(Clock::now(), body_->patience());
    if (!silence_.end()) return;
    patience_timer_.expires_at(*silence_.end());
    on(patience_timer_, &Running::patience_ended);
  }

  /// Content-Length bytes have arrived, but the rest that the parentheses require has not.
  void patience_ended() {
    if (silence_.over(Clock::now())) reply_complete();
  }

  void reply_complete() {
    complete_ = true;
    if (!exchange_.read_to_end) finish(Kind::Reply, {});
  }

  void finish(Kind kind, std::string problem) {
    if (finished_) return;
    finished_ = true;
    // A complete reply is valid although the player has not closed the connection by the deadline.
    if (complete_ && kind == Kind::TimedOut) kind = Kind::Reply;
    result_.kind = kind;
    if (kind != Kind::Reply) result_.problem = std::move(problem);
    if (body_) result_.body = body_->take();
    const auto end = kind == Kind::Reply ? last_byte_ : Clock::now();
    result_.latency_ms = milliseconds(end - begun_);
    boost::system::error_code ignored;
    socket_.close(ignored);
    for (auto* timer : {&total_timer_, &connect_timer_, &pause_timer_, &patience_timer_}) {
      timer->cancel();
    }
    auto done = std::move(done_);
    done_ = nullptr;
    done(std::move(result_));
  }

  static constexpr std::size_t kMaxHeadBytes = 64 << 10;
  static constexpr int kMaxInterim = 16;  // 100 Continue and the like

  asio::io_context& context_;
  Exchange exchange_;
  std::function<void(ExchangeResult)> done_;
  tcp::socket socket_;
  asio::steady_timer total_timer_, connect_timer_, pause_timer_, patience_timer_;
  Clock::time_point begun_ = Clock::now(), last_byte_;
  std::size_t sent_ = 0;
  std::array<char, 16384> buffer_;
  std::string head_;
  int interim_ = 0;
  std::optional<BodyReader> body_;
  Silence silence_;
  ExchangeResult result_;
  bool connected_ = false, complete_ = false, finished_ = false;
};

}  // namespace

std::string Address::text() const {
  const bool ipv6 = host.find(':') != std::string::npos;
  std::string name = ipv6 ? "[" + host + "]" : host;
  if (const auto zone = name.find('%'); zone != std::string::npos) name.replace(zone, 1, kZoneMark);
  return name + ":" + std::to_string(port);
}

namespace {

/// Removes the zone of a scoped address (`[fe80::1%25eth0]`) from a URL and returns it as sockets
/// know it, `%eth0`; empty if there is none.
std::string take_zone(std::string& url) {
  const auto open = url.find('['), close = url.find(']', open);
  const auto mark = url.find(kZoneMark, open);
  if (open == std::string::npos || close == std::string::npos || mark > close) return {};
  const std::string zone = url.substr(mark + kZoneMark.size(), close - mark - kZoneMark.size());
  const auto plain = [](unsigned char c) {
    return (std::isalnum(c) != 0 && c < 0x80) || c == '-' || c == '.' || c == '_' || c == '~';
  };
  if (zone.empty() || !std::all_of(zone.begin(), zone.end(), plain)) return {};
  url.erase(mark, close - mark);
  return "%" + zone;
}

/// The host as a head names it: IPv6 in brackets and without its zone, which means something here
/// only.
std::string host_in_head(const std::string& host) {
  if (host.find(':') == std::string::npos) return host;
  return "[" + host.substr(0, host.find('%')) + "]";
}

}  // namespace

gdl::Result<Address> parse_address(std::string_view url) {
  const bool has_scheme = url.find("://") != std::string_view::npos;
  std::string text = has_scheme ? std::string(url) : "http://" + std::string(url);
  const std::string zone = take_zone(text);
  const auto parsed = boost::urls::parse_uri(text);
  const std::string wrong = "'" + std::string(url) + "' is not a player's address";
  if (!parsed || parsed->host().empty()) {
    return gdl::Error{wrong + "; it looks like http://HOST:PORT"};
  }
  if (parsed->scheme_id() != boost::urls::scheme::http) {
    return gdl::Error{wrong + "; players speak plain http"};
  }
  // An escape may stand for a character that must not be in a head, such as a line end.
  if (parsed->encoded_host_address().contains('%')) {
    return gdl::Error{wrong + "; hosts have no escapes"};
  }
  Address address{std::string(parsed->host_address()) + zone, 9147};
  if (!parsed->has_port()) return address;
  const auto port = parsed->port();
  const auto end = port.data() + port.size();
  const auto [used, error] = std::from_chars(port.data(), end, address.port);
  if (error != std::errc() || used != end || address.port == 0) {
    return gdl::Error{wrong + "; ports are 1..65535"};
  }
  return address;
}

Cancel start_exchange(asio::io_context& context, Exchange exchange,
                      std::function<void(ExchangeResult)> done) {
  auto running = std::make_shared<Running>(context, std::move(exchange), std::move(done));
  asio::post(context, [running] { running->start(); });
  return [weak = std::weak_ptr(running)] {
    if (const auto alive = weak.lock()) alive->cancel();
  };
}

std::string post_request(const Address& address, const PostHeaders& headers,
                         std::string_view body) {
  const std::string length = std::to_string(body.size());
  std::string out = "POST / HTTP/1.0\r\nAccept: text/delim\r\n";
  if (headers.dialect != Dialect::Dresden) out += "Host: " + host_in_head(address.host) + "\r\n";
  out += "Sender: GAMESERVER\r\nReceiver: " + headers.receiver + "\r\n";
  if (headers.dialect == Dialect::Tiltyard) {
    if (!headers.match_id.empty()) out += "GGP-Match-ID: " + headers.match_id + "\r\n";
    if (headers.step) out += "GGP-Match-Step: " + std::to_string(*headers.step) + "\r\n";
    if (!headers.match_host.empty()) out += "GGP-Match-Host: " + headers.match_host + "\r\n";
  }
  const bool lower = headers.dialect == Dialect::Dresden;
  out += lower ? "Content-type: text/acl\r\nContent-length: "
               : "Content-Type: text/acl\r\nContent-Length: ";
  out += length + "\r\n\r\n";
  out += body;
  return out;
}

}  // namespace ludens::server
