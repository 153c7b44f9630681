// SPDX-License-Identifier: MIT
// One request over a socket, as a browser makes it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace ludens::server {

struct HttpReply {
  int status = 0;
  std::string head, body;
  [[nodiscard]] bool has(const std::string& line) const {
    return head.find("\r\n" + line + "\r\n") != std::string::npos;
  }
};

/// To loopback; waits for the reply. Throws where there is no connection.
inline HttpReply http_call(std::uint16_t port, const std::string& method, const std::string& target,
                           const std::vector<std::string>& fields = {},
                           const std::string& body = {}, const std::string& host = "127.0.0.1") {
  namespace asio = boost::asio;
  asio::io_context context;
  asio::ip::tcp::socket socket(context);
  socket.connect({asio::ip::address_v4::loopback(), port});
  std::string request = method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n";
  for (const std::string& field : fields) request += field + "\r\n";
  request += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  asio::write(socket, asio::buffer(request));
  std::string text;
  boost::system::error_code error;
  asio::read(socket, asio::dynamic_buffer(text), error);
  HttpReply reply;
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string::npos) return reply;
  reply.head = text.substr(0, end + 2);
  reply.body = text.substr(end + 4);
  reply.status = std::stoi(text.substr(text.find(' ')));
  return reply;
}

}  // namespace ludens::server
