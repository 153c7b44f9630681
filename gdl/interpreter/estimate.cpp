// SPDX-License-Identifier: MIT
#include "gdl/interpreter/estimate.h"

#include <algorithm>
#include <cmath>

namespace ludens::gdl::interpreter {

double Estimate::rows(const Atom& atom, const std::vector<bool>& bound) const {
  const Relation& r = clauses_[atom.relation];
  if (r.stored || r.measured) {
    double rows = r.rows;
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
      const Pattern& p = atom.arguments[i];
      if (is_bound(p, bound)) {
        rows /= r.distinct[i];
      } else if (p.kind == Pattern::Kind::Compound) {
        rows /= 2;
      }
    }
    return r.stored ? rows : std::max(rows, 0.1);
  }
  int free = 0;
  for (const Pattern& p : atom.arguments) free += is_bound(p, bound) ? 0 : 1;
  if (free == 0) return 0.6;
  return std::min(200.0, 2 * std::pow(3.0, free));
}

}  // namespace ludens::gdl::interpreter
