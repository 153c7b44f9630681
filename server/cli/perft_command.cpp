// SPDX-License-Identifier: MIT
// `ludens perft GAME DEPTH`: counts joint-move paths.
#include "server/cli/commands.h"

#include <atomic>
#include <boost/json.hpp>
#include <chrono>
#include <iostream>
#include <limits>
#include <mutex>
#include <set>
#include <thread>

#include "gdl/registry/machines.h"
#include "search/strategy/work_together.h"
#include "server/cli/exit_code.h"
#include "server/cli/game_argument.h"
#include "server/cli/interrupt.h"
#include "server/cli/prepared_machine.h"
#include "server/cli/terminal.h"

namespace ludens::server {

namespace {

using gdl::MoveId;
using gdl::RoleIndex;
using gdl::Status;

/// A machine that is ready within this time spares the beginning on the interpreter.
constexpr std::chrono::milliseconds kWaitForMachine{100};
/// The number of no joint move.
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

struct PathCounts {
  std::uint64_t paths = 0, terminals = 0;
};

/// All joint moves of a state, one after another, without listing them.
class JointMoves {
 public:
  /// False if some role has no legal move.
  Status start(gdl::Walker& walker, std::size_t roles) {
    legal_.resize(roles);
    choice_.assign(roles, 0);
    move_.resize(roles);
    empty_ = false;
    for (RoleIndex r = 0; r < roles; ++r) {
      if (const Status s = walker.legal(r, legal_[r]); s != Status::Ok) return s;
      empty_ = empty_ || legal_[r].empty();
      if (!legal_[r].empty()) move_[r] = legal_[r][0];
    }
    return Status::Ok;
  }
  [[nodiscard]] bool empty() const { return empty_; }
  [[nodiscard]] const std::vector<MoveId>& current() const { return move_; }
  bool advance() {
    for (std::size_t r = move_.size(); r-- > 0;) {
      if (++choice_[r] < legal_[r].size()) {
        move_[r] = legal_[r][choice_[r]];
        return true;
      }
      choice_[r] = 0;
      move_[r] = legal_[r][0];
    }
    return false;
  }

 private:
  std::vector<std::vector<MoveId>> legal_;
  std::vector<std::size_t> choice_;
  std::vector<MoveId> move_;
  bool empty_ = false;
};

/// Counts below the walker's state, which is not terminal. `path` holds one JointMoves for each
/// ply.
Status count_paths(gdl::Walker& walker, std::size_t roles, std::span<JointMoves> plies,
                   PathCounts& counts) {
  JointMoves& moves = plies.front();
  if (const Status s = moves.start(walker, roles); s != Status::Ok || moves.empty()) return s;
  do {
    if (const Status s = walker.step(moves.current()); s != Status::Ok) return s;
    bool ended = false;
    Status s = walker.terminal(ended);
    if (s == Status::Ok && plies.size() == 1) {
      ++counts.paths;
      counts.terminals += ended ? 1 : 0;
    } else if (s == Status::Ok && !ended) {
      s = count_paths(walker, roles, plies.subspan(1), counts);
    }
    if (s != Status::Ok) return s;
    walker.undo();
  } while (moves.advance());
  return Status::Ok;
}

/// Counts the paths of one length, one first joint move after the other, in several threads. When a
/// faster machine is ready, it continues on that with those that are not counted.
class PathCounter {
 public:
  explicit PathCounter(unsigned depth) : depth_(depth) {}

  /// Counts until all is done, or the deadline. Stopped does not mean that anything is lost.
  Status count(const gdl::Machine& machine, unsigned threads, const search::Deadline& deadline) {
    status_ = Status::Ok;
    search::work_together(
        threads, [&](std::size_t) { work(machine, deadline); },
        [&] { give_back(kNone, Status::OverBudget); });
    return status_;
  }
  [[nodiscard]] PathCounts counts() const { return counts_; }
  /// The number of the first joint move that nobody has begun. Thread-safe.
  [[nodiscard]] std::size_t next() const { return next_; }

 private:
  void work(const gdl::Machine& machine, const search::Deadline& deadline);
  Status count_below(gdl::Walker& walker, std::size_t roles, std::span<JointMoves> plies,
                     PathCounts& counts) const;
  std::size_t take();
  void give_back(std::size_t number, Status status);
  void add(const PathCounts& counts);

