// SPDX-License-Identifier: MIT
#include "agent/runtime/game_thread.h"

#include <chrono>
#include <exception>
#include <utility>

#include "agent/thread/freed_memory.h"

namespace ludens::agent {
namespace {

/// How long computing the goals of a finished match may take: no reply waits for them.
constexpr std::chrono::seconds kFinalTime{1};

bool is_one_move(const ReportedMoves& moves) {
  return std::holds_alternative<OneMove>(moves);
}

}  // namespace

struct GameThread::Shared {
  Shared(const MatchMemory& memory, Referee::MakeMachine make_machine, bool rests,
         std::shared_ptr<Line> to, std::weak_ptr<GameEvents> listener)
      : referee(interrupt, memory, std::move(make_machine), rests),
        rest_after_position(rests),
        line(std::move(to)),
        events(std::move(listener)) {}

  Interrupt interrupt;
  Referee referee;
  const bool rest_after_position;
  std::shared_ptr<Line> line;
  std::weak_ptr<GameEvents> events;
  Reported reported;  // returned, to be freed with the rest
  /// Our answer to the turn before, if an earlier process gave it.
  std::optional<gdl::MoveId> recalled;

  template <class Function>
  void tell(Function function) {
    line->post([weak = events, function = std::move(function)]() mutable {
      if (const auto listener = weak.lock()) function(*listener);
    });
  }

  /// Runs a function. Returns false, and reports the reason, if the function throws.
  template <class Function>
  bool guarded(const Function& function) {
    std::string what = "an exception of unknown type";
    try {
      function();
      return true;
    } catch (const std::exception& exception) {
      what = exception.what();
    } catch (...) {
    }
    tell([what](GameEvents& listener) { listener.on_trouble(what); });
    return false;
  }

