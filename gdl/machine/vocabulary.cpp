// SPDX-License-Identifier: MIT
#include "gdl/machine/vocabulary.h"

#include <algorithm>
#include <mutex>

#include "gdl/machine/id_bytes.h"
#include "gdl/memory/hash.h"

namespace ludens::gdl {

namespace {

std::uint64_t hash(GroundTerm term) {
  std::uint64_t h = kHashStart;
  for (const std::uint32_t cell : term) h = mix(h, cell);
  return h;
}

/// Memory is reserved from the budget in steps of this size, because others use it, too.
constexpr std::size_t kChunk = std::size_t{16} << 10;

/// Bytes of a term when it is printed.
std::size_t name_length(const Rules& rules, GroundTerm term) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < term.size(); ++i) {
    const bool compound = (term[i] & 1) != 0;
    const bool list = compound || rules.symbols.is_listed(term[i] / 2);
    bytes += rules.symbols.spelling(term[i] / 2).size() + (list ? 5 : 1);
    if (compound) ++i;
  }
  return bytes;
}

}  // namespace

Vocabulary::Vocabulary(std::shared_ptr<const Rules> rules, std::shared_ptr<MemoryBudget> memory)
    : rules_(std::move(rules)),
      memory_(memory ? std::move(memory) : std::make_shared<MemoryBudget>(kUnbudgetedBytes)) {}

/// Throws if there is no memory. The lock must be held.
void Vocabulary::make_room(GroundTerm term) {
  if (term.size() > kMostCells || name_length(*rules_, term) > kLongestName) {
    throw BudgetExhausted();
  }
  const std::size_t bytes = bytes_of_id(term.size());
  if (!held_.hold(used_ + bytes, memory_.get(), kChunk)) throw BudgetExhausted();
  used_ += bytes;
}

std::optional<std::uint32_t> Vocabulary::find(const Table& table, GroundTerm term) const {
  const auto [first, last] = table.index.equal_range(hash(term));
  for (auto it = first; it != last; ++it) {
    const std::size_t begin = table.begin[it->second], end = table.begin[it->second + 1];
    if (std::ranges::equal(term, std::span(table.cells).subspan(begin, end - begin))) {
      return it->second;
    }
  }
  return std::nullopt;
}

std::uint32_t Vocabulary::intern(Table& table, GroundTerm term) {
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = find(table, term)) return *found;
  }
  const std::unique_lock lock(mutex_);
  if (const auto found = find(table, term)) return *found;  // another thread was faster
  make_room(term);
  const auto id = static_cast<std::uint32_t>(table.begin.size() - 1);
  const auto entry = table.index.emplace(hash(term), id);
  try {
    table.cells.insert(table.cells.end(), term.begin(), term.end());
    table.begin.push_back(table.cells.size());
  } catch (...) {  // no memory: as if it had not been tried
    table.cells.resize(table.begin.back());
    table.index.erase(entry);
    throw;
  }
  return id;
}

std::vector<std::uint32_t> Vocabulary::term(const Table& table, std::uint32_t id) const {
  const std::shared_lock lock(mutex_);
  const auto cells = table.cells.begin();
  return {cells + static_cast<std::ptrdiff_t>(table.begin[id]),
          cells + static_cast<std::ptrdiff_t>(table.begin[id + 1])};
}

FluentId Vocabulary::fluent(GroundTerm term) {
  return intern(fluents_, term);
}

MoveId Vocabulary::move(GroundTerm term) {
  return intern(moves_, term);
}

PerceptId Vocabulary::percept(GroundTerm term) {
  return intern(percepts_, term);
}

std::size_t Vocabulary::fluent_count() const {
  const std::shared_lock lock(mutex_);
  return fluents_.begin.size() - 1;
}

std::size_t Vocabulary::move_count() const {
  const std::shared_lock lock(mutex_);
  return moves_.begin.size() - 1;
}

std::vector<std::uint32_t> Vocabulary::fluent_term(FluentId id) const {
  return term(fluents_, id);
}

std::vector<std::uint32_t> Vocabulary::move_term(MoveId id) const {
  return term(moves_, id);
}

std::string Vocabulary::fluent_name(FluentId id) const {
  return print(*rules_, fluent_term(id));
}

std::string Vocabulary::move_name(MoveId id) const {
  return print(*rules_, move_term(id));
}

std::string Vocabulary::percept_name(PerceptId id) const {
  return print(*rules_, term(percepts_, id));
}

std::string Vocabulary::fluent_text(FluentId id) const {
  return rules_->to_user_language(fluent_name(id));
}

std::string Vocabulary::move_text(MoveId id) const {
  return rules_->to_user_language(move_name(id));
}

std::optional<std::uint32_t> Vocabulary::find(const Table& table, const SyntaxTree& tree,
                                              NodeIndex node) const {
  const auto cells = ground_term(rules_->symbols, tree, node);
  if (!cells) return std::nullopt;
  const std::shared_lock lock(mutex_);
  return find(table, *cells);
}

std::optional<std::uint32_t> Vocabulary::find(const Table& table, std::string_view text) const {
  const ParsedText parsed = parse(rules_->from_user_language(std::string(text)));
  if (!parsed.errors.empty() || parsed.tree.size() == 0) return std::nullopt;
  if (parsed.tree.end(0) != parsed.tree.size()) return std::nullopt;  // more than one term
  return find(table, parsed.tree, 0);
}

std::optional<MoveId> Vocabulary::find_move(const SyntaxTree& tree, NodeIndex node) const {
  return find(moves_, tree, node);
}

std::optional<PerceptId> Vocabulary::find_percept(const SyntaxTree& tree, NodeIndex node) const {
  return find(percepts_, tree, node);
}

std::optional<PerceptId> Vocabulary::find_percept(std::string_view text) const {
  return find(percepts_, text);
}

std::optional<MoveId> Vocabulary::find_move(std::string_view text) const {
  return find(moves_, text);
}

std::optional<FluentId> Vocabulary::find_fluent(std::string_view text) const {
  return find(fluents_, text);
}

std::optional<std::vector<std::uint32_t>> ground_term(const Symbols& symbols,
                                                      const SyntaxTree& tree, NodeIndex node) {
  std::vector<std::uint32_t> cells;  // a subtree is stored in preorder, like ground terms
  for (NodeIndex n = node; n < tree.end(node); ++n) {
    std::size_t arguments = 0;
    if (tree.is_list(n)) {
      arguments = tree.child_count(n);
      if (arguments == 0 || tree.is_list(n + 1)) return std::nullopt;
      --arguments;
      ++n;  // the name
    }
    const auto symbol = symbols.find(tree.atom(n));
    if (!symbol) return std::nullopt;
    cells.push_back(*symbol * 2 + (arguments > 0 ? 1 : 0));
    if (arguments > 0) cells.push_back(static_cast<std::uint32_t>(arguments));
  }
  return cells;
}

std::string print(const Rules& rules, GroundTerm term) {
  std::string text;
  std::vector<std::uint32_t> open;  // arguments still to come, of each open parenthesis
  const auto close = [&] {
    while (!open.empty() && open.back() == 0) {
      text += " )";
      open.pop_back();
    }
  };
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (!text.empty()) text += ' ';
    const std::string& name = rules.symbols.spelling(term[i] / 2);
    if (!open.empty()) --open.back();
    const bool compound = (term[i] & 1) != 0;
    if (compound || rules.symbols.is_listed(term[i] / 2)) {
      text += "( " + name;
      open.push_back(compound ? term[++i] : 0);
    } else {
      text += name;
    }
    close();
  }
  return text;
}

}  // namespace ludens::gdl
