// SPDX-License-Identifier: MIT
// Which values are learned for which roles, and for which movers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/learning/observations.h"
#include "search/learning/table_layout.h"

namespace ludens::search {

/// A learned value is a number in [0, 1], an output. There is a table of weights for each output
/// and each group of movers. Plain data.
struct ValueShape {
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// What a role may expect: `offset + sign * output`, or only the offset. If the goals of two
  /// roles add up to the same in all ends, one output serves both.
  struct Role {
    std::uint32_t output = kNone;
    float sign = 1, offset = 0;
    friend bool operator==(const Role&, const Role&) = default;
  };

  std::vector<Role> roles;
  std::vector<gdl::RoleIndex> learned;  // [output]: the role whose goal it is
  /// [role], and one more for several or none: a group number for each that was seen to choose.
  std::vector<std::uint32_t> group_of_mover;
  std::size_t groups = 0;
  /// States in which role 1 chooses are looked up with exchanged roles, with the weights of role 0;
  /// their values are those of the other role.
  bool exchanges_roles = false;

  friend bool operator==(const ValueShape&, const ValueShape&) = default;

  [[nodiscard]] std::size_t outputs() const { return learned.size(); }
  [[nodiscard]] std::size_t tables() const { return groups * outputs(); }
  [[nodiscard]] bool exchanged(std::size_t mover) const { return exchanges_roles && mover == 1; }
  [[nodiscard]] ValueSource source(std::size_t mover, std::size_t output) const {
    const std::size_t table = group_of_mover[mover] * outputs();
    if (!exchanged(mover)) return {table + output};
    return {table + outputs() - 1 - output, true, outputs() == 1 ? -1.0F : 1.0F};
  }

  /// Whether one role's weights could serve the other one: there are two, both choose, and their
  /// goals are separate or add up to 100.
  [[nodiscard]] bool may_exchange_roles() const;
  void exchange_roles();

  /// `random` has no output, and expects nothing.
  static ValueShape of(const gdl::Machine& machine, const Observations& seen);
};

}  // namespace ludens::search