  void prepare(const GivenRules& rules, const std::string& role, const std::vector<PastTurn>& past);
  Adoption adopt(const ReportedMoves& moves, std::optional<gdl::MoveId> sent,
                 search::hidden::MatchPhase match = search::hidden::MatchPhase::GoesOn,
                 Gap gap = Gap::None);
  /// The kind of answer that a turn needs.
  struct Wanted {
    bool choose = true;      // we must move
    bool one_mover = false;  // but only if our role is in control
  };
  void report(std::size_t turn, LegalReport found, Wanted wanted);
  void report_flaws();
  void report_position(std::size_t turn, bool over);
  void derive(std::size_t turn, LegalReport& report, Wanted wanted);
  FinalReport finish(const ReportedMoves& moves, std::optional<gdl::MoveId> sent);
};

void GameThread::Shared::prepare(const GivenRules& rules, const std::string& role,
                                 const std::vector<PastTurn>& past) {
  std::optional<std::string> refusal = "the rules could not be read";
  guarded([&] { refusal = referee.prepare(rules, role); });
  tell([refusal, rules = referee.rules()](GameEvents& listener) {
    listener.on_prepared(refusal, rules);
  });
  if (refusal) return;
  LegalReport found;
  interrupt.be_patient(true);  // if interrupted, it could adopt a turn otherwise than before
  guarded([&] {
    gdl::Vocabulary& names = *referee.machine()->vocabulary();
    for (const PastTurn& turn : past) {
      found.past.push_back(
          adopt(turn.moves, std::nullopt, search::hidden::MatchPhase::GoesOn, turn.gap));
      const Part& reply = turn.reply;
      if (reply.tree != nullptr) recalled = intern_move(names, *reply.tree, reply.node);
    }
  });
  interrupt.be_patient(false);
  report(past.size(), std::move(found), {true, !past.empty() && is_one_move(past.back().moves)});
}

/// `sent`: our own last answer, unless an earlier process gave it.
Adoption GameThread::Shared::adopt(const ReportedMoves& moves, std::optional<gdl::MoveId> sent,
                                   search::hidden::MatchPhase match, Gap gap) {
  const auto before = std::exchange(recalled, std::nullopt);
  return referee.adopt(moves, sent ? sent : before, match, gap);
}

void GameThread::Shared::derive(std::size_t turn, LegalReport& report, Wanted wanted) {
  gdl::Status status = referee.catch_up();
  const bool moved = status == gdl::Status::Ok;
  if (moved && wanted.choose) {
    if (const auto first = referee.first_own_legal()) {
      tell([turn, move = *first, names = report.names](GameEvents& listener) {
        listener.on_first_legal(turn, move, names);
      });
    }
    status = referee.own_legal(report.legal);
  }
  report.derived = status == gdl::Status::Ok;
  if (report.derived && wanted.one_mover) report.waits = referee.waits();
  if (report.derived) return;
  report.problem = std::string(moved ? "the legal moves" : "the state") + " could not be derived " +
                   (status == gdl::Status::OverBudget ? "within the memory limit" : "in time");
}

/// Completes what was found of that turn, and reports it.
void GameThread::Shared::report(std::size_t turn, LegalReport found, Wanted wanted) {
  found.names = referee.machine()->vocabulary();
  found.guessed = referee.guesses();
  guarded([&] { derive(turn, found, wanted); });
  const bool derived = found.derived;
  tell([turn, found = std::move(found)](GameEvents& listener) mutable {
    listener.on_legal(turn, std::move(found));
  });
  report_flaws();
  if (!derived || !wanted.choose) return;
  // A host does not request a move if the game is over.
  if (rest_after_position) return report_position(turn, false);
  bool over = false;
  guarded([&] {
    if (referee.terminal(over) != gdl::Status::Ok) over = false;
  });
  report_position(turn, over);
  guarded([&] { referee.derive_all_legal(); });
  report_flaws();
}

void GameThread::Shared::report_position(std::size_t turn, bool over) {
  tell([turn, over, position = referee.position()](GameEvents& listener) mutable {
    listener.on_position(turn, over, std::move(position));
  });
}

void GameThread::Shared::report_flaws() {
  auto flaws = referee.take_flaws();
  if (flaws.empty()) return;
  tell([flaws = std::move(flaws)](GameEvents& listener) mutable {
    listener.on_flaws(std::move(flaws));
  });
}

FinalReport GameThread::Shared::finish(const ReportedMoves& moves,
                                       std::optional<gdl::MoveId> sent) {
  FinalReport report;
  guarded([&] {
    if (referee.machine() == nullptr) return;
    report.adoption = adopt(moves, sent, search::hidden::MatchPhase::IsOver);
    report.derived = referee.catch_up() == gdl::Status::Ok && referee.certain() &&
                     referee.terminal(report.terminal) == gdl::Status::Ok &&
                     referee.goals(report.goals) == gdl::Status::Ok;
    for (gdl::RoleIndex i = 0; i < referee.machine()->role_count(); ++i) {
      report.roles.push_back(referee.machine()->role_name(i));
    }
    report.flaws = referee.take_flaws();
  });
  return report;
}

GameThread::GameThread(const MatchMemory& memory, Referee::MakeMachine make_machine,
                       bool rest_after_position, std::shared_ptr<Line> line,
                       std::weak_ptr<GameEvents> events)
    : shared_(std::make_shared<Shared>(memory, std::move(make_machine), rest_after_position,
                                       std::move(line), std::move(events))),
      worker_(std::make_unique<Worker>([shared = shared_]() mutable {
        shared.reset();
        return_memory();
      })) {}

void GameThread::prepare(GivenRules rules, std::string role, std::vector<PastTurn> past) {
  worker_->post([shared = shared_, rules = std::move(rules), role = std::move(role),
                 past = std::move(past)] { shared->prepare(rules, role, past); });
}

void GameThread::play(std::size_t turn, ReportedMoves moves, std::optional<gdl::MoveId> sent,
                      Gap gap) {
  take(turn, std::move(moves), sent, gap, true);
}

void GameThread::follow(std::size_t turn, ReportedMoves moves, std::optional<gdl::MoveId> sent) {
  take(turn, std::move(moves), sent, Gap::None, false);
}

void GameThread::take(std::size_t turn, ReportedMoves moves, std::optional<gdl::MoveId> sent,
                      Gap gap, bool choose) {
  worker_->post([shared = shared_, turn, moves = std::move(moves), sent, gap, choose] {
    shared->interrupt.attend();
    LegalReport found;
    if (shared->referee.machine() == nullptr) return;  // refused
    shared->guarded([&] {
      found.adoption = shared->adopt(moves, sent, search::hidden::MatchPhase::GoesOn, gap);
    });
    shared->report(turn, std::move(found), {choose, is_one_move(moves)});
  });
  // Last: a PLAY that could not be posted would interrupt all later ones. The count is right even
  // if the job is faster.
  shared_->interrupt.announce();
}

void GameThread::judge(ReportedMoves moves, std::function<void(std::optional<bool>)> answer) {
  worker_->post([shared = shared_, moves = std::move(moves), answer = std::move(answer)]() mutable {
    std::optional<bool> legal;
    shared->guarded([&] {
      if (shared->referee.machine() != nullptr) legal = shared->referee.is_legal(moves);
    });
    shared->line->post([answer = std::move(answer), legal] { answer(legal); });
  });
}

void GameThread::hurry_at(Interrupt::Clock::time_point when) {
  shared_->interrupt.hurry_at(when);
}

void GameThread::foresee(gdl::MoveId own,
                         std::function<void(std::optional<search::Position>)> answer) {
  worker_->post([shared = shared_, own, answer = std::move(answer)]() mutable {
    std::optional<search::Position> position;
    shared->guarded([&] { position = shared->referee.foresee(own); });
    shared->report_flaws();
    shared->line->post([answer = std::move(answer), position = std::move(position)]() mutable {
      answer(std::move(position));
    });
  });
}

void GameThread::finish(ReportedMoves moves, std::optional<gdl::MoveId> sent,
                        std::function<void(FinalReport)> answer) {
  const auto end = Interrupt::Clock::now() + kFinalTime;
  shared_->interrupt.end_at(end);
  shared_->interrupt.hurry_at(end);
  worker_->post(
      [shared = shared_, moves = std::move(moves), sent, answer = std::move(answer)]() mutable {
        FinalReport report = shared->finish(moves, sent);
        shared->line->post([answer = std::move(answer), report = std::move(report)]() mutable {
          answer(std::move(report));
        });
      });
}

void GameThread::interrupt() {
  shared_->interrupt.end();
}

std::unique_ptr<Worker> GameThread::release(Reported reported) noexcept {
  shared_->reported = std::move(reported);
  shared_.reset();
  worker_->finish();
  return std::move(worker_);
}

}  // namespace ludens::agent
