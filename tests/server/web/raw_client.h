// SPDX-License-Identifier: MIT
// Requests to a page's server, byte by byte.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

namespace ludens::server {

/// A connection that has sent something.
class Client {
 public:
  Client(std::uint16_t port, const std::string& bytes) {
    socket_.connect({boost::asio::ip::address_v4::loopback(), port});
    socket_.set_option(boost::asio::ip::tcp::no_delay(true));
    send(bytes);
  }
  /// In a segment of its own, most likely. A server that has closed is found out by reading.
  void send(const std::string& bytes) {
    boost::system::error_code closed;
    boost::asio::write(socket_, boost::asio::buffer(bytes), closed);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::string read_all() {
    std::string text;
    boost::system::error_code end;
    boost::asio::read(socket_, boost::asio::dynamic_buffer(text), end);
    return text;
  }
  std::string read_up_to(const std::string& what) {
    boost::system::error_code end;
    boost::asio::read_until(socket_, boost::asio::dynamic_buffer(text_), what, end);
    return text_;
  }
  /// Leaves out of later texts what was read so far.
  void forget() { text_.clear(); }

 private:
  boost::asio::io_context context_;
  boost::asio::ip::tcp::socket socket_{context_};
  std::string text_;
};

/// The status of a POST to the page at `url`, which has a token behind a question mark.
inline int post(const std::string& url, const std::string& target, const std::string& body) {
  const auto port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  const std::string answer =
      Client(port, "POST " + target + url.substr(url.find('?')) +
                       " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                       "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body)
          .read_all();
  return answer.size() < 12 ? 0 : std::stoi(answer.substr(9, 3));
}

}  // namespace ludens::server
