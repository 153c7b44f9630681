// SPDX-License-Identifier: MIT
// The player's page talks to the player: HTTP requests from one origin only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "gdl/text/error.h"
#include "gdl/text/syntax.h"
#include "server/http/request.h"
#include "server/player/player_server.h"

namespace spdlog {
class logger;
}
namespace boost::asio {
class io_context;
}

namespace ludens::server {

/// Where matches are played by default.
inline constexpr std::string_view kVenue = "http://gamemaster.stanford.edu";

/// `SCHEME://HOST[:PORT]` as browsers send it, in lower case and without a path; the error is a
/// sentence.
gdl::Result<std::string> read_origin(std::string_view text);

/// Which pages may talk to the player.
struct BridgeAccess {
  std::string origin;  // as `read_origin` returns it
  std::string token;   // that the page shows
};

struct BridgeOptions {
  BridgeAccess access;
  gdl::ParseLimits parsing = {};
  std::shared_ptr<spdlog::logger> log = nullptr;  // null: nothing is logged; I/O thread only
};

/// Answers `GET /gamemaster`, the page, and the page's requests: `POST /gamemaster/message` with a
/// message of the manager, and `POST /gamemaster/view` for what the page shows. `GET
/// /gamemaster/window` is a page that makes these requests for it. Requests from another origin
/// than these, or without the token, get a 403 without details. See the README of this folder.
/// Everything happens on the thread that runs the context, which must outlive the bridge.
class Bridge final : public SideService {
 public:
  Bridge(boost::asio::io_context& context, BridgeOptions options, PlayerCalls player,
         std::function<void(const Served&)> served);
  ~Bridge() override;

  [[nodiscard]] bool is_for(const RequestHead& head) const override;
  void handle(HttpRequest request, Respond respond) override;

 private:
  class Implementation;
  std::shared_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
