// SPDX-License-Identifier: MIT
// One match of the player, as the messages of a host tell it.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "agent/journal/journal.h"
#include "agent/message/heard_plays.h"
#include "agent/message/message.h"
#include "agent/runtime/match_runtime.h"
#include "agent/session/match_status.h"
#include "agent/session/player_environment.h"

namespace ludens::agent {

/// What an earlier process has recorded of a match.
struct Past {
  std::vector<JournalledTurn> turns;
  unsigned copies = 1;  // of each PLAY that the host sends
};

/// From START to STOP: which messages are new and which are repeats, how early a reply must leave,
/// what it says, and what the journal and the log record. A `MatchRuntime` does the playing.
/// Everything happens on the I/O thread; replies are called exactly once, from within a call, a
/// timer or an event. Turn 0 is START, answered `ready`; turn n is the n-th PLAY.
class Session final : public RuntimeListener, public std::enable_shared_from_this<Session> {
 public:
  /// Called, on the I/O thread, when a reply has left or the session is over.
  using Changed = std::function<void()>;

  /// `from`: the host, if it is known.
  Session(PlayerEnvironment& environment, Start start, Sender from, Changed changed);
  ~Session() override = default;

  /// Prepares the match; must be called first. `reply` may be empty for a START that was answered
  /// earlier (and after which `past` was played). `last_heard`: when its host sent the last
  /// message.
  void begin(TimePoint first_byte, TimePoint last_heard, Reply reply,
             std::unique_ptr<Journal> journal, const Past& past);
  /// To be called when the host has sent a message. A match whose host is not known then belongs to
  /// this one.
  void belong_to(const Sender& from);
  /// To be called when START arrives again.
  void start_again(Reply reply);
  /// Whether the PLAY is the first of another match with the same START: hosts that are started
  /// again may use the same ids. A host sends PLAY only after START.
  [[nodiscard]] bool starts_over(const Play& play) const;
  void play(const Play& play, TimePoint first_byte, Reply reply);
  /// To be called when the match is over: answers what is waiting and ends the session.
  void stop(const Stop& stop);
  void abort();
  /// Ends without touching the journal: another process may resume the match.
  void leave();
  /// Answers a waiting START immediately and a waiting PLAY by `latest`; for the end of the
  /// program.
  void hurry(TimePoint latest);
  /// To be called when the host requested another role of the same match at our address, and was
  /// refused. Its PLAYs for the two roles can't be distinguished: each turn arrives twice.
  void expect_duplicates();

  [[nodiscard]] const Start& start() const { return start_; }
  [[nodiscard]] const Sender& from() const { return from_; }
  [[nodiscard]] bool over() const { return runtime_->phase() == Phase::Over; }
  /// Whether START is not answered yet.
  [[nodiscard]] bool starting() const { return runtime_->turn() == 0 && waiting(); }
  /// Whether a reply must still be sent.
  [[nodiscard]] bool waiting() const {
    return !turn_.waiting.empty() || !doubtful_.empty() || !leaving_.empty();
  }
  /// Whether nothing has arrived for so long that the host is considered gone.
  [[nodiscard]] bool dead() const;
  /// Whether nothing has arrived for longer than a host that continues the match would take:
  /// another host may have the place, and its own host for another match.
  [[nodiscard]] bool overdue() const;
  /// Whether any other match may have the place at once: a clock is longer than `--max-clock`.
  [[nodiscard]] bool gives_way() const;
  [[nodiscard]] TimePoint last_heard() const { return last_heard_; }
  [[nodiscard]] MatchStatus status() const;
  [[nodiscard]] MatchView view() const;

 private:
  /// What the host waits for, and what it was answered.
  struct Turn {
    std::optional<std::size_t> number;  // of joint moves made, if the host sends it
    TimePoint first_byte{}, due{};
    Margin::Duration margin{};
    std::vector<Reply> waiting;
    std::optional<std::string> answer;
    unsigned copies = 1;  // of its PLAY that have arrived
  };
  /// A PLAY with the moves of the previous one: a repeat, unless they are legal again.
  struct Doubtful {
    unsigned number;
    Play play;
    TimePoint first_byte;
    Reply reply;
    Scheduler::TimerId timer;
  };
  /// A reply that waits until the journal has it.
  struct Leaving {
    unsigned number;
    std::vector<Reply> replies;
    std::string text;
    TimePoint first_byte;
    std::string question, thoughts;  // of its line in the log
    Scheduler::TimerId timer;
  };

