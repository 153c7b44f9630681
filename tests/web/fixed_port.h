// SPDX-License-Identifier: MIT
// Ports for programs that are ended and started again.
#pragma once

#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>

namespace ludens::server {

/// A free port that no program is given who asks for any: those lie above 32767. It can be taken
/// again by a program that is started once more.
inline int fixed_port() {
  boost::asio::io_context context;
  for (int port = 20000 + ::getpid() % 10000;; ++port) {
    boost::asio::ip::tcp::acceptor acceptor(context);
    boost::system::error_code error;
    acceptor.open(boost::asio::ip::tcp::v4());
    acceptor.bind({boost::asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port)},
                  error);
    if (!error) return port;
  }
}

}  // namespace ludens::server
