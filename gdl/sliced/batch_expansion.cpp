#include <algorithm>
#include <cstring>

#include "gdl/sliced/batches.h"

namespace ludens::gdl {

Status Batches::expand(Machine::Context& context, Scratch& s, std::span<const StateMove> pairs,
                       Expansion& out) const {
  if (!prepare(s, context.limits.memory)) return Status::OverBudget;
  out.states.clear();
  out.terminal.clear();
  out.goals.clear();
  out.moves.clear();
  out.begin.assign(1, 0);
  for (std::size_t first = 0; first < pairs.size(); first += kernel_.lanes) {
    expand_chunk(s, pairs.subspan(first, std::min(kernel_.lanes, pairs.size() - first)), out);
    const StopSignal* stop = context.limits.stop;
    if (stop != nullptr && stop->stop_requested()) return Status::Stopped;
  }
  return Status::Ok;
}

void Batches::expand_chunk(Scratch& s, std::span<const StateMove> pairs, Expansion& out) const {
  const auto fluents = static_cast<std::uint32_t>(program_.fluents.size());
  const std::size_t lane_words = kernel_.lanes / 64;
  void* slots = s.slots.data();
  for (std::size_t l = 0; l < pairs.size(); ++l) s.states[l] = pairs[l].state.words().data();
  kernel_.pack(s.states.data(), pairs.size(), fluents, slots);
  auto* words = static_cast<std::uint64_t*>(slots);
  std::memset(words + program_.first_slot * lane_words, 0, program_.moves.size() * lane_words * 8);
  for (std::size_t l = 0; l < pairs.size(); ++l) {
    for (RoleIndex r = 0; r < pairs[l].move.size(); ++r) {
      const MoveId move = pairs[l].move[r];
      if (move >= move_slots_[r].size() || move_slots_[r][move] >= slots_) continue;
      words[move_slots_[r][move] * lane_words + l % lane_words] |= std::uint64_t{1}
                                                                   << (l / lane_words);
    }
  }
  kernel_.evaluate(phase(0, Phase::Status), slots);
  kernel_.evaluate(phase(0, Phase::Next), slots);
  s.rows.resize(kernel_.lanes * program_.state_words());
  kernel_.unpack(program_.next.data(), fluents, slots, s.rows.data());
  for (std::size_t l = 0; l < pairs.size(); ++l) {
    s.states[l] = s.rows.data() + l * program_.state_words();
    out.states.push_back(StateView(std::span(s.states[l], program_.state_words())));
  }
  kernel_.pack(s.states.data(), pairs.size(), fluents, slots);
  // The moves are no longer needed, and playouts expect them clear.
  std::memset(words + program_.first_slot * lane_words, 0, program_.moves.size() * lane_words * 8);
  kernel_.evaluate(phase(0, Phase::Status), slots);
  kernel_.evaluate(phase(0, Phase::Goals), slots);
  append_results(s, pairs.size(), out);
}

void Batches::append_results(Scratch& s, std::size_t count, Expansion& out) const {
  const auto moves = static_cast<std::uint32_t>(program_.moves.size());
  s.legal_rows.resize(kernel_.lanes * ((moves + 63) / 64));
  kernel_.unpack(legal_edges_.data(), moves, s.slots.data(), s.legal_rows.data());
  const auto status_bits = static_cast<std::uint32_t>(status_edges_.size());
  const std::size_t status_words = (status_bits + 63) / 64;
  s.results.resize(kernel_.lanes * status_words);
  kernel_.unpack(status_edges_.data(), status_bits, s.slots.data(), s.results.data());
  for (std::size_t l = 0; l < count; ++l) {
    const std::uint64_t* row = s.results.data() + l * status_words;
    const bool over = row[0] & 1;
    out.terminal.push_back(over);
    const std::size_t first_goal = out.goals.size();
    out.goals.resize(first_goal + program_.roles(), 0);
    for (std::size_t g = program_.goals.size(); over && g-- > 0;) {  // ascending: the largest stays
      if (row[(g + 1) / 64] >> ((g + 1) % 64) & 1) {
        out.goals[first_goal + program_.goals[g].role] =
            static_cast<std::uint8_t>(program_.goals[g].value);
      }
    }
    append_legal(s, l, over, out);
  }
}

void Batches::append_legal(const Scratch& s, std::size_t lane, bool over, Expansion& out) const {
  const std::size_t row_words = (program_.moves.size() + 63) / 64;
  const std::uint64_t* row = s.legal_rows.data() + lane * row_words;
  std::size_t word = 0;
  std::uint64_t bits = row_words > 0 ? row[0] : 0;
  for (std::size_t r = 0; r < program_.roles(); ++r) {
    while (!over && word < row_words) {
      if (bits == 0) {
        if (++word < row_words) bits = row[word];
        continue;
      }
      const std::size_t m = word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
      if (m >= program_.first_move[r + 1]) break;
      out.moves.push_back(program_.moves[m].id);
      bits &= bits - 1;
    }
    out.begin.push_back(static_cast<std::uint32_t>(out.moves.size()));
  }
}

}  // namespace ludens::gdl
