// What browsers know of the matches that run: the page of `--watch`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "server/records/match_record.h"
#include "server/web/match_document.h"

namespace ludens::server {

/// A legal move that a person chose, or `resign`.
struct HumanAnswer {
  std::size_t step = 0;  // of the position for which it was chosen
  std::string move;
  bool resign = false;
};

/// Collects what happens and tells all browsers. Every call may come from any thread and returns at
/// once: what is sent is written by a thread of the feed's own, and a browser that does not keep up
/// is disconnected.
///
/// Events, each with one JSON object: `hello` {"title","restart"}; `game` {"picture":n,...} as
/// GameDocument; `match` as match_json, with its "picture"; `step` {"id","step"}; `end`
/// {"id","end"}; `turn` {"id","role","step","legal":[..],"ms"}, `answered` {"id","role"};
/// `tournament` as tournament_json; `note` {"text"}. Requests: `/move` {"id","role","step","move"},
/// `/resign`
/// {"id","role","step"}, `/restart` and `/close`.
class MatchFeed {
 public:
  struct Options {
    std::string title;
    bool restart = false;        // offers another match when one has ended
    bool tournament = false;     // standings will come
    std::size_t finished = 100;  // finished matches that are kept for browsers to come
  };

  explicit MatchFeed(Options options);
  ~MatchFeed();
  MatchFeed(const MatchFeed&) = delete;
  MatchFeed& operator=(const MatchFeed&) = delete;

  /// On failure a sentence on why. Nothing else needs to wait for it.
  std::optional<std::string> listen(std::uint16_t port);
  /// With the token that lets a browser move and ask for another match; without it, it looks on.
  [[nodiscard]] std::string url() const;

  /// The picture of a record's game; made once for each rulesheet.
  std::shared_ptr<const GameDocument> game(const MatchRecord& record);

  // A match in its order. `json` as MatchDocument writes it.
  void begun(const MatchRecord& record, const std::shared_ptr<const GameDocument>& game,
             const std::string& header_json, const std::string& step_json);
  void moved(const std::string& id, const std::string& step_json);
  void ended(const std::string& id, const std::string& end_json);
  /// Forgets a match that did not end.
  void dropped(const std::string& id);
  /// `make` writes tournament_json; it is called on the feed's thread.
  void tournament(std::function<std::string()> make);
  void note(const std::string& text);

  /// Who answers for people in a role, called on the feed's thread; false if it is not their turn.
  /// To be taken away before it dies.
  using Seat = std::function<bool(const HumanAnswer&)>;
  void seat(const std::string& id, std::size_t role, Seat seat);
  void leave_seat(const std::string& id, std::size_t role);
  /// It is a person's turn: the legal moves as GameDocument::move_json writes them.
  void turn(const std::string& id, std::size_t role, std::size_t step,
            const std::vector<std::string>& legal_json, std::int64_t clock_ms);
  void turn_over(const std::string& id, std::size_t role);

  enum class Wish { Restart, Close };
  /// Waits until a person wants another match or none; Close on a stop request, or if there is no
  /// browser any more.
  Wish wait_for_wish(const std::stop_token& stop);
  /// Waits for the first browser; false on a stop request.
  bool wait_for_browser(const std::stop_token& stop);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
