// SPDX-License-Identifier: MIT
#include "server/cli/role_knowledge.h"

#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "gdl/text/printable.h"
#include "search/hidden/belief.h"
#include "server/statistics/number_text.h"

namespace ludens::server {

namespace json = boost::json;

namespace {

using search::KnownTurn;
using search::hidden::Belief;
using search::hidden::MatchPhase;

constexpr std::size_t kStatesShown = 10;

/// Advances the belief over all turns; returns whether that was possible.
bool follow(Belief& belief, const std::vector<KnownTurn>& known, bool over,
            const gdl::StopSignal& stop) {
  const std::size_t before = known.size() - (over && !known.empty() ? 1 : 0);
  if (belief.follow(std::span(known).first(before), stop) != gdl::Status::Ok) return false;
  return before == known.size() ||
         belief.advance(known.back(), stop, MatchPhase::IsOver) == gdl::Status::Ok;
}

std::string counted(std::size_t count, const std::string& noun) {
  if (count == 1) return "1 " + noun;
  const bool y = noun.ends_with('y');
  return std::to_string(count) + " " + (y ? noun.substr(0, noun.size() - 1) + "ies" : noun + "s");
}

}  // namespace

RoleKnowledge::RoleKnowledge(const Position& position,
                             const std::shared_ptr<const gdl::Machine>& machine,
                             gdl::RoleIndex role, gdl::MemoryBudget* memory,
                             const gdl::StopSignal& stop)
    : role_(machine->role_name(role)) {
  const auto& known = position.known(role);
  for (const KnownTurn& turn : known) {
    turns_.push_back({position.move_text(turn.own), percept_names(position.vocabulary(), turn)});
  }
  Belief belief(machine, role, {.memory = memory});
  if (!follow(belief, known, position.terminal(), stop) || belief.size() == 0) return;
  found_ = true;
  exact_ = belief.exact();
  overflows_ = belief.overflows();
  histories_ = belief.size();
  const auto context = machine->make_context({&stop, memory});
  std::map<std::vector<std::uint64_t>, double> weights;  // by the words of states
  for (std::size_t i = 0; i < belief.size(); ++i) {
    const auto words = belief.state(i).words();
    weights[{words.begin(), words.end()}] += belief.weight(i);
  }
  for (const auto& [words, weight] : weights) {
    states_.emplace_back(weight, machine->brief(*context, gdl::StateView(words)));
  }
  std::ranges::sort(states_, {}, [](const auto& state) {
    return std::pair(-state.first, std::string_view(state.second));
  });
}

void RoleKnowledge::print(std::ostream& out) const {
  const auto shown = [](const std::string& text) { return gdl::printable(text); };
  out << shown(role_) << " knows:\n";
  for (std::size_t turn = 0; turn < turns_.size(); ++turn) {
    out << "  " << turn + 1 << ". " << shown(turns_[turn].move);
    if (!turns_[turn].percepts.empty()) out << "   perceives";
    for (const std::string& percept : turns_[turn].percepts) out << " " << shown(percept);
    out << "\n";
  }
  if (turns_.empty()) out << "  the initial state\n";
  if (!found_) {
    out << "what fits that was not found\n";
    return;
  }
  if (!overflows_) {
    out << (exact_ ? "" : "at least ") << counted(histories_, "history")
        << (histories_ == 1 ? " fits: " : " fit: ") << counted(states_.size(), "state") << "\n";
  } else {
    out << "more histories fit than are counted; of " << histories_ << " of them "
        << counted(states_.size(), "state") << "\n";
  }
  for (std::size_t i = 0; i < std::min(states_.size(), kStatesShown); ++i) {
    out << "  " << number_text("%5.1f", 100 * states_[i].first) << " %  "
        << shown(states_[i].second) << "\n";
  }
  if (states_.size() > kStatesShown) out << "  ...\n";
}

json::object RoleKnowledge::json() const {
  json::array turns;
  for (const Turn& turn : turns_) {
    turns.push_back({{"move", turn.move},
                     {"percepts", json::array(turn.percepts.begin(), turn.percepts.end())}});
  }
  json::object out{{"role", role_}, {"turns", std::move(turns)}};
  if (!found_) return out;
  out["histories"] = histories_;
  out["states"] = states_.size();
  out["exact"] = exact_;
  return out;
}

}  // namespace ludens::server
