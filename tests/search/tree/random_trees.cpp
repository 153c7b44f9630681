// SPDX-License-Identifier: MIT
#include "tests/search/tree/random_trees.h"

#include <stdexcept>

namespace ludens::search {

namespace {

class TreeWriter {
 public:
  TreeWriter(const RandomTreeShape& shape, gdl::Rng& rng) : shape_(shape), rng_(rng) {}

  std::string node(std::uint32_t levels) {
    if (levels == 0) return leaf();
    const auto roles = static_cast<std::uint32_t>(shape_.roles.size());
    if (rng_.below(100) < shape_.simultaneous) return joint_node(levels);
    std::string text = "(" + shape_.roles[rng_.below(roles)];
    for (std::uint32_t i = 1 + rng_.below(shape_.width); i > 0; --i) text += child(levels);
    return text + ")";
  }

 private:
  std::string child(std::uint32_t levels) {
    const std::uint32_t shorter = rng_.below(4) == 0 ? rng_.below(levels) : levels - 1;
    return " " + node(shorter);
  }

  std::string joint_node(std::uint32_t levels) {
    std::vector<std::uint32_t> counts;
    std::uint32_t all = 1;
    for (std::size_t role = 0; role < shape_.roles.size(); ++role) {
      counts.push_back(1 + rng_.below(3));
      all *= counts.back();
    }
    std::string text = "(*";
    for (std::uint32_t i = 0; i < all; ++i) {
      text += " (";
      std::uint32_t rest = i;
      for (const std::uint32_t count : counts) {
        text += "m" + std::to_string(rest % count) + " ";
        rest /= count;
      }
      text += ")" + child(levels);
    }
    return text + ")";
  }

  std::string leaf() {
    const std::uint32_t step = shape_.goals > 1 ? 100 / (shape_.goals - 1) : 0;
    if (shape_.fixed_sum) return std::to_string(step * rng_.below(shape_.goals));
    std::string text = "(";
    for (const std::string& role : shape_.roles) {
      if (role != "random") text += std::to_string(step * rng_.below(shape_.goals)) + " ";
    }
    return text + ")";
  }

  const RandomTreeShape& shape_;
  gdl::Rng& rng_;
};

void require(gdl::Status status) {
  if (status != gdl::Status::Ok) throw std::runtime_error("the machine did not answer");
}

Values enumerate_from(const gdl::Machine& machine, gdl::Machine::Context& context,
                      gdl::StateView state, const Combine& combine) {
  const std::size_t roles = machine.role_count();
  bool terminal = false;
  require(machine.terminal(context, state, terminal));
  if (terminal) {
    std::vector<int> goals(roles);
    require(machine.goals(context, state, goals));
    return {goals.begin(), goals.end()};
  }
  std::vector<std::vector<gdl::MoveId>> legal(roles);
  std::vector<std::size_t> counts;
  std::size_t all = 1;
  for (std::size_t role = 0; role < roles; ++role) {
    require(machine.legal(context, state, static_cast<gdl::RoleIndex>(role), legal[role]));
    counts.push_back(legal[role].size());
    all *= legal[role].size();
  }
  std::vector<Values> successors;
  for (std::size_t i = 0; i < all; ++i) {
    std::vector<gdl::MoveId> joint(roles);
    std::size_t rest = i;
    for (std::size_t role = roles; role-- > 0; rest /= counts[role]) {
      joint[role] = legal[role][rest % counts[role]];
    }
    gdl::State next;
    require(machine.next(context, state, joint, next));
    successors.push_back(enumerate_from(machine, context, next, combine));
  }
  return combine(counts, successors);
}

}  // namespace

std::string random_tree(const RandomTreeShape& shape, gdl::Rng& rng) {
  std::string text = "(roles";
  for (const std::string& role : shape.roles) text += " " + role;
  return text + ") " + TreeWriter(shape, rng).node(1 + rng.below(shape.depth));
}

Values enumerate(const gdl::Machine& machine, const Combine& combine) {
  const auto context = machine.make_context({});
  gdl::State state;
  require(machine.initial(*context, state));
  return enumerate_from(machine, *context, state, combine);
}

}  // namespace ludens::search
