// SPDX-License-Identifier: MIT
#include "search/hidden/histories.h"

#include "gdl/memory/held_memory.h"
#include "search/hidden/known_hash.h"

namespace ludens::search::hidden {

double Histories::choices_of_others(std::size_t i, gdl::RoleIndex role) const {
  double product = 1;
  for (gdl::RoleIndex r = 0; r < roles; ++r) {
    if (r != role) product *= static_cast<double>(legal(i, r).size());
  }
  return product;
}

void Histories::append(const Histories& before, std::size_t i, gdl::JointMove joint,
                       const gdl::Expansion& after, std::size_t pair) {
  states.push_back(after.states[pair]);
  const auto past = before.history(i);
  joints.insert(joints.end(), past.begin(), past.end());
  joints.insert(joints.end(), joint.begin(), joint.end());
  for (gdl::RoleIndex r = 0; r < roles; ++r) {
    const auto legal = after.legal(pair, r, roles);
    moves.insert(moves.end(), legal.begin(), legal.end());
    begin.push_back(moves.size());
  }
  weights.push_back(0);
  chances.push_back(0);
  knowledge.resize(weights.size() * roles, kNothingKnown);
}

void Histories::append(const Histories& others, std::size_t i) {
  states.push_back(others.states[i]);
  const auto past = others.history(i);
  joints.insert(joints.end(), past.begin(), past.end());
  for (gdl::RoleIndex r = 0; r < roles; ++r) {
    const auto legal = others.legal(i, r);
    moves.insert(moves.end(), legal.begin(), legal.end());
    begin.push_back(moves.size());
  }
  weights.push_back(others.weights[i]);
  chances.push_back(others.chances[i]);
  for (gdl::RoleIndex r = 0; r < roles; ++r) knowledge.push_back(others.known_by(i, r));
}

std::size_t Histories::bytes() const {
  std::size_t bytes = gdl::bytes_of(joints, weights, chances, knowledge, moves, begin);
  for (std::size_t i = 0; i < size(); ++i) {
    bytes += states[i].words().size() * sizeof(std::uint64_t) + sizeof(std::size_t);
  }
  return bytes;
}

gdl::Status begin_histories(const gdl::Machine& machine, gdl::Machine::Context& context,
                            Histories& out) {
  out = Histories{.roles = machine.role_count()};
  gdl::State state;
  bool over = false;
  if (const auto s = machine.initial(context, state); s != gdl::Status::Ok) return s;
  if (const auto s = machine.terminal(context, state, over); s != gdl::Status::Ok) return s;
  std::vector<gdl::MoveId> legal;
  for (gdl::RoleIndex r = 0; r < out.roles; ++r) {
    if (!over) {
      if (const auto s = machine.legal(context, state, r, legal); s != gdl::Status::Ok) return s;
      out.moves.insert(out.moves.end(), legal.begin(), legal.end());
    }
    out.begin.push_back(out.moves.size());
  }
  out.states.push_back(state);
  out.weights.push_back(1);
  out.chances.push_back(0);
  out.knowledge.assign(out.roles, kNothingKnown);
  return gdl::Status::Ok;
}

}  // namespace ludens::search::hidden
