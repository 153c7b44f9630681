// SPDX-License-Identifier: MIT
// Interned names. Compared without regard to case, printed as first spelled.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ludens::gdl {

using SymbolId = std::uint32_t;

/// Not thread-safe while names are added; read-only and shareable once the rules are built.
class Symbols {
 public:
  Symbols() = default;
  Symbols(Symbols&&) = default;  // not copied: the index points into the names
  Symbols& operator=(Symbols&&) = default;

  /// A symbol that `intern` and `find` never give, whatever its name.
  SymbolId add_reserved(std::string_view name);
  /// The id of a name; a new one if no known name folds to the same.
  SymbolId intern(std::string_view name);
  [[nodiscard]] std::optional<SymbolId> find(std::string_view name) const;
  /// The name as first spelled.
  [[nodiscard]] const std::string& spelling(SymbolId id) const { return spellings_[id]; }
  /// Whether a constant of this name is spelled `( rock )`, as the rules have it, and not `rock`.
  [[nodiscard]] bool is_listed(SymbolId id) const { return id < listed_.size() && listed_[id]; }
  void set_listed(SymbolId id, bool listed);
  /// The name in lower case.
  [[nodiscard]] const std::string& folded(SymbolId id) const { return folded_[id]; }
  [[nodiscard]] std::size_t size() const { return spellings_.size(); }
  /// Approximately how much memory the names take.
  [[nodiscard]] std::size_t bytes() const { return text_bytes_ + size() * kBytesEach; }

 private:
  /// The size of two strings in their deques, and of an entry of the index with its bucket.
  static constexpr std::size_t kBytesEach = 2 * sizeof(std::string) + 64;

  std::size_t text_bytes_ = 0;                  // of names too long to be stored in the string
                                                // object itself
  std::deque<std::string> spellings_, folded_;  // deque: views into them stay valid
  std::unordered_map<std::string_view, SymbolId> ids_;
  std::vector<bool> listed_;  // by symbol; no entry: false
};

}  // namespace ludens::gdl
