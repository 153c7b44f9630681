// SPDX-License-Identifier: MIT
#include "search/hidden/extensive_form.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include "gdl/memory/hash.h"

namespace ludens::search::hidden {

namespace {

using History = ExtensiveForm::History;
using gdl::Status;

/// Memory is reserved from the budget in pieces of this size.
constexpr std::size_t kPiece = std::size_t{1} << 20;
/// A key in a hash table, with its node and the table's share.
constexpr std::size_t kBytesOfKey = 96;

/// Numbers that distinguish steps of knowledge, or sets.
using Key = std::vector<std::uint32_t>;
struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t hash = gdl::kHashStart;
    for (const std::uint32_t word : key) hash = gdl::mix(hash, word);
    return hash;
  }
};
using Index = std::unordered_map<Key, std::uint32_t, KeyHash>;

/// A state in which roles choose, shared by the histories of one step.
struct Step {
  gdl::State state;
  std::vector<std::vector<gdl::MoveId>> legal;  // [role]
  std::vector<KnowledgeId> knowledge;           // [role], before the step
};

/// A history whose children must still be made: the moves of the first roles have been chosen.
struct Open {
  HistoryId at;
  std::shared_ptr<const Step> step;
  std::vector<gdl::MoveId> chosen;
};

}  // namespace

class FormBuilder {
 public:
  FormBuilder(const gdl::Machine& machine, const Deadline& deadline, gdl::MemoryBudget* memory,
              std::uint64_t most)
      : machine_(machine),
        deadline_(deadline),
        memory_(memory),
        most_(most),
        context_(machine.make_context({&deadline, memory})),
        roles_(machine.role_count()),
        form_(machine) {}

  gdl::Result<ExtensiveForm> run(gdl::StateView state) {
    Step first;
    first.state.assign(state);
    first.knowledge.assign(roles_, ExtensiveForm::kBeginning);
    form_.histories_.emplace_back();
    enter(0, std::move(first));
    while (!open_.empty() && problem_.empty()) {
      const Open open = std::move(open_.back());
      open_.pop_back();
      branch(open);
    }
    if (!problem_.empty()) return gdl::Error{problem_};
    return std::move(form_);
  }

 private:
  void fail(Status status) { problem_ = ExtensiveForm::why_not(status); }
  bool check(Status status) {
    if (status != Status::Ok) fail(status);
    return problem_.empty();
  }
  bool hold(std::size_t bytes) {
    used_ += bytes;
    if (form_.held_->hold(used_, memory_, kPiece)) return true;
    fail(Status::OverBudget);
    return false;
  }

  /// Enters a history that has reached a new state.
  void enter(HistoryId at, Step step) {
    bool ended = false;
    if (!check(machine_.terminal(*context_, step.state, ended))) return;
    if (ended) return end(at, step.state);
    step.legal.resize(roles_);
    for (gdl::RoleIndex role = 0; role < roles_; ++role) {
      if (!check(machine_.legal(*context_, step.state, role, step.legal[role]))) return;
      if (step.legal[role].empty()) return end(at, step.state);  // the game can't continue
    }
    open_.push_back({at, std::make_shared<const Step>(std::move(step)), {}});
  }

  void end(HistoryId at, gdl::StateView state) {
    std::vector<int> goals(roles_);
    if (!check(machine_.goals(*context_, state, goals)) || !hold(roles_)) return;
    History& history = form_.histories_[at];
    history.kind = History::Kind::End;
    history.which = static_cast<std::uint32_t>(form_.goals_.size() / roles_);
    for (const int goal : goals) form_.goals_.push_back(static_cast<std::uint8_t>(goal));
  }

  /// Continues with the next role that has a choice, and gives its history a child for each move;
  /// if all have chosen, with the next state.
  void branch(Open open) {
    if (deadline_.stop_requested()) return fail(Status::Stopped);
    const Step& step = *open.step;
    while (open.chosen.size() < roles_ && step.legal[open.chosen.size()].size() == 1) {
      open.chosen.push_back(step.legal[open.chosen.size()].front());
    }
    if (open.chosen.size() == roles_) return advance(open);
    const auto role = static_cast<gdl::RoleIndex>(open.chosen.size());
    const auto& moves = step.legal[role];
    const auto first = static_cast<HistoryId>(form_.histories_.size());
    if (!hold(moves.size() * sizeof(History))) return;
    if (most_ != 0 && first + moves.size() > most_) {
      problem_ = "there are more than " + std::to_string(most_) + " histories";
      return;
    }
    form_.histories_.resize(first + moves.size());
    const bool chance = role == machine_.random_role();
    form_.histories_[open.at] = {chance ? History::Kind::Chance : History::Kind::Decision,
                                 static_cast<std::uint32_t>(moves.size()), first,
                                 chance ? 0 : set_of(role, step)};
    for (std::size_t i = moves.size(); i-- > 0;) {
      open_.push_back({static_cast<HistoryId>(first + i), open.step, open.chosen});
      open_.back().chosen.push_back(moves[i]);
    }
  }

  void advance(const Open& open) {
    const Step& before = *open.step;
    Step after;
    if (!check(machine_.next(*context_, before.state, open.chosen, after.state))) return;
    for (gdl::RoleIndex role = 0; role < roles_; ++role) {
      if (!check(machine_.percepts(*context_, before.state, open.chosen, role, percepts_))) return;
      after.knowledge.push_back(learn(role, before, open.chosen));
    }
    enter(open.at, std::move(after));
  }