  const unsigned depth_;
  std::mutex mutex_;
  PathCounts counts_;
  Status status_ = Status::Ok;
  std::set<std::size_t> left_;  // begun and not counted
  std::atomic<std::size_t> next_{0};
};

/// Joint moves come in the same order on all machines, so that their numbers mean the same.
void PathCounter::work(const gdl::Machine& machine, const search::Deadline& deadline) {
  const auto context = machine.make_context({&deadline, nullptr});
  const auto walker = machine.walker(*context);
  const std::size_t roles = machine.role_count();
  gdl::State state;
  std::vector<JointMoves> plies(depth_);
  bool ended = false;
  Status s = machine.initial(*context, state);
  if (s == Status::Ok) s = walker->reset(state);
  if (s == Status::Ok) s = walker->terminal(ended);
  if (s == Status::Ok && !ended) s = plies[0].start(*walker, roles);
  if (s != Status::Ok) give_back(kNone, s);
  if (s != Status::Ok || ended || plies[0].empty()) return;
  std::size_t mine = take(), at = 0;
  do {
    if (at++ != mine) continue;
    PathCounts counts;
    s = count_below(*walker, roles, plies, counts);
    if (s == Status::Ok && deadline.stop_requested()) s = Status::Stopped;
    if (s != Status::Ok) return give_back(mine, s);
    add(counts);
    mine = take();
  } while (plies[0].advance());
}

/// Counts the paths that begin with the current joint move of the first ply.
Status PathCounter::count_below(gdl::Walker& walker, std::size_t roles, std::span<JointMoves> plies,
                                PathCounts& counts) const {
  bool ended = false;
  if (const Status s = walker.step(plies[0].current()); s != Status::Ok) return s;
  if (const Status s = walker.terminal(ended); s != Status::Ok) return s;
  if (depth_ == 1) {
    counts = {1, ended ? 1U : 0U};
  } else if (!ended) {
    if (const Status s = count_paths(walker, roles, plies.subspan(1), counts); s != Status::Ok) {
      return s;
    }
  }
  walker.undo();
  return Status::Ok;
}

/// The numbers of a thread ascend: those that were given back are less than the next one.
std::size_t PathCounter::take() {
  const std::lock_guard lock(mutex_);
  if (left_.empty() || status_ != Status::Ok) return status_ == Status::Ok ? next_++ : kNone;
  const std::size_t number = *left_.begin();
  left_.erase(left_.begin());
  return number;
}

void PathCounter::give_back(std::size_t number, Status status) {
  const std::lock_guard lock(mutex_);
  if (number != kNone) left_.insert(number);
  status_ = status;
}

void PathCounter::add(const PathCounts& counts) {
  const std::lock_guard lock(mutex_);
  counts_.paths += counts.paths;
  counts_.terminals += counts.terminals;
}

void print(unsigned depth, const PathCounts& counts, double seconds, bool json) {
  if (json) {
    std::cout << boost::json::serialize(boost::json::object{{"depth", depth},
                                                            {"paths", counts.paths},
                                                            {"terminals", counts.terminals},
                                                            {"seconds", seconds}})
              << std::endl;
  } else {
    std::cout << "depth " << depth << ": " << counts.paths << " paths, " << counts.terminals
              << " end the game" << std::endl;
  }
}

}  // namespace

int perft_command(const PerftOptions& options) {
  const Interrupt interrupt;
  const search::Deadline end(interrupt.token());
  const auto loaded = load_for_study(options.game, &end);
  if (!loaded) return loaded.error().exit_code;
  if (const auto kind = gdl::find_machine_kind(options.machine); !kind) {
    return fail(kWrongUse, "perft", kind.error().text);
  }
  auto machine =
      PreparedMachine::make(options.machine, std::make_shared<gdl::Vocabulary>(loaded->rules), end,
                            std::chrono::steady_clock::now() + kWaitForMachine);
  if (!machine) return fail(kCouldNot, "perft", options.game + ": " + machine.error().text);
  const unsigned threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  for (unsigned depth = 1; depth <= options.depth; ++depth) {
    const auto start = std::chrono::steady_clock::now();
    PathCounter counter(depth);
    Status status = Status::Ok;
    {
      const ProgressLine progress([&] {
        return "depth " + std::to_string(depth) + ", first move " + std::to_string(counter.next());
      });
      machine->run({machine->first(), {}, 0, {}}, end, [&](const auto& here, const auto& until) {
        status = counter.count(*here.machine, threads, until);
        return status != Status::Stopped;
      });
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    if (status != Status::Ok) {
      return fail(kCouldNot, "perft",
                  std::string(status == Status::Stopped ? "stopped" : "out of memory") +
                      " at depth " + std::to_string(depth));
    }
    print(depth, counter.counts(), spent.count(), options.json);
  }
  return kGood;
}

}  // namespace ludens::server
