// SPDX-License-Identifier: MIT
#include "gdl/rules/fresh_relations.h"

namespace ludens::gdl {

RelationId FreshRelations::make(std::string_view base, std::uint32_t arity) {
  if (!taken_) find_numbered_atoms();
  std::string name;
  do {
    name = std::string(base) + '_' + std::to_string(++last_);
  } while (taken_->contains(fold_case(name)));
  return rules_.intern_relation(rules_.symbols.intern(name), arity);
}

void FreshRelations::find_numbered_atoms() {
  taken_.emplace();
  const SyntaxTree& tree = *rules_.source;
  for (const NodeIndex form : rules_.forms) {
    for (NodeIndex n = form; n < tree.end(form); ++n) {
      if (!tree.is_atom(n)) continue;
      const std::string_view atom = tree.atom(n);
      const std::size_t number = atom.find_last_not_of("0123456789");
      const bool numbered = number != atom.npos && number + 1 < atom.size() && atom[number] == '_';
      if (numbered) taken_->insert(fold_case(atom));
    }
  }
}

}  // namespace ludens::gdl
