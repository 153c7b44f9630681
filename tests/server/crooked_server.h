// SPDX-License-Identifier: MIT
// A player on a socket that breaks rules.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "server/http/client.h"

namespace ludens::server {

/// Accepts connections one after the other, reads the request, and does to the socket what the test
/// has set.
class CrookedServer {
 public:
  using Behaviour = std::function<void(boost::asio::ip::tcp::socket&)>;
  /// Port 0 means a free one.
  explicit CrookedServer(Behaviour behaviour, std::uint16_t port = 0)
      : behaviour_(std::move(behaviour)),
        acceptor_(context_,
                  boost::asio::ip::tcp::endpoint(boost::asio::ip::address_v4::loopback(), port)),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}
  ~CrookedServer() {
    thread_.request_stop();
    boost::asio::io_context context;  // wakes the accept
    boost::asio::ip::tcp::socket socket(context);
    boost::system::error_code ignored;
    socket.connect(acceptor_.local_endpoint(), ignored);
    thread_.join();
  }
  [[nodiscard]] Address address() const { return {"127.0.0.1", acceptor_.local_endpoint().port()}; }
  [[nodiscard]] std::vector<std::string> requests() {
    std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      boost::asio::ip::tcp::socket socket(context_);
      acceptor_.accept(socket);
      if (stop.stop_requested()) return;
      {
        std::lock_guard lock(mutex_);
        requests_.push_back(read_request(socket));
      }
      behaviour_(socket);
    }
  }

  static std::string read_request(boost::asio::ip::tcp::socket& socket) {
    std::string request(1 << 16, '\0');
    boost::system::error_code ignored;
    request.resize(socket.read_some(boost::asio::buffer(request), ignored));
    return request;
  }

  Behaviour behaviour_;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::mutex mutex_;
  std::vector<std::string> requests_;
  std::jthread thread_;  // last: uses everything above
};

/// False if the peer does not listen any more.
inline bool send_bytes(boost::asio::ip::tcp::socket& socket, const std::string& bytes) {
  boost::system::error_code error;
  boost::asio::write(socket, boost::asio::buffer(bytes), error);
  return !error;
}

inline std::string http_reply(const std::string& body) {
  return "HTTP/1.0 200 OK\r\nContent-Type: text/acl\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace ludens::server
