// SPDX-License-Identifier: MIT
// Replacing variables in terms.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gdl/rules/terms.h"

namespace ludens::gdl {

/// What stands for each variable. Without recursion, and in time of the distinct subterms. One
/// thread; the store grows by the terms that are built.
class Substitution {
 public:
  /// Follow: what a variable is replaced by is substituted in turn (the bindings must have no
  /// cycle). Once: it stands as it is, as in a renaming.
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
