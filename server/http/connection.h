// SPDX-License-Identifier: MIT
// One connection of the HTTP server: reads a request, waits for its reply, writes it, closes.
#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/framing.h"
#include "server/http/request.h"

namespace ludens::server {

/// Lives in its handlers, in the `Respond` given out, and as the stream of its reply; all on the
/// I/O thread. An exception while it works, usually for lack of memory, ends only this connection.
class Connection final : public std::enable_shared_from_this<Connection>, public ReplyStream {
 public:
  enum class Phase { Reading, Answering, Writing, Streaming, Lingering, Closed };

  /// The connection's calls to its server.
  struct Callbacks {
    RequestHandler request;
    RefusalHandler refused;
    std::function<void(Connection*)> closed;
  };

  Connection(boost::asio::ip::tcp::socket socket, std::shared_ptr<const HttpLimits> limits,
             Callbacks callbacks);

  void start();
  /// Answers an error instead of processing the request; for a connection that is still reading.
  void refuse(int status, const std::string& reason);
  /// Closes without a reply. `closed` is not called afterwards.
  void abandon();
  [[nodiscard]] Phase phase() const { return phase_; }
  /// Whether the peer has ended its side while it waits for the reply: it may have hung up, or
  /// still read.
  [[nodiscard]] bool may_be_gone() const { return phase_ == Phase::Answering && peer_ended_; }
  /// Valid until the request has been handed over.
  [[nodiscard]] const boost::asio::ip::address& address() const { return request_.address; }
  /// The peer for which it counts (see `peer_of`).
  [[nodiscard]] const boost::asio::ip::address& peer() const { return peer_; }

  void send(std::shared_ptr<const std::string> bytes) override;
  void drop() override { close(); }
  [[nodiscard]] bool gone() const override { return phase_ == Phase::Closed; }
  [[nodiscard]] std::size_t waiting() const override { return waiting_; }

 private:
  void read();
  void received(const boost::system::error_code& error, std::size_t size);
  void await(const boost::system::error_code& error, std::size_t size);
  void watch_for_reset();
  void take(std::string_view bytes);
  void head_complete(std::string_view head, std::string_view rest);
  void body_step(BodyReader::State state);
  void stream_ended(const boost::system::error_code& error);
  void read_on();
  void dispatch();
  class Pending;
  void hand_over(const std::shared_ptr<Pending>& pending);
  void respond(Response response);
  void write(Response response);
  void written();
  void write_next();
  void linger();
  void close();
  void expire_after(std::chrono::milliseconds time, void (Connection::*action)());
  template <class Step>
  void guarded(Step step);
  void failed();

  boost::asio::ip::tcp::socket socket_;
  std::shared_ptr<const HttpLimits> limits_;
  Callbacks callbacks_;
  boost::asio::ip::address peer_;
  boost::asio::steady_timer timer_;           // of the phase
  boost::asio::steady_timer patience_timer_;  // of a body that may be complete
  Silence silence_;
  Phase phase_ = Phase::Reading;
  std::array<char, 16384> buffer_;
  std::string head_bytes_;
  HeldBytes head_memory_;
  std::optional<BodyReader> body_;
  HttpRequest request_;
  bool has_first_byte_ = false;
  bool continue_sent_ = false;
  bool reading_ = false;  // a read is in progress
  bool peer_ended_ = false;
  std::size_t discarded_ = 0;  // bytes that came while the reply was awaited

  std::string out_head_;
  Response out_;
  HeldBytes out_memory_;
  std::deque<std::shared_ptr<const std::string>> stream_;  // the first one is being written
  std::size_t waiting_ = 0;
};

}  // namespace ludens::server
