// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gdl/machine/agreement.h"
#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "search/hidden/belief.h"
#include "search/strategy/stopping.h"
#include "tests/fuzz/targets/choices.h"
#include "tests/fuzz/targets/targets.h"
#include "tests/search/hidden/random_game.h"

namespace ludens::fuzz {

namespace {

using search::KnownTurn;
using search::hidden::Belief;
using search::hidden::BeliefOptions;
using Machines = std::vector<std::shared_ptr<const gdl::Machine>>;
/// The probability of each history that fits.
using Weighed = std::map<std::vector<gdl::MoveId>, double>;

void require_ok(gdl::Status status, const std::string& text) {
  require(status == gdl::Status::Ok, "a machine fails\n" + text);
}

/// The machines of one vocabulary, which must agree.
Machines machines_of(const std::string& text) {
  const auto vocabulary = std::make_shared<gdl::Vocabulary>(gdl::read_rules(text).normalised.rules);
  Machines machines;
  std::vector<const gdl::Machine*> others;
  for (const char* name : {"interpreter", "scalar", "sliced"}) {
    auto made = gdl::make_machine(name, vocabulary);
    require(made.has_value(), "there is no machine " + std::string(name) + "\n" + text);
    machines.push_back(*std::move(made));
    others.push_back(machines.back().get());
  }
  gdl::Rng rng(1);
  const auto agreement =
      gdl::compare_machines(*others.front(), std::span(others).subspan(1), {.playouts = 2}, rng);
  require(agreement.differences.empty(),
          agreement.differences.empty() ? "" : agreement.differences.front() + "\n" + text);
  return machines;
}

Weighed weighed(const std::shared_ptr<const gdl::Machine>& machine, gdl::RoleIndex role,
                const std::vector<KnownTurn>& known, const BeliefOptions& options, bool exact,
                const std::string& text) {
  Belief belief(machine, role, options);
  require_ok(belief.follow(known, search::Deadline()), text);
  require(!exact || belief.exact(), "a small belief is not exact\n" + text);
  Weighed all;
  for (std::size_t i = 0; i < belief.size(); ++i) {
    const auto history = belief.history(i);
    all[{history.begin(), history.end()}] += belief.weight(i);
  }
  return all;
}

/// What the role may believe contains what came to pass, and is the same on all machines; a small
/// sample is a part of it.
void compare_beliefs(const Machines& machines, gdl::RoleIndex role,
                     const std::vector<KnownTurn>& known, const std::vector<gdl::MoveId>& history,
                     const std::string& text) {
  Weighed first;
  for (const auto& machine : machines) {
    const Weighed exact = weighed(machine, role, known, {.most = 1'000'000}, true, text);
    require(exact.contains(history), "the truth does not fit\n" + text);
    if (first.empty()) first = exact;
    require(std::ranges::equal(exact, first,
                               [](const auto& a, const auto& b) {
                                 return a.first == b.first && std::abs(a.second - b.second) < 1e-9;
                               }),
            "machines believe different things\n" + text);
    const Weighed few = weighed(machine, role, known, {.most = 4}, false, text);
    require(!few.empty() && few.size() <= 4, "a sample is empty or too large\n" + text);
    for (const auto& [drawn, weight] : few) {
      require(first.contains(drawn), "a history of a sample does not fit\n" + text);
    }
  }
}

/// A match by the input's choices; false at its end.
class DrawnMatch {
 public:
  DrawnMatch(const gdl::Machine& machine, const std::string& text)
      : known(machine.role_count()),
        machine_(machine),
        context_(machine.make_context()),
        text_(text) {
    require_ok(machine.initial(*context_, state_), text_);
  }

  bool goes_on() {
    bool over = false;
    require_ok(machine_.terminal(*context_, state_, over), text_);
    return !over;
  }
  void step(Choices& choices) {
    std::vector<gdl::MoveId> joint, legal;
    for (gdl::RoleIndex role = 0; role < known.size(); ++role) {
      require_ok(machine_.legal(*context_, state_, role, legal), text_);
      joint.push_back(legal[choices.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    for (gdl::RoleIndex role = 0; role < known.size(); ++role) {
      KnownTurn turn{.own = joint[role]};
      require_ok(machine_.percepts(*context_, state_, joint, role, turn.percepts), text_);
      known[role].push_back(std::move(turn));
    }
    gdl::State after;
    require_ok(machine_.next(*context_, state_, joint, after), text_);
    state_ = std::move(after);
    history.insert(history.end(), joint.begin(), joint.end());
  }

  std::vector<std::vector<KnownTurn>> known;  // [role]
  std::vector<gdl::MoveId> history;

 private:
  const gdl::Machine& machine_;
  std::unique_ptr<gdl::Machine::Context> context_;
  const std::string& text_;
  gdl::State state_;
};

}  // namespace

void hidden(std::string_view input) {
  Choices bytes(input);
  const std::string text = search::hidden::tests::RandomGame([&bytes](std::uint32_t n) {
                             return bytes.below(n);
                           }).text();
  const Machines machines = machines_of(text);
  DrawnMatch match(*machines.front(), text);
  while (match.goes_on()) {
    for (gdl::RoleIndex role = 0; role < 2; ++role) {
      compare_beliefs(machines, role, match.known[role], match.history, text);
    }
    match.step(bytes);
  }
}

}  // namespace ludens::fuzz
