// SPDX-License-Identifier: MIT
#include "server/game/random_plays.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/machine.h"
#include "gdl/machine/rng.h"
#include "gdl/text/printable.h"

namespace ludens::server {

namespace {

constexpr int kMatches = 16;
constexpr int kMostSteps = 500;  // of a match

class RandomPlays {
 public:
  RandomPlays(std::shared_ptr<const gdl::Rules> rules, const gdl::Limits& limits)
      : rules_(*rules),
        machine_(
            gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(std::move(rules)), limits)),
        context_(machine_->make_context(limits)),
        legal_(machine_->role_count()),
        joint_(machine_->role_count()),
        goals_(machine_->role_count()) {}

  gdl::Diagnostics run() {
    for (int match = 0; match < kMatches && play(); ++match) {
    }
    return std::move(found_);
  }

 private:
  /// False if nothing more can be found.
  bool play() {
    if (machine_->initial(*context_, state_) != gdl::Status::Ok) return false;
    for (int step = 0; step < kMostSteps; ++step) {
      bool over = false;
      context_->flaws.clear();
      if (machine_->terminal(*context_, state_, over) != gdl::Status::Ok) return false;
      if (over) return step > 0 && end();  // without a step there is nothing to play
      if (!choose(step)) return false;
      if (!context_->flaws.empty()) return step > 0;
      if (machine_->next(*context_, state_, joint_, next_) != gdl::Status::Ok) return false;
      std::swap(state_, next_);
    }
    return true;
  }

  bool choose(int step) {
    for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
      const auto status = machine_->legal(*context_, state_, role, legal_[role]);
      if (status != gdl::Status::Ok) return false;
      const auto count = static_cast<std::uint32_t>(legal_[role].size());
      if (count > 0) joint_[role] = legal_[role][rng_.below(count)];
    }
    for (const gdl::Flaw& flaw : context_->flaws) {
      if (step == 0) {
        add(flaw, gdl::Severity::Error, "no-first-move", "has no legal move in the first state");
      } else {
        add(flaw, gdl::Severity::Warning, "no-move", "has no legal move" + where(flaw));
      }
    }
    return true;
  }

  bool end() {
    if (machine_->goals(*context_, state_, goals_) != gdl::Status::Ok) return false;
    for (const gdl::Flaw& flaw : context_->flaws) {
      if (rules_.random == flaw.role) continue;
      add(flaw, gdl::Severity::Warning, "goal-at-end",
          "has " + std::string(gdl::to_string(flaw.kind)) + where(flaw));
    }
    return true;
  }

  static std::string where(const gdl::Flaw& flaw) {
    return ", as a random match shows: " + gdl::printable(flaw.state);
  }

  /// Once for each role and kind.
  void add(const gdl::Flaw& flaw, gdl::Severity severity, const char* code, std::string text) {
    const auto known = std::pair(flaw.kind, flaw.role);
    if (std::ranges::find(known_, known) != known_.end()) return;
    known_.push_back(known);
    found_.push_back({severity, code,
                      "role '" + machine_->role_name(flaw.role) + "' " + std::move(text),
                      place(flaw.role)});
  }

  /// Where the rules name a role.
  [[nodiscard]] gdl::Location place(gdl::RoleIndex role) const {
    const auto named = std::ranges::find_if(rules_.rules, [&](const gdl::Rule& rule) {
      return rule.head == gdl::kRole && rule.arguments[0] == rules_.roles[role];
    });
    return rules_.location(named->where);
  }

  const gdl::Rules& rules_;
  std::shared_ptr<const gdl::Machine> machine_;
  std::unique_ptr<gdl::Machine::Context> context_;
  gdl::Rng rng_{1};
  gdl::State state_, next_;
  std::vector<std::vector<gdl::MoveId>> legal_;
  std::vector<gdl::MoveId> joint_;
  std::vector<int> goals_;
  std::vector<std::pair<gdl::Flaw::Kind, gdl::RoleIndex>> known_;
  gdl::Diagnostics found_;
};

}  // namespace

gdl::Diagnostics found_in_random_plays(std::shared_ptr<const gdl::Rules> rules,
                                       const gdl::Limits& limits) {
  if (rules->roles.empty()) return {};
  return RandomPlays(std::move(rules), limits).run();
}

}  // namespace ludens::server