  void on_prepared(const std::optional<std::string>& refusal, gdl::NormalisedRules rules) override;
  void on_report(std::size_t turn, const LegalReport& report) override;
  void on_answer(const TurnAnswer& answer) override;
  void on_flaws(const std::vector<gdl::Flaw>& flaws) override;
  void on_trouble(const std::string& what) override;

  void begin_journal(const Past& past) const;
  void recall(const Past& past);

  void heard() { heard(environment_.clock.now()); }
  void heard(TimePoint at);
  [[nodiscard]] std::chrono::seconds length_of(int clock_seconds) const;
  [[nodiscard]] std::chrono::seconds clock() const;
  [[nodiscard]] Margin::Duration dead_after() const;
  [[nodiscard]] Margin::Duration silence() const { return environment_.clock.now() - last_heard_; }
  void start_clock(TimePoint first_byte, int clock_seconds);
  [[nodiscard]] TimePoint due(TimePoint first_byte, Margin::Duration clock) const;

  [[nodiscard]] ReportedMoves reported(const Part& moves, const std::optional<OwnTurn>& own,
                                       bool first) const;
  [[nodiscard]] std::vector<PastTurn> reported(const std::vector<JournalledTurn>& past) const;
  [[nodiscard]] JournalledTurn journalled(const Play& play, Gap gap) const;
  void note_gap();
  [[nodiscard]] bool is_next(const Play& play, HeardPlays::Kind kind,
                             const std::string& moves) const;
  void begin_turn(const Play& play, TimePoint first_byte, Reply reply);
  void join(TimePoint first_byte, Reply reply);
  void doubt(const Play& play, TimePoint first_byte, Reply reply);
  std::optional<Doubtful> take_doubtful(unsigned number);
  void on_undecided(unsigned number);
  void on_judged(unsigned number, std::size_t turn, std::optional<bool> legal);
  void note_adoption(const Adoption& adoption, std::size_t turn);

  [[nodiscard]] std::string guess() const;
  [[nodiscard]] std::string text_of(const TurnAnswer& answer) const;
  [[nodiscard]] std::string best_text() const;
  void reply_with(const std::string& text, std::string_view why);
  void wait_for_journal(Leaving& reply);
  void on_written(unsigned number, bool written);
  void leave_now(const Leaving& reply) const;

  void answer_doubtful();
  void answer_all();
  void end();
  [[nodiscard]] std::size_t step() const;
  [[nodiscard]] std::string thinking() const;

  PlayerEnvironment& environment_;
  const Start start_;
  const ThinkingOptions thinking_;
  const bool hidden_;  // whether the host sends percepts
  const Changed changed_;
  const std::string match_;  // the id, for logs
  Sender from_;              // the host
  std::shared_ptr<Journal> journal_;
  std::shared_ptr<MatchRuntime> runtime_;
  std::shared_ptr<gdl::MemoryBudget> memory_;  // for the rules
  std::stop_source checking_;                  // of the rules
  Turn turn_;
  HeardPlays heard_plays_;
  std::string last_move_, move_before_;  // answers to the last two turns, for guessing
  std::vector<Doubtful> doubtful_;
  unsigned doubts_ = 0;
  std::vector<Leaving> leaving_;
  unsigned left_ = 0;
  std::set<std::pair<gdl::Flaw::Kind, gdl::RoleIndex>> flaws_;
  TimePoint last_heard_{};
  std::optional<Scheduler::TimerId> silent_;  // when pondering ends
  unsigned copies_ = 1;                       // of each PLAY that the host sends
  bool started_again_ = false;                // START has come again since the last PLAY
  /// Whether turns may have been missed before the next one: this process has answered no message
  /// of the match yet.
  Gap gap_ = Gap::None;
  TimePoint latest_ = TimePoint::max();  // when the last reply must leave
  bool warned_of_margin_ = false;
};

}  // namespace ludens::agent
