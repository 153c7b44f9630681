// SPDX-License-Identifier: MIT
// Players on real sockets that do something wrong: from the first PLAY on, or at first.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "tests/server/crooked_server.h"

namespace ludens::server {

enum class Misbehaviour {
  Silence,  // takes PLAY and never answers
  Illegal,  // a term that is no legal move
  Garbage,  // no term
  Drip,     // a byte now and then
  Hanging,  // closes the connection without a reply
};

inline bool asks_info(const std::string& request) {
  return request.find("INFO") != std::string::npos || request.find("info") != std::string::npos;
}

class MisbehavingPlayer {
 public:
  explicit MisbehavingPlayer(Misbehaviour misbehaviour)
      : misbehaviour_(misbehaviour),
        server_([this](boost::asio::ip::tcp::socket& socket) { answer(socket); }) {}

  [[nodiscard]] std::string url() const { return "http://" + server_.address().text(); }

 private:
  void answer(boost::asio::ip::tcp::socket& socket) {
    const std::string request = server_.requests().back();
    if (asks_info(request)) {
      send_bytes(socket, http_reply("available"));
    } else if (request.find("PLAY") == std::string::npos) {
      send_bytes(socket, http_reply("ready"));
    } else {
      misbehave(socket);
    }
  }

  void misbehave(boost::asio::ip::tcp::socket& socket) {
    switch (misbehaviour_) {
      case Misbehaviour::Silence:
        return wait_until_closed(socket);
      case Misbehaviour::Illegal:
        return void(send_bytes(socket, http_reply("( fly away )")));
      case Misbehaviour::Garbage:
        return void(send_bytes(socket, http_reply(")) what (")));
      case Misbehaviour::Hanging:
        return;
      case Misbehaviour::Drip:
        break;
    }
    for (const char byte : http_reply("noop")) {
      if (!send_bytes(socket, std::string(1, byte))) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
    }
  }

  static void wait_until_closed(boost::asio::ip::tcp::socket& socket) {
    char byte = 0;
    boost::system::error_code error;
    while (!error) socket.read_some(boost::asio::buffer(&byte, 1), error);
  }

  Misbehaviour misbehaviour_;
  CrookedServer server_;  // last: its thread uses what is above
};

/// A player that is busy with the match of a host that was killed, until it has been asked a few
/// times. Then it takes each START, and makes no legal move.
class BusyAtFirst {
 public:
  explicit BusyAtFirst(int times)
      : times_(times), server_([this](boost::asio::ip::tcp::socket& socket) { answer(socket); }) {}

  [[nodiscard]] std::string url() const { return "http://" + server_.address().text(); }

 private:
  void answer(boost::asio::ip::tcp::socket& socket) {
    const std::string request = server_.requests().back();
    const bool info = asks_info(request);
    const bool busy = times_ > 0;
    if (info) --times_;
    send_bytes(socket, http_reply(busy ? "busy" : info ? "available" : "ready"));
  }

  int times_;
  CrookedServer server_;  // last: its thread uses what is above
};

/// A player that passes, and plays so many matches at the same time, in one role each: any other
/// START gets `busy`.
class PassingPlayer {
 public:
  explicit PassingPlayer(std::size_t matches)
      : matches_(matches),
        server_([this](boost::asio::ip::tcp::socket& socket) { answer(socket); }) {}

  [[nodiscard]] std::string url() const { return "http://" + server_.address().text(); }

 private:
  void answer(boost::asio::ip::tcp::socket& socket) {
    const std::string request = server_.requests().back();
    std::istringstream words(request.substr(request.find("\r\n\r\n") + 4));
    std::string parenthesis, kind, id;
    words >> parenthesis >> kind >> id;
    send_bytes(socket, http_reply(reply(kind, id)));
  }
  std::string reply(const std::string& kind, const std::string& id) {
    if (kind == "INFO") return playing_.size() < matches_ ? "available" : "busy";
    if (kind == "PLAY") return playing_.contains(id) ? "noop" : "busy";
    if (kind != "START") return playing_.erase(id) > 0 ? "done" : "busy";
    const bool room = playing_.size() < matches_ && playing_.insert(id).second;
    return room ? "ready" : "busy";
  }

  std::size_t matches_;
  std::set<std::string> playing_;  // by id
  CrookedServer server_;           // last: its thread uses what is above
};

}  // namespace ludens::server
