// SPDX-License-Identifier: MIT
// `ludens perft GAME DEPTH`: counts joint-move paths.
#include "server/cli/commands.h"

#include <atomic>
#include <boost/json.hpp>
#include <chrono>
#include <iostream>
#include <limits>
#include <thread>

#include "gdl/registry/machines.h"
#include "gdl/text/printable.h"
#include "search/strategy/work_together.h"
#include "server/cli/exit_code.h"
#include "server/cli/game_argument.h"
#include "server/live/progress_line.h"

namespace ludens::server {

namespace {

using gdl::MoveId;
using gdl::RoleIndex;
using gdl::Status;

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
Status count(gdl::Walker& walker, std::size_t roles, std::span<JointMoves> plies,
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
      s = count(walker, roles, plies.subspan(1), counts);
    }
    if (s != Status::Ok) return s;
    walker.undo();
  } while (moves.advance());
  return Status::Ok;
}

/// Distributes the first ply's joint moves over the threads; `next` is the next one.
Status count_parallel(const gdl::Machine& machine, unsigned depth, unsigned threads,
                      std::atomic<std::size_t>& next, PathCounts& total) {
  const std::size_t roles = machine.role_count();
  std::atomic<std::uint64_t> paths{0}, terminals{0};
  std::atomic<Status> result{Status::Ok};
  const auto work = [&] {
    const auto context = machine.make_context();
    const auto walker = machine.walker(*context);
    gdl::State state;
    std::vector<JointMoves> plies(depth);
    PathCounts counts;
    bool ended = false;
    Status s = machine.initial(*context, state);
    if (s == Status::Ok) s = walker->reset(state);
    if (s == Status::Ok) s = walker->terminal(ended);
    if (s == Status::Ok && !ended) s = plies[0].start(*walker, roles);
    if (s != Status::Ok || ended || plies[0].empty()) {
      if (s != Status::Ok) result = s;
      return;
    }
    std::size_t mine = next++, at = 0;
    do {
      if (at++ != mine) continue;
      mine = next++;
      if ((s = walker->step(plies[0].current())) != Status::Ok) break;
      if ((s = walker->terminal(ended)) != Status::Ok) break;
      if (depth == 1) {
        ++counts.paths;
        counts.terminals += ended ? 1 : 0;
      } else if (!ended) {
        s = count(*walker, roles, std::span(plies).subspan(1), counts);
        if (s != Status::Ok) break;
      }
      walker->undo();
    } while (plies[0].advance());
    if (s != Status::Ok) result = s;
    paths += counts.paths;
    terminals += counts.terminals;
  };
  // More than there are joint moves, and small enough not to overflow when threads count on.
  constexpr auto kNone = std::numeric_limits<std::size_t>::max() / 2;
  search::work_together(
      threads, [&](std::size_t) { work(); }, [&] { next = kNone; });
  total = {paths, terminals};
  return result;
}

}  // namespace

int perft_command(const PerftOptions& options) {
  const auto loaded = load_for_study(options.game);
  if (!loaded) return loaded.error().exit_code;
  if (const auto kind = gdl::find_machine_kind(options.machine); !kind) {
    std::cerr << "ludens: perft: " << kind.error().text << '\n';
    return kWrongUse;
  }
  const auto machine =
      gdl::make_machine(options.machine, std::make_shared<gdl::Vocabulary>(loaded->rules));
  if (!machine) {
    std::cerr << "ludens: perft: " << options.game << ": " << gdl::printable(machine.error().text)
              << '\n';
    return kCouldNot;
  }
  const unsigned threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  for (unsigned depth = 1; depth <= options.depth; ++depth) {
    const auto start = std::chrono::steady_clock::now();
    PathCounts counts;
    std::atomic<std::size_t> next{0};
    const Status status = [&] {
      const ProgressLine progress([&] {
        return "depth " + std::to_string(depth) + ", first move " + std::to_string(next);
      });
      return count_parallel(**machine, depth, threads, next, counts);
    }();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    if (status != Status::Ok) {
      std::cerr << "ludens: " << options.game << ": out of memory at depth " << depth << '\n';
      return kCouldNot;
    }
    if (options.json) {
      std::cout << boost::json::serialize(boost::json::object{{"depth", depth},
                                                              {"paths", counts.paths},
                                                              {"terminals", counts.terminals},
                                                              {"seconds", spent.count()}})
                << std::endl;
    } else {
      std::cout << "depth " << depth << ": " << counts.paths << " paths, " << counts.terminals
                << " end the game" << std::endl;
    }
  }
  return kGood;
}

}  // namespace ludens::server
