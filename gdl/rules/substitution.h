// SPDX-License-Identifier: MIT
// Replaces variables in terms.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gdl/rules/terms.h"

namespace ludens::gdl {

/// Maps each variable to a term. Applying it does not recurse and takes time linear in the number
/// of distinct subterms. For one thread; the store grows by the terms that are built.
class Substitution {
 public:
  /// Follow: what a variable is replaced by is substituted in turn (the bindings must have no
  /// cycle). Once: it is used unchanged, as in a renaming.
  enum class Mode : std::uint8_t { Follow, Once };

  Substitution(Terms& terms, Mode mode) : terms_(terms), mode_(mode) {}

  void bind(std::uint32_t variable, Term image) { images_[variable] = image; }
  Term apply(Term t);

 private:
  bool push_unknown(Term t);
  Term known(Term t) const;

  Terms& terms_;
  Mode mode_;
  std::unordered_map<std::uint32_t, Term> images_;
  std::unordered_map<Term, Term> results_;  // of compounds and followed variables
  std::vector<Term> pending_;
};

}  // namespace ludens::gdl
