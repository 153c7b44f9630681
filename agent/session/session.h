// One match of the player: what was asked, what was answered, and when an answer is due.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/journal/journal.h"
#include "agent/message/message.h"
#include "agent/session/deliberation.h"
#include "agent/session/game_thread.h"
#include "agent/session/match_status.h"
#include "agent/session/surroundings.h"

namespace ludens::agent {

/// From START to STOP. Bookkeeping on the I/O thread: the rules are followed by a `GameThread`, the
/// thinking is done by a `Deliberation`. Replies are called exactly once, from within a call, a
/// timer or an event. Turn 0 is START, answered `ready`; turn n is the n-th PLAY.
class Session final : public GameEvents, public std::enable_shared_from_this<Session> {
 public:
  /// Told, on the I/O thread, when a reply has left or the session is over.
  using Changed = std::function<void()>;

  Session(Surroundings& surroundings, Start start, Changed changed);
  ~Session() override = default;

  /// Prepares the match; nothing else is called before. `reply` may be empty: a START that was
  /// answered earlier (and after which `past` was played).
  void begin(TimePoint first_byte, Reply reply, std::unique_ptr<Journal> journal,
             std::vector<JournalledTurn> past);
  /// START has come again.
  void start_again(Reply reply);
  void play(const Play& play, TimePoint first_byte, Reply reply);
  /// The match is over: what is waiting is answered, the session ends.
  void stop(const Part& moves);
  void abort();
  /// Ends without touching the journal: the match may be taken up again by another process.
  void leave();
  /// Answers a waiting START with what is known, and a PLAY by then: for the end of the program.
  void hurry(TimePoint latest);
  /// The host has asked for another role of the same match at our address, and was refused. Its
  /// PLAYs of the two can't be told apart: a turn comes twice.
  void expect_twins();

  [[nodiscard]] const Start& start() const { return start_; }
  [[nodiscard]] bool over() const { return over_; }
  /// START is not answered yet.
  [[nodiscard]] bool starting() const { return turn_.number == 0 && !turn_.waiting.empty(); }
  /// A reply is still to leave.
  [[nodiscard]] bool waiting() const { return !turn_.waiting.empty() || !doubtful_.empty(); }
  /// Nothing has come for so long that the host must be thought to have gone.
  [[nodiscard]] bool dead() const;
  [[nodiscard]] TimePoint last_heard() const { return last_heard_; }
  [[nodiscard]] MatchStatus status() const;

 private:
  /// What the host waits for, and what is known of it.
  struct Turn {
    std::size_t number = 0;
    std::string key;  // of its moves
    TimePoint first_byte{}, due{};
    Margin::Duration clock{}, margin{};
    std::vector<Reply> waiting;
    std::optional<Scheduler::TimerId> timer;
    std::optional<std::string> answer;
    std::optional<gdl::MoveId> sent;         // the answer, as a move
    std::optional<gdl::MoveId> sent_before;  // the answer to the turn before
    std::optional<LegalReport> report;
    std::optional<search::Position> position;
    bool terminal = false;
    bool thinking = false;   // the deliberation is, or was, about this turn
    bool pondering = false;  // what comes after the answer has been seen to
    unsigned copies = 1;     // of its PLAY that have come
  };
  /// A PLAY with the moves of the one before: a repeat, unless they are legal once more.
  struct Doubtful {
    unsigned number;
    Play play;
    TimePoint first_byte;
    Reply reply;
    Scheduler::TimerId timer;
  };

  void on_prepared(std::optional<std::string> refusal, gdl::NormalisedRules rules) override;
  void on_legal(std::size_t turn, LegalReport report) override;
  void on_position(std::size_t turn, bool terminal, search::Position position) override;
  void on_flaws(std::vector<gdl::Flaw> flaws) override;
  void on_trouble(std::string what) override;

  [[nodiscard]] std::function<void()> journal_writer(std::vector<JournalledTurn> past) const;
  void recall(const std::vector<JournalledTurn>& past);

  void heard();
  [[nodiscard]] Margin::Duration dead_after() const;
  void arm(TimePoint first_byte);
  void set_timer(TimePoint due);
  void on_time(TimePoint expected);

  void begin_turn(const Play& play, std::string key, TimePoint first_byte, Reply reply);
  void join(TimePoint first_byte, Reply reply);
  void doubt(const Play& play, TimePoint first_byte, Reply reply);
  std::optional<Doubtful> take_doubtful(unsigned number);
  void on_undecided(unsigned number);
  void on_judged(unsigned number, std::size_t turn, std::optional<bool> legal);
  void note_adoption(const Adoption& adoption, std::size_t turn);

  void decide();
  void on_enough(std::size_t turn, std::string_view why);
  [[nodiscard]] std::optional<gdl::MoveId> best_move() const;
  [[nodiscard]] std::string text_of(std::optional<gdl::MoveId> move) const;
  void answer_best(std::string_view why);
  void answer(const std::string& text, std::string_view why);
  void go_on();

  void answer_turn();
  void answer_all();
  void end();
  [[nodiscard]] std::size_t step() const;
  [[nodiscard]] std::string thinking() const;

  Surroundings& surroundings_;
  const Start start_;
  const Changed changed_;
  const std::string match_;  // the id, for logs
  std::optional<Margin::Duration> think_at_most_;
  bool ponders_ = true;
  std::shared_ptr<Journal> journal_;
  std::unique_ptr<GameThread> game_;
  std::shared_ptr<Deliberation> deliberation_;
  std::shared_ptr<const gdl::Vocabulary> names_;
  Turn turn_;
  std::string last_move_, move_before_;  // answers to the last two turns, for guessing
  std::vector<Doubtful> doubtful_;
  unsigned doubts_ = 0;
  std::set<std::pair<gdl::Flaw::Kind, gdl::RoleIndex>> flaws_;
  TimePoint last_heard_{};
  std::optional<Scheduler::TimerId> death_;
  unsigned copies_ = 1;  // of each PLAY that the host sends
  bool warned_of_margin_ = false;
  bool over_ = false;
};

}  // namespace ludens::agent
