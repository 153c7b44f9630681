// SPDX-License-Identifier: MIT
#include "server/conformance/conformance.h"

#include <algorithm>

#include "gdl/text/syntax.h"

namespace ludens::server {

namespace {

using gdl::MoveId;
using gdl::RoleIndex;
using gdl::Status;

constexpr std::size_t kExamples = 5;

/// The folded names of ids; each name is computed once.
template <class Name>
std::vector<std::string> folded_names(std::vector<std::string>& cache,
                                      const std::vector<std::uint32_t>& ids, const Name& name) {
  std::vector<std::string> names;
  names.reserve(ids.size());
  for (const std::uint32_t id : ids) {
    if (id >= cache.size()) cache.resize(id + 1);
    if (cache[id].empty()) cache[id] = gdl::fold_case(name(id));
    names.push_back(cache[id]);
  }
  return names;
}

class Comparison {
 public:
  Comparison(const gdl::Machine& machine, std::chrono::milliseconds time)
      : machine_(machine), context_(machine.make_context()) {
    if (time != std::chrono::milliseconds::max()) end_ = std::chrono::steady_clock::now() + time;
  }

  ConformanceResult run(const std::vector<TracePlayout>& playouts) {
    for (const TracePlayout& playout : playouts) {
      if (!result_.complete) break;
      ++result_.playouts;
      place_ = "playout " + std::to_string(playout.seed);
      if (check_roles(playout.roles)) replay(playout);
    }
    return std::move(result_);
  }

 private:
  void disagree(const std::string& what) {
    ++result_.disagreements;
    if (result_.examples.size() < kExamples) result_.examples.push_back(place_ + ": " + what);
  }

  bool check(Status status, const char* call) {
    if (status == Status::Ok) return true;
    disagree(std::string(call) + " is over budget");
    return false;
  }

  bool check_roles(const std::vector<std::string>& roles) {
    std::vector<std::string> own;
    for (RoleIndex r = 0; r < machine_.role_count(); ++r) {
      own.push_back(gdl::fold_case(machine_.role_name(r)));
    }
    if (own != roles) disagree("other roles");
    return own == roles;
  }

  void replay(const TracePlayout& playout) {
    if (!check(machine_.initial(*context_, state_), "initial")) return;
    const std::string playout_place = place_;
    for (const TraceStep& step : playout.steps) {
      if (result_.states > 0 && end_ && std::chrono::steady_clock::now() > *end_) {
        result_.complete = false;
        return;
      }
      place_ = playout_place + ", step " + std::to_string(step.step);
      ++result_.states;
      if (!check_state(step.state) || !check_ending(step)) return;
      for (RoleIndex r = 0; r < step.legal.size(); ++r) check_legal(r, step.legal[r]);
      for (std::size_t m = 0; m < step.moves.size(); ++m) {
        if (!find_moves(step.moves[m])) return;
        if (m == 0) check_percepts(step);
        if (!make()) return;
      }
    }
  }

  bool check_state(const std::vector<std::string>& expected) {
    std::vector<gdl::FluentId> ids;
    if (!check(machine_.fluents(*context_, state_, ids), "fluents")) return false;
    std::vector<std::string> found =
        folded_names(fluents_, ids, [&](auto f) { return machine_.vocabulary()->fluent_name(f); });
    std::vector<std::string> kept;  // those that the machine knows
    for (const std::string& name : expected) {
      const auto id = machine_.vocabulary()->find_fluent(name);
      if (!id || machine_.keeps(*id)) kept.push_back(name);
    }
    return check_sets("state", kept, std::move(found));
  }

  void check_legal(RoleIndex role, const std::vector<std::string>& expected) {
    if (!check(machine_.legal(*context_, state_, role, legal_), "legal")) return;
    std::vector<std::string> found =
        folded_names(moves_, legal_, [&](auto m) { return machine_.vocabulary()->move_name(m); });
    check_sets("legal moves of " + machine_.role_name(role), expected, std::move(found));
  }

