// SPDX-License-Identifier: MIT
#include "search/mcts/ngrams.h"

namespace ludens::search::mcts {

namespace {

constexpr float kPriorDescents = 8;  // descents, as good as others
/// With more descents, older ones fade: a float can't count many more one by one.
constexpr float kMostDescents = 1 << 20;
/// For an edge: the first visits say something about the pair, later ones about this position.
constexpr std::uint32_t kMostVisits = 16;

}  // namespace

void NGrams::Count::add(float more_descents, float more_gain) {
  if (descents >= kMostDescents) {
    descents /= 2;
    gain /= 2;
  }
  descents += more_descents;
  gain += more_gain;
}

void NGrams::add(const Turn& before, const Turn& turn, float descents, float gain) {
  if (rows_.size() <= turn.role) rows_.resize(turn.role + 1);
  auto& row = rows_[turn.role];
  if (row.size() <= turn.move) row.resize(turn.move + 1);
  row[turn.move].add(descents, gain);

  const std::uint64_t its_key = key(key(before), turn);
  Pair& pair = pairs_[slot_of(its_key)];
  if (pair.tag != tag_of(its_key)) {
    pair.count.descents /= 2;
    pair.count.gain /= 2;
    if (pair.count.descents >= 1) return;
    pair = {tag_of(its_key), {}};
  }
  pair.count.add(descents, gain);
}

void NGrams::learn(Graph& graph, Descents& descents) {
  for (std::uint32_t i = 0; i < descents.groups.size(); ++i) {
    const Descents::Group& part = descents.groups[i];
    if (part.above == Descents::kNoGroup || part.code == Graph::kNoPlace) continue;
    const auto& before = descents.path(part.above).last;
    const auto& turn = descents.path(i).last;
    if (!before || !turn) continue;
    Node& node = graph[descents.groups[part.above].node];
    const Hold held = graph.hold(node);
    if (!node.decides(turn->role)) continue;
    if (graph.edges(node, turn->role)[part.code].visits > kMostVisits) continue;
    double won = 0;
    for (const std::uint32_t member : Descents::members(part))
      won += descents.value(member)[turn->role];
    const auto count = static_cast<float>(part.count);
    add(*before, *turn, count, static_cast<float>(won) - count * node.mean(turn->role));
  }
}

float NGrams::expected_gain(const Count& anywhere, std::uint64_t its_key) const {
  const float usual = anywhere.gain / (anywhere.descents + kPriorDescents);
  const Pair& pair = pairs_[slot_of(its_key)];
  if (pair.tag != tag_of(its_key)) return trust_ * usual;
  return trust_ * (pair.count.gain + kPriorDescents * usual) /
         (pair.count.descents + kPriorDescents);
}

float NGrams::expected_gain(const Turn& before, const Turn& turn) const {
  if (turn.role >= rows_.size() || turn.move >= rows_[turn.role].size()) return 0;
  return expected_gain(rows_[turn.role][turn.move], key(key(before), turn));
}

void NGrams::expect(const Turn& before, const Node& node, gdl::RoleIndex role, std::uint32_t first,
                    std::vector<float>& gains) const {
  const std::uint64_t key_before = key(before);
  const std::uint32_t count = node.move_count(role) - first;
  gains.assign(count, 0);
  if (role >= rows_.size()) return;
  const std::span<const Count> row(rows_[role]);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Turn turn{role, node.move(role, first + i)};
    if (turn.move < row.size()) gains[i] = expected_gain(row[turn.move], key(key_before, turn));
  }
}

}  // namespace ludens::search::mcts
