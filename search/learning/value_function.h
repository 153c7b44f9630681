// SPDX-License-Identifier: MIT
// A learned value of states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gdl/memory/held_memory.h"
#include "search/learning/movers.h"
#include "search/learning/sibling_sums.h"
#include "search/learning/table_layout.h"
#include "search/learning/tuple_index.h"
#include "search/learning/value_shape.h"

namespace ludens::search {

/// What the roles may expect in a state, evaluated without search. Immutable; any number of threads
/// may read it. It is valid for states of one machine, to which it keeps no reference.
class ValueFunction {
 public:
  /// The parts that all value functions of a learner share.
  struct Parts {
    TupleIndex index;
    TableLayout layout;
    ValueShape shape;
    Movers movers;
  };

  /// `weights`: `shape.tables()` tables of `layout.entries()`. Their memory is released through
  /// `held`, which may be null.
  ValueFunction(std::shared_ptr<const Parts> parts, std::vector<float> weights,
                std::unique_ptr<gdl::HeldMemory> held);

  /// Which role chooses in a state: an argument of `values`.
  [[nodiscard]] const Movers& movers() const { return parts_->movers; }
  [[nodiscard]] std::size_t role_count() const { return parts_->shape.roles.size(); }

  /// Expected goals of all roles in [0, 1] (a goal of 100 is 1; 0 for `random`) of a state that is
  /// not terminal. `mover` is the role that chooses there; role_count() stands for several at once,
  /// or none. `mobility`: what `mobility` (see `mobility.h`) returns for the state.
  void values(std::size_t mover, gdl::StateView state, std::uint16_t mobility,
              std::span<float> out) const;

  /// The same for the children of one state at a time, at less cost. For one thread.
  class Children {
   public:
    explicit Children(const ValueFunction& values)
        : shape_(values.parts_->shape),
          sums_(values.parts_->index, values.parts_->layout, values.weights_.data(),
                shape_.tables()),
          indices_(values.parts_->index.stride()) {}
    /// The parent must stay valid until the next call.
    void begin(gdl::StateView parent) { sums_.begin(parent); }
    void values(std::size_t mover, gdl::StateView child, std::uint16_t mobility,
                std::span<float> out);

   private:
    const ValueShape& shape_;
    SiblingSums sums_;
    std::vector<std::uint16_t> indices_;
  };

 private:
  std::shared_ptr<const Parts> parts_;
  std::vector<float> weights_;
  std::unique_ptr<gdl::HeldMemory> held_;
};

}  // namespace ludens::search
