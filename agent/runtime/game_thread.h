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

/// What the rules say of the state after a PLAY: our legal moves, as early as they are known.
struct LegalReport {
  Adoption adoption;
  bool derived = false;            // false: could not be had, `legal` means nothing
  std::string problem;             // why not, as a sentence
  std::vector<gdl::MoveId> legal;  // of our role
  bool waits = false;              // another role moves, and the host wants no answer of ours
  std::shared_ptr<const gdl::Vocabulary> names;
};

/// What became of a match at its end.
struct FinalReport {
  Adoption adoption;
  bool derived = false;  // the goals could be had
  bool terminal = false;
  std::vector<std::string> roles;
  std::vector<int> goals;
  std::vector<gdl::Flaw> flaws;
};

/// What is kept of the reports about a turn.
struct Reported {
  std::shared_ptr<const gdl::Vocabulary> names;
  std::optional<LegalReport> legal;
  std::optional<search::Position> position;
};

/// Hears, on the I/O thread, what the game thread has found out.
class GameEvents {
 public:
  virtual ~GameEvents() = default;
  /// After `prepare`: why the match can't be played, or that it can; and what was read.
  virtual void on_prepared(std::optional<std::string> refusal, gdl::NormalisedRules rules) = 0;
  /// After `prepare` (as turn 0, or the last one taken up again), `play` and `follow`; the position
  /// comes next if the legal moves could be derived. After `follow` there are neither.
  virtual void on_legal(std::size_t turn, LegalReport report) = 0;
  virtual void on_position(std::size_t turn, bool terminal, search::Position position) = 0;
  virtual void on_flaws(std::vector<gdl::Flaw> flaws) = 0;
  /// An exception of the machine: a bug, survived.
  virtual void on_trouble(std::string what) = 0;
};

/// Made and called on the I/O thread. The thread shares all that it touches, so that it can be left
/// behind.
class GameThread {
 public:
  /// `alone`: the thread rests after each position that it has told, as others work on it then.
  GameThread(const MatchMemory& memory, Referee::MakeMachine make_machine, bool alone,
             std::shared_ptr<Line> line, std::weak_ptr<GameEvents> events);

  /// Prepares the referee and takes over the joint moves of turns played before. `first` runs in
  /// the thread before all else.
  void prepare(GivenRules rules, std::string role, std::vector<ReportedMoves> past,
               std::function<void()> first);
  void play(std::size_t turn, ReportedMoves moves, std::optional<gdl::MoveId> sent);
  /// Like `play`, but no move of ours is wanted.
  void follow(std::size_t turn, ReportedMoves moves, std::optional<gdl::MoveId> sent);
  /// Whether the moves are legal now; nullopt if that can't be known. Answers are given on the I/O
  /// thread.
  void judge(ReportedMoves moves, std::function<void(std::optional<bool>)> answer);
  void foresee(gdl::MoveId own, std::function<void(std::optional<search::Position>)> answer);
  /// Takes over the last joint move and tells how the match ended; no more calls after this one.
  void finish(ReportedMoves moves, std::optional<gdl::MoveId> sent,
              std::function<void(FinalReport)> answer);
  /// Whatever is being derived ends.
  void interrupt();
  /// The thread, told to end after what it has been given. What it has made of the game is freed
  /// there, with what it has reported: of a large game that takes a while. No more calls after this
  /// one, which needs no memory.
  std::unique_ptr<Worker> release(Reported reported) noexcept;

 private:
  struct Shared;
  void take(std::size_t turn, ReportedMoves moves, std::optional<gdl::MoveId> sent, bool choose);

  std::shared_ptr<Shared> shared_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace ludens::agent
