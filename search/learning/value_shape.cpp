// SPDX-License-Identifier: MIT
#include "search/learning/value_shape.h"

#include <optional>

namespace ludens::search {

namespace {

/// The sum of the goals of two roles in all ends seen; nullopt if it varies.
std::optional<int> sum_of_goals(const Observations& seen, std::size_t roles, gdl::RoleIndex one,
                                gdl::RoleIndex other) {
  std::optional<int> sum;
  for (std::size_t end = 0; end < seen.goals().size(); end += roles) {
    const int here = seen.goals()[end + one] + seen.goals()[end + other];
    if (sum && *sum != here) return std::nullopt;
    sum = here;
  }
  return sum;
}

}  // namespace

ValueShape ValueShape::of(const gdl::Machine& machine, const Observations& seen) {
  ValueShape shape;
  const std::size_t roles = machine.role_count();
  shape.roles.resize(roles);
  for (gdl::RoleIndex r = 0; r < roles; ++r) {
    if (r == machine.random_role()) continue;
    shape.roles[r].output = static_cast<std::uint32_t>(shape.learned.size());
    shape.learned.push_back(r);
  }
  if (shape.learned.size() == 2) {
    if (const auto sum = sum_of_goals(seen, roles, shape.learned[0], shape.learned[1])) {
      shape.roles[shape.learned[1]] = {0, -1, static_cast<float>(*sum) / 100};
      shape.learned.pop_back();
    }
  }
  // A role that was never seen to choose shares the weights of "several or none", or otherwise of
  // the first role.
  std::vector<bool> own = seen.chose();
  for (gdl::RoleIndex r = 0; r < roles; ++r) {
    shape.group_of_mover.push_back(own[r] ? static_cast<std::uint32_t>(shape.groups++) : kNone);
  }
  shape.group_of_mover.push_back(own[roles] ? static_cast<std::uint32_t>(shape.groups++) : 0);
  for (std::uint32_t& group : shape.group_of_mover) {
    if (group == kNone) group = shape.group_of_mover.back();
  }
  return shape;
}

bool ValueShape::may_exchange_roles() const {
  return roles.size() == 2 && group_of_mover[0] != group_of_mover[1] &&
         (outputs() == 2 || (outputs() == 1 && roles[1].offset == 1));
}

void ValueShape::exchange_roles() {
  exchanges_roles = true;
  const bool several = group_of_mover[2] > 1;
  group_of_mover = {0, 0, several ? 1U : 0U};
  groups = several ? 2 : 1;
}

}  // namespace ludens::search
