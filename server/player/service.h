// SPDX-License-Identifier: MIT
// From HTTP requests to the player and back: the methods, the messages, the page for people.
#pragma once

#include <functional>
#include <memory>
#include <optional>
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
  std::string match_id;  // if the message has one
  std::string body;      // only if `ServiceOptions::keep_bodies`; the beginning of a long one
  std::shared_ptr<const agent::Message> message;  // null: not understood, or from an address that
                                                  // is not allowed
  int status = 200;
  std::string reply;        // the beginning of a long one
  std::string said = {};    // the player's own words, if the reply uses others
  double milliseconds = 0;  // from the first byte to the reply
};

/// A request that is not answered yet, and its future log entry.
struct OpenRequest {
  /// Records who asks, and when.
  OpenRequest(HttpRequest& request, Respond respond_to);
  /// Sends the response; `served` then has its status and time, and `reply` for its body.
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
  /// Whether PLAY, STOP, ABORT and a second START of a match are accepted only from the address
  /// that sent its START; others get `busy`, as if there were no such match.
  bool pin_hosts = false;
  /// The pages that may talk to the player (`PageOrigins`).
  std::vector<std::string> origins = {};
  /// For the trees of parsed bodies; null: not counted.
  std::shared_ptr<WireMemory> memory;
  /// Longer bodies are parsed in a separate thread, so that no match's clock waits for them.
  std::size_t parse_aside_bytes = std::size_t{64} << 10;
};

/// What the service needs from a player.
struct PlayerCalls {
  std::function<void(const agent::Message&, TimePoint first_byte, agent::Reply,
                     const agent::Sender&)>
      handle;
  std::function<std::vector<agent::MatchStatus>()> matches;
  /// What INFO tells that peer.
  std::function<bool(const std::string& peer)> available;
  std::function<agent::MatchView(const std::string& match_id)> view = {};
  /// The address that sent the START of a match, as `agent::Player::owner`. Needed with
  /// `ServiceOptions::pin_hosts`.
  std::function<std::optional<std::string>(const std::string& match_id)> owner = {};
};

/// Everything happens on the thread that runs the context, which must outlive the service.
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
