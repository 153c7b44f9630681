// SPDX-License-Identifier: MIT
// `ludens speed GAME...`: how fast a machine plays.
#include "server/cli/commands.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <set>
#include <stop_token>

#include "gdl/policy/policy_machine.h"
#include "gdl/policy/win_share.h"
#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "gdl/text/printable.h"
#include "search/strategy/stopping.h"
#include "search/strategy/work_together.h"
#include "server/cli/exit_code.h"
#include "server/cli/game_argument.h"
#include "server/cli/interrupt.h"
#include "server/cli/study.h"
#include "server/cli/terminal.h"
#include "server/statistics/csv.h"

namespace ludens::server {

namespace {

using gdl::RoleIndex;
using gdl::Status;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct PlayoutTally {
  std::uint64_t playouts = 0, steps = 0;
  double seconds = 0;
  std::vector<std::uint64_t> goals;
  Status status = Status::Ok;
};

/// Plays complete playouts until the time is over, or until `stop`.
PlayoutTally play(const gdl::Machine& machine, double seconds, std::uint64_t seed,
                  const std::stop_token& stop) {
  const auto start = Clock::now();
  // Ends a playout that takes far longer than its time.
  const search::Deadline limit = search::Deadline::in(seconds * 3 + 20, stop);
  const auto context = machine.make_context({&limit, nullptr});
  PlayoutTally tally;
  tally.goals.assign(machine.role_count(), 0);
  gdl::State initial;
  tally.status = machine.initial(*context, initial);
  gdl::Rng rng(seed);
  gdl::PlayoutSums sums;
  const std::vector<gdl::StateView> starts{initial};
  gdl::PlayoutOptions options;
  options.per_start = static_cast<std::uint32_t>(machine.preferred_batch());
  while (tally.status == Status::Ok && !stop.stop_requested() &&
         (tally.seconds = seconds_since(start)) < seconds) {
    const double before = seconds_since(start);
    tally.status = machine.playouts(*context, starts, options, rng, sums);
    if (tally.status != Status::Ok) break;
    // Batch machines drain at the end of a call, so calls must be long enough for that not to
    // matter.
    const bool brief = seconds_since(start) - before < seconds / 50;
    if (brief && machine.preferred_batch() > 1 && options.per_start < 1U << 24)
      options.per_start *= 2;
    tally.steps += sums.steps;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      tally.playouts += sums.playouts[i];
      for (std::size_t r = 0; r < tally.goals.size(); ++r) {
        tally.goals[r] += sums.goals[i * tally.goals.size() + r];
      }
    }
  }
  tally.seconds = seconds_since(start);
  return tally;
}

/// How many different moves each role had in a few playouts.
std::vector<std::size_t> count_moves(const gdl::Machine& machine, std::uint64_t seed) {
  constexpr double kSeconds = 0.2;
  const auto start = Clock::now();
  const search::Deadline limit = search::Deadline::in(1);
  const auto context = machine.make_context({&limit, nullptr});
  std::vector<std::set<gdl::MoveId>> seen(machine.role_count());
  gdl::Rng rng(seed);
  gdl::State now, after;
  std::vector<gdl::MoveId> legal, joint(machine.role_count());
  while (seconds_since(start) < kSeconds) {
    if (machine.initial(*context, now) != Status::Ok) break;
    bool ended = false;
    while (machine.terminal(*context, now, ended) == Status::Ok && !ended) {
      for (RoleIndex r = 0; r < seen.size() && !ended; ++r) {
        if (machine.legal(*context, now, r, legal) != Status::Ok || legal.empty()) {
          ended = true;
          break;
        }
        seen[r].insert(legal.begin(), legal.end());
        joint[r] = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
      }
      if (ended || seconds_since(start) > kSeconds) break;
      if (machine.next(*context, now, joint, after) != Status::Ok) break;
      std::swap(now, after);
    }
  }
  std::vector<std::size_t> counts;
  counts.reserve(seen.size());
  for (const auto& moves : seen) counts.push_back(moves.size());
  return counts;
}

struct Measurement {
  std::string game, machine;
  unsigned threads = 1;
  double ready_ms = 0;
  PlayoutTally tally;  // of all threads; seconds is the longest
  std::size_t fluents = 0, gates = 0;
  std::vector<std::size_t> moves;
  std::string policy;
  // Used if the policy is not uniform.
  std::size_t raw_gates = 0;
  double policy_ms = 0;
  gdl::WinShare wins;
  gdl::GoalScale goals;  // of the rules
};

double length(const PlayoutTally& tally) {
  return tally.playouts == 0
             ? 0
             : static_cast<double>(tally.steps) / static_cast<double>(tally.playouts);
}

double rate(const Measurement& m) {
  return m.tally.seconds > 0 ? static_cast<double>(m.tally.steps) / m.tally.seconds : 0;
}

std::vector<double> mean_goals(const Measurement& m) {
  std::vector<double> means;
  for (const std::uint64_t sum : m.tally.goals) {
    means.push_back(m.tally.playouts != 0 ? m.goals.shown(static_cast<double>(sum) /
                                                          static_cast<double>(m.tally.playouts))
                                          : 0);
  }
  return means;
}

double peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void print_json(const Measurement& m) {
  boost::json::object result{{"game", m.game},
                             {"machine", m.machine},
                             {"threads", m.threads},
                             {"ready_ms", m.ready_ms},
                             {"playouts", m.tally.playouts},
                             {"steps", m.tally.steps},
                             {"steps_per_s", rate(m)},
                             {"gates", m.gates},
                             {"fluents", m.fluents},
                             {"moves", boost::json::value_from(m.moves)},
                             {"mean_goals", boost::json::value_from(mean_goals(m))},
                             {"peak_mb", peak_mb()}};
  if (m.policy != "uniform") {
    result["policy"] = {{"name", m.policy},
                        {"raw_gates", m.raw_gates},
                        {"build_ms", m.policy_ms},
                        {"length", length(m.tally)},
                        {"win_share", m.wins.share()}};
  }
  std::cout << boost::json::serialize(result) << std::endl;
}

template <class Numbers, class Text>
std::string joined(const Numbers& numbers, Text text) {
  std::string out;
  for (const auto number : numbers) out += (out.empty() ? "" : " ") + text(number);
  return out;
}

/// Lists with a number for each role are one field, separated by spaces.
void print_csv(const Measurement& m) {
  const auto whole = [](std::size_t count) { return std::to_string(count); };
  std::cout << csv_line({m.game, m.machine, m.policy, whole(m.threads), csv_number(m.ready_ms),
                         whole(m.tally.playouts), whole(m.tally.steps), csv_number(m.tally.seconds),
                         csv_number(rate(m)), whole(m.gates), whole(m.fluents),
                         joined(m.moves, whole), joined(mean_goals(m), csv_number),
                         csv_number(peak_mb())})
            << std::flush;
}

void print_text(const Measurement& m) {
  std::string goals;
  for (const double goal : mean_goals(m)) {
    char text[32];
    std::snprintf(text, sizeof text, " %.1f", goal);
    goals += text;
  }
  std::printf("%-28s %-12s ready %8.1f ms %12.0f steps/s %9llu playouts, mean goals%s\n",
              m.game.c_str(), m.machine.c_str(), m.ready_ms, rate(m),
              static_cast<unsigned long long>(m.tally.playouts), goals.c_str());
  if (m.policy != "uniform") {
    std::printf(
        "%-28s %-12s built %8.1f ms, %zu gates (%zu raw), %.1f steps a playout, a win in %.2f %% "
        "of "
        "uniform states\n",
        "", m.policy.c_str(), m.policy_ms, m.gates, m.raw_gates, length(m.tally),
        m.wins.share() * 100);
  }
  std::fflush(stdout);
}

/// Replaces the machine by one that plays by the policy, and reports how long that took.
std::string adopt_policy(const SpeedOptions& options, std::shared_ptr<const gdl::Machine>& machine,
                         Measurement& m) {
  constexpr std::uint64_t kPairs = 300'000;
  const auto policy = gdl::find_policy(options.policy);
  if (!policy) return "unknown policy '" + options.policy + "'";
  m.policy = gdl::to_string(*policy);
  if (*policy == gdl::PlayoutPolicy::Uniform) return "";
  const auto context = machine->make_context();
  gdl::State initial;
  gdl::Rng rng(options.seed);
  (void)machine->initial(*context, initial);
  m.wins = gdl::measure_win_share(*machine, *context, initial, kPairs, rng);
  gdl::PolicyMachine made = gdl::PolicyWorkshop(machine).make(*policy);
  if (made.machine == nullptr) return m.policy + " is not available: " + made.reason;
  machine = std::move(made.machine);
  m.raw_gates = made.raw_gates;
  m.policy_ms = made.milliseconds;
  return "";
}

/// Measures the way from text to the initial state, then playouts. Returns a sentence if the game
/// can't be played.
std::string measure(const SpeedOptions& options, const Rulesheet& sheet,
                    const std::stop_token& stop, Measurement& m) {
  m.game = sheet.name;
  m.threads = std::max(1U, options.threads);
  const auto start = Clock::now();
  const auto rules = gdl::read_rules(sheet.text).normalised.rules;
  const search::Deadline interrupted(stop);
  auto made = gdl::make_machine(options.machine, std::make_shared<gdl::Vocabulary>(rules),
                                {&interrupted, nullptr});
  if (!made) return made.error().text;
  auto player = *std::move(made);
  gdl::State initial;
  (void)player->initial(*player->make_context(), initial);
  m.ready_ms = seconds_since(start) * 1000;
  if (std::string refused = adopt_policy(options, player, m); !refused.empty()) {
    return refused;
  }
  const gdl::Machine& machine = *player;
  m.goals = rules->goals;
  m.machine = machine.name();
  m.gates = machine.gates();
  std::vector<PlayoutTally> tallies(m.threads);
  std::atomic<unsigned> begun{0};
  const auto work = [&](std::size_t t) {
    ++begun;
    tallies[t] = play(machine, options.seconds, options.seed + t, stop);
  };
  search::work_together(m.threads, work, [] {});  // all end by themselves
  m.threads = begun;                              // those that could be started
  m.tally = tallies[0];
  for (unsigned t = 1; t < m.threads; ++t) {
    m.tally.playouts += tallies[t].playouts;
    m.tally.steps += tallies[t].steps;
    m.tally.seconds = std::max(m.tally.seconds, tallies[t].seconds);
    for (std::size_t r = 0; r < m.tally.goals.size(); ++r) {
      m.tally.goals[r] += tallies[t].goals[r];
    }
    if (tallies[t].status != Status::Ok) m.tally.status = tallies[t].status;
  }
  m.moves = count_moves(machine, options.seed);
  m.fluents = machine.vocabulary()->fluent_count();
  if (m.tally.status == Status::OverBudget) return "out of memory while playing";
  if (m.tally.playouts == 0) return "no playout ended in time";
  return "";
}

}  // namespace

int speed_command(const SpeedOptions& options) {
  const Interrupt interrupt;
  const search::Deadline interrupted(interrupt.token());
  int result = kGood;
  if (options.csv) {
    std::cout << csv_line({"game", "machine", "policy", "threads", "ready_ms", "playouts", "steps",
                           "seconds", "steps_per_s", "gates", "fluents", "moves", "mean_goals",
                           "peak_mb"});
  }
  for (const std::string& game : options.games) {
    if (interrupt.token().stop_requested()) return kCouldNot;
    const auto loaded = load_for_study(game, &interrupted);
    if (!loaded) {
      result = std::max(result, loaded.error().exit_code);
      continue;
    }
    Measurement m;
    const std::string failure = [&] {
      const ProgressLine progress(
          [&] { return game + ", " + cap_text(options.seconds) + "and getting ready"; });
      return measure(options, *loaded, interrupt.token(), m);
    }();
    if (!failure.empty()) {
      std::cerr << "ludens: speed: " << game << ": " << gdl::printable(failure) << '\n';
      result = kCouldNot;
      continue;
    }
    if (options.json) {
      print_json(m);
    } else if (options.csv) {
      print_csv(m);
    } else {
      print_text(m);
    }
  }
  return result;
}

}  // namespace ludens::server
