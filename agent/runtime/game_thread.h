// SPDX-License-Identifier: MIT
// The referee of a match in a thread of its own, and what it reports to the I/O thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/runtime/referee.h"
#include "agent/thread/line.h"
#include "agent/thread/worker.h"

namespace ludens::agent {

/// What the rules say about the state after a PLAY: our legal moves, as soon as they are known.
struct LegalReport {
  Adoption adoption;
  std::vector<Adoption> past = {};  // what became of the turns that an earlier process has played
  bool derived = false;             // false: it failed, and `legal` means nothing
  std::string problem;              // why not, as a sentence
  std::vector<gdl::MoveId> legal;   // of our role
  bool waits = false;               // another role moves, and the host wants no answer from us
  bool guessed = false;             // the position is: turns before it were missed
  std::shared_ptr<const gdl::Vocabulary> names;
};

/// A turn that an earlier process has played.
struct PastTurn {
  ReportedMoves moves;
  Part reply;  // our answer to it; absent: there was none
  Gap gap = Gap::None;
};

/// The result of a match.
struct FinalReport {
  Adoption adoption;
  bool derived = false;  // whether the goals could be computed
  bool terminal = false;
  std::vector<std::string> roles;
  std::vector<int> goals;
  std::vector<gdl::Flaw> flaws;
};

/// What is kept from the reports about a turn.
struct Reported {
  std::shared_ptr<const gdl::Vocabulary> names;
  std::optional<LegalReport> legal;
  std::optional<search::Position> position;
};

/// Is called, on the I/O thread, with the results of the game thread.
class GameEvents {
 public:
  virtual ~GameEvents() = default;
  /// After `prepare`: why the match can't be played, or nullopt; and the rules that were read.
  virtual void on_prepared(std::optional<std::string> refusal, gdl::NormalisedRules rules) = 0;
  /// Before `on_legal`, where that takes longer than moments: one of our legal moves.
  virtual void on_first_legal(std::size_t turn, gdl::MoveId move,
                              std::shared_ptr<const gdl::Vocabulary> names) = 0;
  /// After `prepare` (as turn 0, or the last resumed turn), `play` and `follow`; the position comes
  /// next if the legal moves could be derived. After `follow` there is neither.
  virtual void on_legal(std::size_t turn, LegalReport report) = 0;
  virtual void on_position(std::size_t turn, bool terminal, search::Position position) = 0;
  virtual void on_flaws(std::vector<gdl::Flaw> flaws) = 0;
  /// An exception of the machine: a bug, survived.
  virtual void on_trouble(std::string what) = 0;
};

/// Created and called on the I/O thread. The thread shares ownership of everything that it uses, so
/// that it can be abandoned.
class GameThread {
 public:
  /// `rest_after_position`: the thread rests after each position that it has reported, because
  /// others then work on it.
  GameThread(const MatchMemory& memory, Referee::MakeMachine make_machine, bool rest_after_position,
             std::shared_ptr<Line> line, std::weak_ptr<GameEvents> events);

  /// Prepares the referee and adopts the joint moves of turns played before, as they were then: a
  /// PLAY that comes meanwhile waits.
  void prepare(GivenRules rules, std::string role, std::vector<PastTurn> past);
  void play(std::size_t turn, ReportedMoves moves, std::optional<gdl::MoveId> sent, Gap gap);
  /// Like `play`, but we need not move.
  void follow(std::size_t turn, ReportedMoves moves, std::optional<gdl::MoveId> sent);
  /// Whether the moves are legal now; nullopt if that is unknown. Answers are given on the I/O
  /// thread.
  void judge(ReportedMoves moves, std::function<void(std::optional<bool>)> answer);
  /// From `when` on, only what an answer needs is derived: it is due soon.
  void hurry_at(Interrupt::Clock::time_point when);
  void foresee(gdl::MoveId own, std::function<void(std::optional<search::Position>)> answer);
  /// Adopts the last joint move and reports how the match ended; no calls may follow.
  void finish(ReportedMoves moves, std::optional<gdl::MoveId> sent,
              std::function<void(FinalReport)> answer);
  /// Interrupts the current derivation.
  void interrupt();
  /// Releases the thread, which ends after its remaining work. Its data about the game and its
  /// reports are freed there, which takes a while for a large game. No calls may follow this one,
  /// which needs no memory.
  std::unique_ptr<Worker> release(Reported reported) noexcept;

 private:
  struct Shared;
  void take(std::size_t turn, ReportedMoves moves, std::optional<gdl::MoveId> sent, Gap gap,
            bool choose);

  std::shared_ptr<Shared> shared_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace ludens::agent