  KnowledgeId learn(gdl::RoleIndex role, const Step& before,
                    const std::vector<gdl::MoveId>& chosen) {
    const std::vector<gdl::MoveId> joint = form_.all_is_seen_ ? chosen : std::vector<gdl::MoveId>();
    Key key{role, before.knowledge[role], chosen[role]};
    key.push_back(static_cast<std::uint32_t>(before.legal[role].size()));
    key.insert(key.end(), before.legal[role].begin(), before.legal[role].end());
    key.insert(key.end(), percepts_.begin(), percepts_.end());
    key.insert(key.end(), joint.begin(), joint.end());
    const auto next = static_cast<KnowledgeId>(form_.knowledge_.size());
    const std::size_t bytes = kBytesOfKey + (key.size() + percepts_.size()) * sizeof(std::uint32_t);
    const auto [found, is_new] = knowledge_.try_emplace(std::move(key), next);
    if (is_new && hold(bytes)) {
      form_.knowledge_.push_back(
          {before.knowledge[role], chosen[role], before.legal[role].size() > 1, percepts_, joint});
    }
    return found->second;
  }

  SetId set_of(gdl::RoleIndex role, const Step& step) {
    Key key{role, step.knowledge[role]};
    key.insert(key.end(), step.legal[role].begin(), step.legal[role].end());
    const std::size_t bytes = kBytesOfKey + 2 * key.size() * sizeof(std::uint32_t);
    const auto next = static_cast<SetId>(form_.sets_.size());
    const auto [found, is_new] = sets_.try_emplace(std::move(key), next);
    if (is_new && hold(bytes)) {
      form_.sets_.push_back({role, step.knowledge[role], static_cast<std::uint32_t>(form_.actions_),
                             step.legal[role]});
      form_.actions_ += step.legal[role].size();
    }
    return found->second;
  }

  const gdl::Machine& machine_;
  const Deadline& deadline_;
  gdl::MemoryBudget* memory_;
  const std::uint64_t most_;
  std::unique_ptr<gdl::Machine::Context> context_;
  const std::size_t roles_;
  ExtensiveForm form_;
  std::vector<Open> open_;
  Index knowledge_, sets_;
  std::vector<gdl::PerceptId> percepts_;
  std::size_t used_ = 0;  // bytes
  std::string problem_;   // why it failed
};

ExtensiveForm::ExtensiveForm(const gdl::Machine& machine)
    : all_is_seen_(!machine.vocabulary()->rules().has_rule(gdl::kSees)),
      knowledge_(1),
      roles_(machine.role_count()) {
  for (gdl::RoleIndex role = 0; role < roles_; ++role) {
    if (role != machine.random_role()) players_.push_back(role);
  }
}

const char* ExtensiveForm::why_not(Status status) {
  return status == Status::Stopped ? "the time was up before all histories were followed"
                                   : "there are too many histories for the memory limit";
}

gdl::Result<ExtensiveForm> ExtensiveForm::build(const gdl::Machine& machine, gdl::StateView state,
                                                const Deadline& deadline, gdl::MemoryBudget* memory,
                                                std::uint64_t most) {
  return FormBuilder(machine, deadline, memory, most).run(state);
}

std::vector<const ExtensiveForm::Knowledge*> ExtensiveForm::known_in(
    const InformationSet& set) const {
  std::vector<const Knowledge*> steps;
  for (KnowledgeId k = set.knowledge; k != kBeginning; k = knowledge_[k].before) {
    steps.push_back(&knowledge_[k]);
  }
  std::ranges::reverse(steps);
  return steps;
}

bool ExtensiveForm::leads_to(const InformationSet& set, std::span<const KnownTurn> known,
                             std::span<const gdl::MoveId> history) const {
  KnowledgeId k = set.knowledge;
  for (std::size_t turn = known.size(); turn-- > 0; k = knowledge_[k].before) {
    const Knowledge& step = knowledge_[k];
    if (k == kBeginning || step.move != known[turn].own) return false;
    if (step.percepts != known[turn].percepts) return false;
    if (!step.joint.empty() &&
        !std::ranges::equal(step.joint, history.subspan(turn * roles_, roles_))) {
      return false;
    }
  }
  return k == kBeginning;
}

std::vector<KnowledgeId> ExtensiveForm::follow(gdl::RoleIndex role,
                                               std::span<const KnownTurn> known,
                                               std::span<const gdl::MoveId> history) const {
  std::vector<KnowledgeId> now{kBeginning};
  for (std::size_t turn = 0; turn < known.size(); ++turn) {
    const auto joint = all_is_seen_ ? history.subspan(turn * roles_, roles_) : history.first(0);
    std::vector<KnowledgeId> after;
    for (const KnowledgeId k : now) {
      auto link = std::ranges::lower_bound(links_[role], k, {}, &Link::from);
      for (; link != links_[role].end() && link->from == k; ++link) {
        if (link->move != known[turn].own) continue;
        if (all_is_seen_ ? std::ranges::equal(told_[link->told], joint)
                         : std::ranges::equal(told_[link->told], known[turn].percepts)) {
          after.push_back(link->to);
        }
      }
    }
    now = std::move(after);
  }
  return now;
}

std::optional<SetId> ExtensiveForm::find(gdl::RoleIndex role, std::span<const KnownTurn> known,
                                         std::span<const gdl::MoveId> history,
                                         std::span<const gdl::MoveId> legal) const {
  const auto possible = merged() ? follow(role, known, history) : std::vector<KnowledgeId>();
  const auto fits = [&](const InformationSet& set) {
    if (set.role != role || !std::ranges::equal(set.moves, legal)) return false;
    return merged() ? std::ranges::find(possible, set.knowledge) != possible.end()
                    : leads_to(set, known, history);
  };
  const auto found = std::ranges::find_if(sets_, fits);
  if (found == sets_.end()) return std::nullopt;
  return static_cast<SetId>(found - sets_.begin());
}

}  // namespace ludens::search::hidden
