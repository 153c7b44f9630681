// SPDX-License-Identifier: MIT
// Estimates how many rows a literal gives, to order the literals of a body.
#pragma once

#include <vector>

#include "gdl/interpreter/clauses.h"

namespace ludens::gdl::interpreter {

/// Estimates by the sizes of relations. The clauses must outlive it.
class Estimate {
 public:
  explicit Estimate(const Clauses& clauses) : clauses_(clauses) {}
  /// Expected number of bindings that an atom gives when these variables are bound.
  [[nodiscard]] double rows(const Atom& atom, const std::vector<bool>& bound) const;

 private:
  const Clauses& clauses_;
};

}  // namespace ludens::gdl::interpreter
