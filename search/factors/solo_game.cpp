// SPDX-License-Identifier: MIT
#include "search/factors/solo_game.h"

#include <algorithm>
#include <utility>

#include "gdl/network/solo.h"
#include "gdl/pipeline/pipeline.h"
#include "gdl/rules/read.h"
#include "gdl/sliced/machine_network.h"

namespace ludens::search::factors {

namespace {

constexpr std::uint32_t kNoBit = 0xffffffff;
/// Random plays, and the steps of each.
constexpr int kPlays = 20, kLongestPlay = 1000;
/// Choices of one role that are compared in a state.
constexpr std::size_t kComparedMoves = 32;

/// Names for a game of one role: its rules say nothing but what is called what.
class Names {
 public:
  Names(const gdl::Vocabulary& whole, gdl::RoleIndex role, const gdl::Network& part)
      : whole_(whole.rules()) {
    std::string text = "( role " + whole_.print(whole_.roles[role]) + " )";
    for (const auto& f : part.fluents) text += " ( name " + whole.fluent_name(f.id) + " )";
    for (const auto& m : part.moves) text += " ( name " + whole.move_name(m.id) + " )";
    vocabulary_ = std::make_shared<gdl::Vocabulary>(gdl::read_rules(text).normalised.rules);
  }

  [[nodiscard]] const std::shared_ptr<gdl::Vocabulary>& vocabulary() const { return vocabulary_; }

  /// The same term in the part's own symbols.
  [[nodiscard]] std::vector<std::uint32_t> own(std::vector<std::uint32_t> term) const {
    const gdl::Symbols& symbols = vocabulary_->rules().symbols;
    for (std::size_t i = 0; i < term.size(); ++i) {
      const std::uint32_t compound = term[i] & 1;
      term[i] = *symbols.find(whole_.symbols.spelling(term[i] / 2)) * 2 + compound;
      i += compound;  // the number of arguments
    }
    return term;
  }

