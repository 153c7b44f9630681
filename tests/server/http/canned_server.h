// SPDX-License-Identifier: MIT
// A peer on loopback that takes one connection, reads a request and answers with given bytes.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ludens::server {

class CannedServer {
 public:
  enum class After { Close, KeepOpen };

  CannedServer(boost::asio::io_context& context, std::string answer, After after = After::Close)
      : CannedServer(context, std::vector{std::move(answer)}, after) {}
  /// Sends the answer in pieces, with pauses that keep them apart.
  CannedServer(boost::asio::io_context& context, std::vector<std::string> pieces, After after)
      : pieces_(std::move(pieces)),
        after_(after),
        pause_(context),
        acceptor_(context, {boost::asio::ip::address_v4::loopback(), 0}),
        socket_(context) {
    acceptor_.async_accept(socket_, [this](const auto& error) {
      if (!error) read();
    });
  }

  [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  [[nodiscard]] const std::string& received() const { return received_; }

 private:
  void read() {
    socket_.async_read_some(boost::asio::buffer(buffer_), [this](const auto& error, std::size_t n) {
      if (error) return;
      received_.append(buffer_, n);
      if (!answered_ && received_.find("\n\r\n") != std::string::npos) answer();
      read();
    });
  }

  void answer() {
    answered_ = true;
    send(0);
  }

  void send(std::size_t number) {
    if (number == pieces_.size()) {
      boost::system::error_code ignored;
      if (after_ == After::Close) socket_.shutdown(socket_.shutdown_send, ignored);
      return;
    }
    boost::asio::async_write(socket_, boost::asio::buffer(pieces_[number]),
                             [this, number](const auto& error, auto) {
                               if (!error) pause(number + 1);
                             });
  }

  void pause(std::size_t next) {
    if (next == pieces_.size()) return send(next);
    pause_.expires_after(std::chrono::milliseconds(1));
    pause_.async_wait([this, next](const auto& error) {
      if (!error) send(next);
    });
  }

  std::vector<std::string> pieces_;
  After after_;
  boost::asio::steady_timer pause_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::ip::tcp::socket socket_;
  char buffer_[4096];
  std::string received_;
  bool answered_ = false;
};

}  // namespace ludens::server
