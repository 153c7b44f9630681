// One connection of the HTTP server: reads a request, waits for its reply, writes it, closes.
#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/framing.h"
#include "server/http/server.h"

namespace ludens::server {

/// Lives in its handlers, and in the `Respond` given out; all on the I/O thread.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  enum class Phase { Reading, Answering, Writing, Lingering, Closed };

  /// What the connection tells its server.
  struct Callbacks {
    HttpServer::Handler request;
    HttpServer::Refused refused;
    std::function<void(Connection*)> closed;
  };

  Connection(boost::asio::ip::tcp::socket socket, const HttpLimits& limits, Callbacks callbacks);

  void start();
  /// Answers an error in place of whatever was to come; for a connection that is still reading.
  void refuse(int status, const std::string& reason);
  /// Closes without a word. `closed` is not called any more.
  void drop();
  [[nodiscard]] Phase phase() const { return phase_; }

 private:
  void read();
  void received(const boost::system::error_code& error, std::size_t size);
  void take(std::string_view bytes);
  void head_complete(std::string_view head, std::string_view rest);
  void body_step(BodyReader::State state);
  void stream_ended(const boost::system::error_code& error);
  void read_on();
  void dispatch();
  void respond(const Response& response);
  void write(std::string bytes);
  void linger();
  void close();
  void expire_after(std::chrono::milliseconds time, void (Connection::*action)());

  boost::asio::ip::tcp::socket socket_;
  HttpLimits limits_;
  Callbacks callbacks_;
  boost::asio::steady_timer timer_;           // of the phase
  boost::asio::steady_timer patience_timer_;  // of a body that may be complete
  bool patient_ = false;
  Phase phase_ = Phase::Reading;
  std::array<char, 16384> buffer_;
  std::string head_bytes_;
  std::optional<BodyReader> body_;
  HttpRequest request_;
  bool has_first_byte_ = false;
  bool continue_sent_ = false;
  bool reading_ = false;  // a read is under way
  std::string out_;
};

}  // namespace ludens::server
