// SPDX-License-Identifier: MIT
// One player in one match: follows the rules, thinks, and has an answer when one is due.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/runtime/deliberation.h"
#include "agent/runtime/environment.h"
#include "agent/runtime/game_thread.h"
#include "agent/runtime/thinking_options.h"

namespace ludens::agent {

/// Where a turn stands. Turn 0 is START; turn n is the n-th joint move.
enum class Phase : std::uint8_t {
  Unasked,    // nobody waits for an answer, and none was given here; the position is not known
  Deriving,   // an answer is due; the position is not known
  Thinking,   // an answer is due, and the strategy thinks about it
  Answered,   // the answer has been given; the position is not known
  Pondering,  // nobody waits; the strategy thinks about what may come next
  Resting,    // nobody waits, and nothing is done before the next turn
  Over,       // so is the match
};

/// What a player comes to in a turn.
struct TurnAnswer {
  enum class Kind : std::uint8_t {
    Ready,        // of START
    Followed,     // a turn without a move of ours
    Move,         // the best legal move that is known
    Waits,        // none is wanted, another role moves
    NoLegalMove,  // there is none
    Unknown,      // which moves are legal is not known
  };
  Kind kind = Kind::Unknown;
  std::optional<gdl::MoveId> move;       // for Move
  std::optional<search::Choice> choice;  // the strategy's, if it has thought about this turn
  std::string_view why;                  // an answer now, for logs; a literal
  TimePoint::duration lateness{};        // of the timer, where it has led to the answer
  bool timed_out = false;                // it was the timer
};

/// Hears, on the I/O thread, what becomes of a match.
class RuntimeListener {
 public:
  virtual ~RuntimeListener() = default;
  /// The rules were read; why the match can't be played, if it can't: there is no answer then.
  virtual void on_prepared(const std::optional<std::string>& refusal,
                           gdl::NormalisedRules rules) = 0;
  /// What the rules say of a turn, before anything follows from it. It may be a turn that is over.
  virtual void on_report(std::size_t turn, const LegalReport& report) = 0;
  /// Once for each time that the present turn's answer was asked for.
  virtual void on_answer(const TurnAnswer& answer) = 0;
  virtual void on_flaws(const std::vector<gdl::Flaw>& flaws) = 0;
  /// An exception of the machine: a bug, survived.
  virtual void on_trouble(const std::string& what) = 0;
};

/// The rules are followed by a `GameThread`, the thinking is done by a `Deliberation`; this is the
/// I/O thread's part, which waits for neither: when an answer is due, the best that is known is
/// given. Destroyed on the I/O thread, after `end` if it has begun; nothing is heard any more then.
class MatchRuntime final : public GameEvents, public std::enable_shared_from_this<MatchRuntime> {
 public:
  /// All that is referred to outlives the runtime. `match`: how the log names the match. `peer`:
  /// whose match it is, empty where nobody asks.
  MatchRuntime(Environment& environment, const ThinkingOptions& options, std::string match,
               RuntimeListener& listener, std::string peer = {});

  /// Prepares the match and takes over the joint moves `past`; nothing else is called before.
  /// `first` runs in the game thread before all else.
  void begin(const MatchMemory& memory, GivenRules rules, std::string role,
             std::vector<ReportedMoves> past, std::function<void()> first);
  /// The answer to the present turn is wanted by then: to START, or to a turn taken over. None has
  /// been asked for, or it has been given.
  void ask(TimePoint due);
  /// The next turn begins; no answer is due.
  void play(ReportedMoves moves, TimePoint due);
  /// Like `play`, but the host chooses our next move.
  void follow(ReportedMoves moves, TimePoint due);
  /// The answer that is asked for is due earlier, or later.
  void reschedule(TimePoint due);
  /// Answers with the best that is known, if an answer is asked for. `why`: a literal.
  void answer_now(std::string_view why);
  /// Our answer to the present turn, which was given elsewhere.
  void recall(gdl::MoveId sent) { sent_ = sent; }
  /// No more pondering in this turn.
  void rest();
  /// Whether the moves are legal now; nullopt if that can't be known.
  void judge(ReportedMoves moves, std::function<void(std::optional<bool>)> answer);
  /// Takes over the last joint move and tells how the match ended; only `end` comes after it.
  void finish(ReportedMoves moves, std::function<void(FinalReport)> answer);
  /// Whatever is being derived ends.
  void interrupt();
  /// Ends all work; the threads are left to the environment.
  void end();

  [[nodiscard]] std::size_t turn() const { return turn_; }
  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] bool asked() const {
    return phase_ == Phase::Deriving || phase_ == Phase::Thinking;
  }
  /// The rules were read, and give something to play.
  [[nodiscard]] bool prepared() const { return prepared_; }
  /// The answer as a move; nullopt as long as there is none.
  [[nodiscard]] std::optional<gdl::MoveId> sent() const { return sent_; }
  [[nodiscard]] std::optional<gdl::MoveId> sent_before() const { return sent_before_; }
  /// Null before the first report.
  [[nodiscard]] const std::shared_ptr<const gdl::Vocabulary>& names() const { return names_; }
  /// What the rules say of the present turn, and its position; nullopt until they are known.
  [[nodiscard]] const std::optional<LegalReport>& report() const { return report_; }
  [[nodiscard]] const std::optional<search::Position>& position() const { return position_; }
  /// The strategy's choice of this turn's answer, if it has thought about it: what it thinks now,
  /// or once the answer has been given, what it thought then.
  [[nodiscard]] std::optional<search::Choice> choice() const;
  /// The answer, or as long as there is none, the best legal move that is known.
  [[nodiscard]] std::optional<gdl::MoveId> best_move() const;
  /// The strategy's account of its last search, if that has ended.
  [[nodiscard]] const std::string& explanation() const { return deliberation_->explanation(); }

 private:
  void on_prepared(std::optional<std::string> refusal, gdl::NormalisedRules rules) override;
  void on_legal(std::size_t turn, LegalReport report) override;
  void on_position(std::size_t turn, bool terminal, search::Position position) override;
  void on_flaws(std::vector<gdl::Flaw> flaws) override;
  void on_trouble(std::string what) override;

  void begin_turn(TimePoint due, bool choose);
  void enter(Phase phase);
  void advance();
  [[nodiscard]] std::optional<std::string_view> reason_to_answer() const;
  [[nodiscard]] bool wants_to_ponder() const;
  void think();
  void ponder();
  void set_timer(TimePoint due);
  void cancel_timer();
  void on_time(TimePoint expected);
  [[nodiscard]] std::optional<gdl::MoveId> best_of(
      const std::optional<search::Choice>& choice) const;
  void answer(std::string_view why, std::optional<TimePoint::duration> lateness = std::nullopt);

  Environment& environment_;
  const ThinkingOptions& options_;
  const std::string match_, peer_;
  RuntimeListener& listener_;
  std::unique_ptr<GameThread> game_;
  std::shared_ptr<Deliberation> deliberation_;
  std::shared_ptr<const gdl::Vocabulary> names_;
  bool prepared_ = false;

  // The present turn.
  std::size_t turn_ = 0;
  Phase phase_ = Phase::Unasked;
  bool choose_ = true;
  TimePoint due_{};
  std::optional<Scheduler::TimerId> timer_;
  std::optional<LegalReport> report_;
  std::optional<search::Position> position_;
  bool terminal_ = false;
  std::optional<search::Choice> answered_;  // what the strategy thought when it was answered
  std::optional<gdl::MoveId> sent_, sent_before_;
};

}  // namespace ludens::agent
