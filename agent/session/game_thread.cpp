#include "agent/session/game_thread.h"

#include <chrono>
#include <exception>
#include <utility>

namespace ludens::agent {
namespace {

/// How long the goals of a finished match may take: nobody waits for them.
constexpr std::chrono::seconds kFinalTime{1};

}  // namespace

struct GameThread::Bench {
  Bench(const MatchMemory& memory, Referee::MakeMachine make_machine, std::shared_ptr<Line> to,
        std::weak_ptr<GameEvents> listener)
      : referee(interrupt, memory, std::move(make_machine)),
        line(std::move(to)),
        events(std::move(listener)) {}

  Interrupt interrupt;
  Referee referee;
  std::shared_ptr<Line> line;
  std::weak_ptr<GameEvents> events;

  template <class Function>
  void tell(Function function) {
    line->post([weak = events, function = std::move(function)]() mutable {
      if (const auto listener = weak.lock()) function(*listener);
    });
  }

  /// Runs what may throw; whether it did not.
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

  void prepare(const Start& start, const std::vector<Part>& past);
  void report(std::size_t turn, Adoption adoption);
  void report_flaws();
  FinalReport finish(const Part& moves, std::optional<gdl::MoveId> sent);
};

void GameThread::Bench::prepare(const Start& start, const std::vector<Part>& past) {
  std::optional<std::string> refusal = "the rules could not be read";
  guarded([&] { refusal = referee.prepare(start.description, start.role); });
  tell([refusal, rules = referee.rules()](GameEvents& listener) {
    listener.on_prepared(refusal, rules);
  });
  if (refusal) return;
  guarded([&] {
    for (const Part& moves : past) referee.adopt(moves, std::nullopt);
  });
  report(past.size(), {});
}

void GameThread::Bench::report(std::size_t turn, Adoption adoption) {
  LegalReport found;
  found.adoption = std::move(adoption);
  found.names = referee.machine()->vocabulary();
  guarded([&] {
    found.derived =
        referee.catch_up() == gdl::Status::Ok && referee.own_legal(found.legal) == gdl::Status::Ok;
  });
  const bool derived = found.derived;
  tell([turn, found = std::move(found)](GameEvents& listener) mutable {
    listener.on_legal(turn, std::move(found));
  });
  report_flaws();
  if (!derived) return;
  bool over = false;
  guarded([&] {
    if (referee.terminal(over) != gdl::Status::Ok) over = false;
  });
  tell([turn, over, position = referee.position()](GameEvents& listener) mutable {
    listener.on_position(turn, over, std::move(position));
  });
  guarded([&] { referee.derive_all_legal(); });
  report_flaws();
}

void GameThread::Bench::report_flaws() {
  auto flaws = referee.take_flaws();
  if (flaws.empty()) return;
  tell([flaws = std::move(flaws)](GameEvents& listener) mutable {
    listener.on_flaws(std::move(flaws));
  });
}

FinalReport GameThread::Bench::finish(const Part& moves, std::optional<gdl::MoveId> sent) {
  FinalReport report;
  guarded([&] {
    if (referee.machine() == nullptr) return;
    report.adoption = referee.adopt(moves, sent);
    report.derived = referee.catch_up() == gdl::Status::Ok &&
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
                       std::shared_ptr<Line> line, std::weak_ptr<GameEvents> events)
    : bench_(std::make_shared<Bench>(memory, std::move(make_machine), std::move(line),
                                     std::move(events))),
      worker_(std::make_unique<Worker>(return_memory)) {}

void GameThread::prepare(const Start& start, std::vector<Part> past, std::function<void()> first) {
  worker_->post([bench = bench_, start, past = std::move(past), first = std::move(first)] {
    if (first) first();
    bench->prepare(start, past);
  });
}

void GameThread::play(std::size_t turn, Part moves, std::optional<gdl::MoveId> sent) {
  bench_->interrupt.announce();
  worker_->post([bench = bench_, turn, moves = std::move(moves), sent] {
    bench->interrupt.attend();
    Adoption adoption;
    if (bench->referee.machine() == nullptr) return;  // refused
    bench->guarded([&] { adoption = bench->referee.adopt(moves, sent); });
    bench->report(turn, std::move(adoption));
  });
}

void GameThread::judge(Part moves, std::function<void(std::optional<bool>)> answer) {
  worker_->post([bench = bench_, moves = std::move(moves), answer = std::move(answer)]() mutable {
    std::optional<bool> legal;
    bench->guarded([&] {
      if (bench->referee.machine() != nullptr) legal = bench->referee.is_legal(moves);
    });
    bench->line->post([answer = std::move(answer), legal] { answer(legal); });
  });
}

void GameThread::foresee(gdl::MoveId own,
                         std::function<void(std::optional<search::Position>)> answer) {
  worker_->post([bench = bench_, own, answer = std::move(answer)]() mutable {
    std::optional<search::Position> position;
    bench->guarded([&] { position = bench->referee.foresee(own); });
    bench->report_flaws();
    bench->line->post([answer = std::move(answer), position = std::move(position)]() mutable {
      answer(std::move(position));
    });
  });
}

void GameThread::finish(Part moves, std::optional<gdl::MoveId> sent,
                        std::function<void(FinalReport)> answer) {
  bench_->interrupt.end_at(Interrupt::Clock::now() + kFinalTime);
  worker_->post(
      [bench = bench_, moves = std::move(moves), sent, answer = std::move(answer)]() mutable {
        FinalReport report = bench->finish(moves, sent);
        bench->line->post([answer = std::move(answer), report = std::move(report)]() mutable {
          answer(std::move(report));
        });
      });
}

void GameThread::interrupt() {
  bench_->interrupt.end();
}

std::unique_ptr<Worker> GameThread::release(std::shared_ptr<void> rest) {
  worker_->post([bench = std::move(bench_), rest = std::move(rest)] {});
  worker_->finish();
  return std::move(worker_);
}

}  // namespace ludens::agent
