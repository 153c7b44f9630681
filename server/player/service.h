// SPDX-License-Identifier: MIT
// From HTTP requests to the player and back: the methods, the messages, the page for people.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/player/player.h"
#include "server/http/request.h"
#include "server/player/protocol.h"

namespace boost::asio {
class io_context;
}

namespace ludens::server {

/// One request and its answer, for logs.
struct Served {
  std::string peer;
  std::string kind;      // "PLAY", ...; "malformed"; "GET", "OPTIONS" without a message
  std::string match_id;  // where the message has one
  std::string body;      // only if `ServiceOptions::keep_bodies`; the beginning of a long one
  std::shared_ptr<const agent::Message> message;  // null: not understood, or of a stranger
  int status = 200;
  std::string reply;        // the beginning of a long one
  std::string said = {};    // by the player, where the reply says it in other words
  double milliseconds = 0;  // from the first byte to the reply
};

/// A request that is not answered yet, and what will be told of it.
struct OpenRequest {
  /// Takes who asks, and when.
  OpenRequest(HttpRequest& request, Respond respond_to);
  /// Sends the response; `served` then has its status and time, and of its body what `reply` says.
  void answer(Response response, std::string reply);

  Served served;
  TimePoint first_byte;
  Respond respond;
};

struct ServiceOptions {
  std::string name = "Ludens";  // for the page
  std::string version;
  gdl::ParseLimits parsing;
  bool keep_bodies = false;
  /// PLAY, STOP, ABORT and a second START of a match are taken only from the address that sent the
  /// first message of it; others are told `busy`, as if there were no such match.
  bool pin_hosts = false;
  /// For what bodies are parsed to; null: not counted.
  std::shared_ptr<WireMemory> memory;
  /// Longer bodies are parsed in a thread of their own, so that nobody's clock waits for them.
  std::size_t parse_aside_bytes = std::size_t{64} << 10;
};

/// What the service needs of a player.
struct PlayerCalls {
  /// `peer`: whom the address of the request stands for.
  std::function<void(const agent::Message&, TimePoint first_byte, agent::Reply,
                     const std::string& peer)>
      handle;
  std::function<std::vector<agent::MatchStatus>()> matches;
  std::function<agent::MatchView(const std::string& match_id)> view = {};
};

/// All on the thread that runs the context, which must outlive the service.
class MessageService {
 public:
  MessageService(boost::asio::io_context& context, ServiceOptions options, PlayerCalls player,
                 std::function<void(const Served&)> served);
  ~MessageService();
  MessageService(const MessageService&) = delete;
  MessageService& operator=(const MessageService&) = delete;

  /// Answers with `respond`, now or when the player has its answer.
  void handle(HttpRequest request, Respond respond);

 private:
  class Implementation;
  std::shared_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