 private:
  const gdl::Rules& whole_;
  std::shared_ptr<gdl::Vocabulary> vocabulary_;
};

void note(std::vector<std::uint32_t>& ids, std::uint32_t from, std::uint32_t to) {
  if (from >= ids.size()) ids.resize(from + 1, gdl::kNoMove);
  ids[from] = to;
}

}  // namespace

std::unique_ptr<SoloGame> SoloGame::make(const gdl::Machine& whole, gdl::RoleIndex role,
                                         const gdl::Limits& limits) {
  const gdl::MachineNetwork* network = whole.network();
  if (whole.role_count() < 2 || network == nullptr || network->game() == nullptr) return nullptr;
  std::unique_ptr<SoloGame> game(new SoloGame(whole, role));
  return game->build(limits) ? std::move(game) : nullptr;
}

bool SoloGame::build(const gdl::Limits& limits) {
  auto network = gdl::solo_network(whole_.network()->game()->network, role_, limits.stop);
  if (!network) return false;
  const auto& names = *whole_.vocabulary();
  const Names part(names, role_, *network);
  const auto& vocabulary = part.vocabulary();
  std::vector<std::pair<gdl::FluentId, gdl::FluentId>> fluents;  // of the whole game, of the part
  for (gdl::Network::Fluent& f : network->fluents) {
    const gdl::FluentId own = vocabulary->fluent(part.own(names.fluent_term(f.id)));
    fluents.emplace_back(f.id, own);
    f.id = own;
  }
  for (gdl::Network::Move& m : network->moves) {
    const gdl::MoveId own = vocabulary->move(part.own(names.move_term(m.id)));
    note(to_part_, m.id, own);
    note(to_whole_, own, m.id);
    m.id = own;
  }
  auto game = gdl::improve_network(*std::move(network), vocabulary, limits);
  if (!game) return false;
  std::vector<std::uint32_t> bit_of;  // [fluent of the part]
  for (std::uint32_t i = 0; i < (*game)->network.fluents.size(); ++i) {
    note(bit_of, (*game)->network.fluents[i].id, i);
  }
  for (const auto& [whole, own] : fluents) {
    if (own < bit_of.size() && bit_of[own] != kNoBit) note(bits_, whole, bit_of[own]);
  }
  auto machine = gdl::make_network_machine(vocabulary, *std::move(game), {.limits = limits});
  if (!machine) return false;
  machine_ = *std::move(machine);
  in_whole_ = whole_.make_context({.stop = nullptr, .memory = limits.memory});
  in_part_ = machine_->make_context({.stop = nullptr, .memory = limits.memory});
  return true;
}

gdl::Status SoloGame::project(gdl::StateView whole, gdl::State& out) {
  gdl::Status status = whole_.fluents(*in_whole_, whole, fluents_);
  if (status != gdl::Status::Ok) return status;
  status = machine_->initial(*in_part_, out);
  std::ranges::fill(out.words(), 0);
  for (const gdl::FluentId fluent : fluents_) {
    const std::uint32_t bit = look_up(bits_, fluent);
    if (bit != kNoBit) out.words()[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
  return status;
}

gdl::Status SoloGame::follow(gdl::StateView whole, gdl::JointMove joint, gdl::State& next,
                             bool& as_told, bool& moved) {
  gdl::State before, after, told;
  const gdl::MoveId own = to_part(joint[role_]);
  for (const gdl::Status status :
       {whole_.next(*in_whole_, whole, joint, next), project(whole, before), project(next, after),
        machine_->next(*in_part_, before, {&own, 1}, told)}) {
    if (status != gdl::Status::Ok) return status;
  }
  moved = !(gdl::StateView(before) == gdl::StateView(after));
  as_told = gdl::StateView(after) == gdl::StateView(told);
  if (as_told || moved) return gdl::Status::Ok;
  // Others may take their time, but undo nothing that the role has chosen.
  const gdl::Status status = machine_->legal(*in_part_, before, 0, legal_);
  as_told = legal_.size() == 1;
  return status;
}

bool SoloGame::others_touch_it(gdl::StateView state, const Deadline& deadline, gdl::Rng& rng) {
  in_whole_->limits.stop = in_part_->limits.stop = &deadline;
  bool touched = false;
  for (int play = 0; play < kPlays && !touched; ++play) touched = !play_agrees(state, rng);
  in_whole_->limits.stop = in_part_->limits.stop = nullptr;
  return touched;
}

/// One random play, in which the others' choices are compared in each state.
bool SoloGame::play_agrees(gdl::StateView state, gdl::Rng& rng) {
  std::vector<std::vector<gdl::MoveId>> legal(whole_.role_count());
  std::vector<gdl::MoveId> joint(whole_.role_count());
  gdl::State now(state), next;
  for (int step = 0; step < kLongestPlay; ++step) {
    bool over = false;
    if (whole_.terminal(*in_whole_, now, over) != gdl::Status::Ok) return false;
    if (over) return true;
    for (gdl::RoleIndex r = 0; r < joint.size(); ++r) {
      const gdl::Status status = whole_.legal(*in_whole_, now, r, legal[r]);
      if (status != gdl::Status::Ok || legal[r].empty()) return false;
      joint[r] = legal[r][rng.below(static_cast<std::uint32_t>(legal[r].size()))];
    }
    if (!choices_agree(now, legal, joint, next)) return false;
    now = next;
  }
  return true;
}

/// Whether the part either stays as it is or becomes what it says alone, whatever one of the others
/// chooses instead.
bool SoloGame::choices_agree(gdl::StateView state,
                             const std::vector<std::vector<gdl::MoveId>>& legal,
                             std::vector<gdl::MoveId>& joint, gdl::State& next) {
  bool as_told = false, moved = false;
  for (gdl::RoleIndex r = 0; r < joint.size(); ++r) {
    if (r == role_ || legal[r].size() < 2) continue;
    const gdl::MoveId chosen = joint[r];
    for (std::size_t i = 0; i < std::min(legal[r].size(), kComparedMoves); ++i) {
      joint[r] = legal[r][i];
      if (follow(state, joint, next, as_told, moved) != gdl::Status::Ok || !as_told) return false;
    }
    joint[r] = chosen;
  }
  return follow(state, joint, next, as_told, moved) == gdl::Status::Ok && as_told;
}

}  // namespace ludens::search::factors
