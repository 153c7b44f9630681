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

/// The phase of a turn. Turn 0 is START; turn n is the n-th joint move.
enum class Phase : std::uint8_t {
  Unasked,    // no answer is due, and none was given here; the position is not known
  Deriving,   // an answer is due; the position is not known
  Thinking,   // an answer is due, and the strategy thinks about it
  Answered,   // the answer has been given; the position is not known
  Pondering,  // no answer is due; the strategy thinks about what may come next
  Resting,    // no answer is due, and nothing is done before the next turn
  Over,       // the match is over
};

/// A player's answer to a turn.
struct TurnAnswer {
  enum class Kind : std::uint8_t {
    Ready,        // of START
    Followed,     // a turn in which we don't move
    Move,         // the best known legal move
    Waits,        // no answer is needed, another role moves
    NoLegalMove,  // there is none
    Unknown,      // the legal moves are not known
  };
  Kind kind = Kind::Unknown;
  std::optional<gdl::MoveId> move;       // for Move
  std::optional<search::Choice> choice;  // the strategy's, if it has thought about this turn
  std::string_view why;                  // reason for answering now, for logs; a literal
  TimePoint::duration lateness{};        // how long after it was due; 0 for one in time
  bool timed_out = false;                // whether the timer caused it
};

/// Is called, on the I/O thread, with the events of a match.
class RuntimeListener {
 public:
  virtual ~RuntimeListener() = default;
  /// The rules were read. `refusal` says why the match can't be played, if it can't: then there is
  /// no answer.
  virtual void on_prepared(const std::optional<std::string>& refusal,
                           gdl::NormalisedRules rules) = 0;
  /// What the rules say about a turn, before it has any effect. The turn may be over already.
  virtual void on_report(std::size_t turn, const LegalReport& report) = 0;
  /// Called once for each request for the current turn's answer.
  virtual void on_answer(const TurnAnswer& answer) = 0;
  virtual void on_flaws(const std::vector<gdl::Flaw>& flaws) = 0;
  /// An exception of the machine: a bug, survived.
  virtual void on_trouble(const std::string& what) = 0;
};

/// The rules are followed by a `GameThread`, a `Deliberation` does the thinking. This is the I/O
/// thread's part, which waits for neither: when an answer is due, it gives the best known one. Must
/// be destroyed on the I/O thread, after `end` if it has begun; then the listener is no longer
/// called.
class MatchRuntime final : public GameEvents, public std::enable_shared_from_this<MatchRuntime> {
 public:
  /// All references must outlive the runtime. `match`: the name of the match in the log. `peer`:
  /// the peer that owns the match, or empty.
  MatchRuntime(Environment& environment, const ThinkingOptions& options, std::string match,
               RuntimeListener& listener, std::string peer = {});

  /// Prepares the match and adopts the turns `past`; must be called first.
  void begin(const MatchMemory& memory, GivenRules rules, std::string role,
             std::vector<PastTurn> past);
  /// Requests the answer to the current turn (START, or an adopted turn) by `due`. No request may
  /// be open.
  void ask(TimePoint due);
  /// The next turn begins; no answer is due. `gap`: whether turns may have been missed before it.
  void play(ReportedMoves moves, TimePoint due, Gap gap = Gap::None);
  /// Like `play`, but the host chooses our next move.
  void follow(ReportedMoves moves, TimePoint due);
  /// Changes the time at which the requested answer is due.
  void reschedule(TimePoint due);
  /// Answers with the best known answer, if one is requested. `why`: a literal.
  void answer_now(std::string_view why);
  /// Sets our answer to the current turn, which was given elsewhere.
  void recall(gdl::MoveId sent) { sent_ = sent; }
  /// Ends thinking in this turn and, unless an answer is due, frees the strategy and what it knows:
  /// nobody may ever ask for the next one.
  void rest();
  /// Sets the peer that owns the match, which was not known when it began.
  void belong_to(const std::string& peer);
  /// Whether the moves are legal now; nullopt if that is unknown.
  void judge(ReportedMoves moves, std::function<void(std::optional<bool>)> answer);
  /// Adopts the last joint move and reports how the match ended; only `end` may follow.
  void finish(ReportedMoves moves, std::function<void(FinalReport)> answer);
  /// Interrupts the current derivation.
  void interrupt();
  /// Ends all work; the threads are handed over to the environment.
  void end();

  [[nodiscard]] std::size_t turn() const { return turn_; }
  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] bool asked() const {
    return phase_ == Phase::Deriving || phase_ == Phase::Thinking;
  }
  /// Whether the rules were read and the match can be played.
  [[nodiscard]] bool prepared() const { return prepared_; }
  /// The answer as a move; nullopt until there is one.
  [[nodiscard]] std::optional<gdl::MoveId> sent() const { return sent_; }
  [[nodiscard]] std::optional<gdl::MoveId> sent_before() const { return sent_before_; }
  /// Null before the first report.
  [[nodiscard]] const std::shared_ptr<const gdl::Vocabulary>& names() const { return names_; }
  /// What the rules say about the current turn, and its position; nullopt until they are known.
  [[nodiscard]] const std::optional<LegalReport>& report() const { return report_; }
  [[nodiscard]] const std::optional<search::Position>& position() const { return position_; }
  /// The strategy's choice of this turn's answer, if it has thought about it: its current choice,
  /// or after the answer the choice at that time. In a position that is guessed nothing is proved.
  [[nodiscard]] std::optional<search::Choice> choice() const;
  /// The answer, or until there is one, the best known legal move.
  [[nodiscard]] std::optional<gdl::MoveId> best_move() const;
  /// The strategy's account of its last search, if that has ended.
  [[nodiscard]] const std::string& explanation() const { return deliberation_->explanation(); }

 private:
  void on_prepared(std::optional<std::string> refusal, gdl::NormalisedRules rules) override;
  void on_first_legal(std::size_t turn, gdl::MoveId move,
                      std::shared_ptr<const gdl::Vocabulary> names) override;
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
  [[nodiscard]] std::optional<gdl::MoveId> best_of(
      const std::optional<search::Choice>& choice) const;
  void answer(std::string_view why, bool timed_out = false);

  Environment& environment_;
  const ThinkingOptions& options_;
  const std::string match_;
  std::string peer_;
  RuntimeListener& listener_;
  std::unique_ptr<GameThread> game_;
  std::shared_ptr<Deliberation> deliberation_;
  std::shared_ptr<const gdl::Vocabulary> names_;
  bool prepared_ = false;

  // The current turn.
  std::size_t turn_ = 0;
  Phase phase_ = Phase::Unasked;
  bool choose_ = true;
  TimePoint due_{};
  // `due_`, or when that was set if it had passed: lateness counts from here.
  TimePoint expected_{};
  std::optional<Scheduler::TimerId> timer_;
  std::optional<gdl::MoveId> first_legal_;  // known before the report, if that takes long
  std::optional<LegalReport> report_;
  std::optional<search::Position> position_;
  bool terminal_ = false;
  std::optional<search::Choice> answered_;  // the strategy's choice at the time of the answer
  std::optional<gdl::MoveId> sent_, sent_before_;
};

}  // namespace ludens::agent