  bool check_sets(const std::string& what, const std::vector<std::string>& expected,
                  std::vector<std::string> found) {
    std::ranges::sort(found);
    if (found == expected) return true;
    std::vector<std::string> missing, extra;
    std::ranges::set_difference(expected, found, std::back_inserter(missing));
    std::ranges::set_difference(found, expected, std::back_inserter(extra));
    std::string text = what + ":";
    if (!missing.empty()) {
      text += " " + std::to_string(missing.size()) + " missing, as " + missing.front();
    }
    if (!extra.empty()) {
      text += " " + std::to_string(extra.size()) + " too many, as " + extra.front();
    }
    disagree(text);
    return false;
  }

  /// Terminal and goals. If the reference gives no single goal (none, or several), the machine may
  /// choose one, but it must report this at the end.
  bool check_ending(const TraceStep& step) {
    bool terminal = false;
    if (!check(machine_.terminal(*context_, state_, terminal), "terminal")) return false;
    if (terminal != step.terminal) disagree(terminal ? "terminal" : "not terminal");
    std::vector<int> goals(machine_.role_count());
    if (step.goals.empty()) return true;
    context_->flaws.clear();
    if (!check(machine_.stated_goals(*context_, state_, goals), "goals")) return false;
    for (RoleIndex r = 0; r < goals.size(); ++r) {
      const bool flawed = std::ranges::any_of(
          context_->flaws, [&](const gdl::Flaw& flaw) { return flaw.role == r; });
      const std::string role = "goal of " + machine_.role_name(r);
      if (!step.goals[r] && step.terminal && !flawed) disagree(role + ": no flaw reported");
      if (step.goals[r] && (flawed || *step.goals[r] != goals[r])) {
        disagree(role + ": " + std::to_string(goals[r]) + ", not " +
                 std::to_string(*step.goals[r]));
      }
    }
    return true;
  }

  void check_percepts(const TraceStep& step) {
    std::vector<gdl::PerceptId> ids;
    for (RoleIndex r = 0; r < step.sees.size(); ++r) {
      if (!check(machine_.percepts(*context_, state_, joint_, r, ids), "percepts")) return;
      std::vector<std::string> found = folded_names(
          percepts_, ids, [&](auto p) { return machine_.vocabulary()->percept_name(p); });
      result_.percepts += step.sees[r].size();
      check_sets("percepts of " + machine_.role_name(r), step.sees[r], std::move(found));
    }
  }

  /// The joint move that a trace names.
  bool find_moves(const std::vector<std::string>& move) {
    joint_.clear();
    for (const std::string& term : move) {
      const auto id = machine_.vocabulary()->find_move(term);
      if (!id) {
        // Moves are not derived yet for states between recorded ones.
        for (RoleIndex r = 0; r < machine_.role_count(); ++r) {
          if (!check(machine_.legal(*context_, state_, r, legal_), "legal")) return false;
        }
      }
      const auto again = id ? id : machine_.vocabulary()->find_move(term);
      if (!again) {
        disagree("unknown move " + term);
        return false;
      }
      joint_.push_back(*again);
    }
    return true;
  }

  bool make() {
    if (!check(machine_.next(*context_, state_, joint_, after_), "next")) return false;
    std::swap(state_, after_);
    return true;
  }

  const gdl::Machine& machine_;
  std::unique_ptr<gdl::Machine::Context> context_;
  std::optional<std::chrono::steady_clock::time_point> end_;
  ConformanceResult result_;
  std::string place_;
  gdl::State state_, after_;
  std::vector<MoveId> legal_, joint_;
  std::vector<std::string> fluents_, moves_, percepts_;
};

}  // namespace

ConformanceResult compare(const gdl::Machine& machine, const std::vector<TracePlayout>& playouts,
                          std::chrono::milliseconds time) {
  return Comparison(machine, time).run(playouts);
}

}  // namespace ludens::server
