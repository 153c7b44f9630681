// SPDX-License-Identifier: MIT
#include "server/game/notation.h"

#include "gdl/hrf/hrf.h"

namespace ludens::server {

Notation notation_of(const gdl::Rules& rules) {
  return rules.source->is_translated() ? Notation::Hrf : Notation::Prefix;
}

std::string shown_term(Notation notation, const std::string& term) {
  return notation == Notation::Hrf ? gdl::hrf_terms(term) : term;
}

std::string shown_arguments(Notation notation, const std::string& arguments) {
  if (notation == Notation::Prefix || arguments.empty()) return arguments;
  const std::string fact = gdl::hrf_terms("( p " + arguments + " )");
  return fact.substr(2, fact.size() - 3);
}

}  // namespace ludens::server
