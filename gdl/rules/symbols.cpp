// SPDX-License-Identifier: MIT
#include "gdl/rules/symbols.h"

#include "gdl/text/syntax.h"

namespace ludens::gdl {

SymbolId Symbols::intern(std::string_view name) {
  std::string folded = fold_case(name);
  if (const auto found = ids_.find(folded); found != ids_.end()) return found->second;
  const auto id = static_cast<SymbolId>(spellings_.size());
  if (name.size() >= sizeof(std::string) / 2) text_bytes_ += 2 * (name.size() + 16);
  spellings_.emplace_back(name);
  folded_.push_back(std::move(folded));
  ids_.emplace(folded_.back(), id);
  return id;
}

SymbolId Symbols::add_reserved(std::string_view name) {
  const auto id = static_cast<SymbolId>(spellings_.size());
  spellings_.emplace_back(name);
  folded_.push_back(fold_case(name));
  return id;
}

void Symbols::set_listed(SymbolId id, bool listed) {
  if (id >= listed_.size()) {
    if (!listed) return;
    listed_.resize(id + 1);
  }
  listed_[id] = listed;
}

std::optional<SymbolId> Symbols::find(std::string_view name) const {
  const auto found = ids_.find(fold_case(name));
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

}  // namespace ludens::gdl
