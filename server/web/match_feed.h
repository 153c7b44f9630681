// SPDX-License-Identifier: MIT
// What browsers know about the running matches: the page of `--watch`.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/wire_memory.h"
#include "server/records/match_record.h"
#include "server/web/match_document.h"

namespace ludens::server {

/// A legal move that a person chose, or `resign`.
struct HumanAnswer {
  std::size_t step = 0;  // of the position for which it was chosen
  std::string move;
  bool resign = false;
};

/// What people at the page ask of the host of their matches.
struct PageCommand {
  enum class Kind {
    Restart,   // another match, in `role` if there is one
    TakeBack,  // to go back to the last choice that a person made
    Hint,      // a move for `role` at `step`
    Close,     // no more matches
  };
  Kind kind = Kind::Close;
  std::string id;  // of the match that it is about; empty: whichever there is
  std::optional<std::size_t> role;
  std::size_t step = 0;
};

/// Collects events and sends them to all browsers. Any thread may make any call, which returns
/// immediately: a thread of the feed does the writing, and a browser that does not keep up is
/// disconnected.
///
/// Events, each with one JSON object: `hello` {"run"}, a number that differs from program to
/// program; `game` {"picture":n,...} as GameDocument; `match` as match_json, with its "picture";
/// `forgotten` {"picture"}, which no later match has; `step` {"id","step"}; `end` {"id","end"};
/// `dropped` {"id"}, a match that is not kept; `complete` {}, after all that there was when a
/// browser came; `turn` {"id","role","step","legal":[..],"ms"}, `answered` {"id","role"};
/// `asked` {"id","start","ms"}, what players have left to get ready or to move; `advice`
/// {"id","role","step","move"} or with "problem" instead of "move"; `tournament` as
/// tournament_json; `note` {"text"}. Requests:
/// `/move` {"id","role","step","move"}, `/resign` and `/hint` {"id","role","step"}, `/undo` {"id"},
/// `/restart` {"id","role"} and `/close`.
class MatchFeed {
 public:
  struct Options {
    std::string title;
    bool restart = false;        // people may ask for another match
    bool tournament = false;     // standings will come
    std::size_t finished = 100;  // finished matches that are kept for later browsers
    bool help = false;           // people may take moves back and ask for hints
    std::shared_ptr<WireMemory> memory = nullptr;  // for everything; null: a budget of its own
  };

  explicit MatchFeed(Options options);
  ~MatchFeed();
  MatchFeed(const MatchFeed&) = delete;
  MatchFeed& operator=(const MatchFeed&) = delete;

  /// Returns a sentence that says why if it fails. Nothing else needs to wait for it.
  std::optional<std::string> listen(std::uint16_t port);
  /// The address with the token that lets a browser move and ask for another match; without the
  /// token it only watches.
  [[nodiscard]] std::string url() const;

  /// The picture of a record's game, see game_of; created once for each rulesheet and notation.
  std::shared_ptr<const GameDocument> game(const MatchRecord& record,
                                           std::optional<Notation> notation = std::nullopt);

  // The events of a match, in order; the objects are those of MatchDocument. A match that has
  // already begun starts again.
  void begun(const MatchRecord& record, const std::shared_ptr<const GameDocument>& game,
             boost::json::object header, const boost::json::array& steps);
  /// Players have until then to get ready (`start`), or to move.
  void asked(const std::string& id, bool start, std::chrono::steady_clock::time_point until);
  void moved(const std::string& id, const boost::json::object& step);
  void ended(const std::string& id, const boost::json::object& end);
  /// Forgets a match that did not end.
  void dropped(const std::string& id);
  /// `make` returns tournament_json; it is called on the feed's thread.
  void tournament(std::function<boost::json::object()> make);
  void note(const std::string& text);

  /// Answers for people in a role, called on the feed's thread; false if it is not their turn. Must
  /// be removed before it is destroyed.
  using Seat = std::function<bool(const HumanAnswer&)>;
  void seat(const std::string& id, std::size_t role, Seat seat);
  void leave_seat(const std::string& id, std::size_t role);
  /// It is a person's turn: the legal moves as GameDocument::move_json describes them.
  void turn(const std::string& id, std::size_t role, std::size_t step, boost::json::array legal,
            std::int64_t clock_ms);
  void turn_over(const std::string& id, std::size_t role);

  /// Carries out commands, called on the feed's thread: returns empty, or a sentence that says why
  /// not. Must be removed (by an empty function) before it is destroyed.
  using Host = std::function<std::string(const PageCommand&)>;
  void host(Host host);
  /// The move that a person who asked for a hint may make, as GameDocument::move_json; null if none
  /// was found.
  void advice(const std::string& id, std::size_t role, std::size_t step, boost::json::value move);
  /// Waits for the first browser; false on a stop request.
  bool wait_for_browser(const std::stop_token& stop);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
