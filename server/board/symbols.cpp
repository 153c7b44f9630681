// SPDX-License-Identifier: MIT
// Chooses a symbol for each thing on a board.
#include "server/board/findings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

namespace ludens::server {

namespace {

/// If there are more things than this, their signs come from their own letters only, without a
/// legend.
constexpr std::size_t kMaxThings = 256;
/// Letters for more names than this would not help.
constexpr std::size_t kMaxLetters = 64;

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// Every name that a placement can put on a square; empty if there are too many.
std::vector<std::string> possible_things(const Placement& placement, const FluentShape& shape) {
  std::vector<Fact> facts{{shape.name, std::vector<std::string>(shape.arguments.size())}};
  for (const std::size_t k : placement.content) {
    std::vector<Fact> longer;
    for (const Fact& fact : facts) {
      for (const std::string& value : shape.arguments[k]) {
        longer.push_back(fact);
        longer.back().arguments[k] = value;
      }
    }
    if (longer.size() > kMaxThings || longer.empty()) return {};
    facts = std::move(longer);
  }
  std::vector<std::string> names;
  for (const Fact& fact : facts) names.push_back(thing_name(placement, fact));
  return names;
}

/// The things of the board itself, or of the fluents that lie on it.
std::vector<std::string> all_things(const BoardLayout& layout,
                                    const std::vector<FluentShape>& shapes, bool of_board) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const Placement& placement : layout.placements) {
    if (placement.board != of_board) continue;
    for (const FluentShape& shape : shapes) {
      if (shape.name != placement.name || shape.arguments.size() != placement.arity) continue;
      for (std::string& name : possible_things(placement, shape)) {
        if (known.insert(name).second) names.push_back(std::move(name));
      }
    }
  }
  return names;
}

/// A thing whose name says that nothing is there, even if no square holds it initially; otherwise
/// what most squares hold then, unless it is named like a role. `b` and `e` may be short for
/// anything, and count only among equally frequent things.
std::string empty_thing(const BoardLayout& layout, const std::vector<std::string>& possible,
                        const std::vector<Fact>& initial, const std::vector<std::string>& roles) {
  constexpr std::array<std::string_view, 10> kNothing{"blank", "empty", "clear",     "none", "nil",
                                                      "off",   "free",  "available", "b",    "e"};
  const Placement& board = layout.placements.front();
  if (!layout.mostly) return {};
  std::map<std::string, std::size_t> count;
  for (const std::string& name : possible) count.emplace(name, 0);
  for (const Fact& fact : initial) {
    if (fact.name == board.name && fact.arguments.size() == board.arity) {
      ++count[thing_name(board, fact)];
    }
  }
  for (const std::string& role : roles) count.erase(role);
  std::string best;
  std::size_t most = 0;
  for (const auto& [name, times] : count) {
    const bool nothing = std::find(kNothing.begin(), kNothing.end(), name) != kNothing.end();
    if (!layout.complete && !nothing) continue;
    // A thing of one kind is there or not; what is always there is the board itself.
    if (board.content.empty() && !nothing && !layout.constant) continue;
    const std::size_t certain = nothing && name.size() > 1 ? 2 * initial.size() + 2 : 0;
    const std::size_t weight = certain + 2 * times + (nothing ? 1 : 0);
    if (weight > most) best = name;
    most = std::max(most, weight);
  }
  return most >= 3 ? best : std::string{};
}

/// The parts of a name: `white_pawn` or `white pawn`, `wp`. The side is empty if there is none.
struct SidedName {
  std::string side, piece;
};

SidedName split(const std::string& name, const std::vector<std::string>& roles) {
  for (const std::string& role : roles) {
    if (name.size() > role.size() && name.starts_with(role)) {
      const std::size_t piece = name[role.size()] == ' ' || name[role.size()] == '_' ? 1 : 0;
      return {role, name.substr(role.size() + piece)};
    }
  }
  if (name.size() == 2) return {name.substr(0, 1), name.substr(1)};
  const std::size_t gap = name.find_first_of("_ -");
  if (gap == std::string::npos || gap + 1 >= name.size()) return {"", name};
  return {name.substr(0, gap), name.substr(gap + 1)};
}

/// A letter of each name: the first, in lower and then upper case, then the others, then a digit.
/// Knights are n, as chess players write them.
std::map<std::string, std::string> letter_signs(const std::vector<std::string>& names,
                                                bool lower_only, std::set<char> taken,
                                                bool content_first = false) {
  std::map<std::string, std::string> signs;
  if (names.size() > kMaxLetters) return signs;
  for (const std::string& name : names) {
    std::string wishes = name == "knight" ? "n" : "";
    // For things that lie on the board (`at exit`), what it is comes before where it comes from.
    const std::size_t content = content_first ? name.find(' ') + 1 : 0;
    for (const char c : name.substr(content) + name.substr(0, content)) {
      if (std::isalnum(static_cast<unsigned char>(c)))
        wishes += lower_only ? std::string{c} : std::string{c, upper(c)};
    }
    wishes += "0123456789#*+%&$";
    const auto free =
        std::find_if(wishes.begin(), wishes.end(), [&](char c) { return !taken.contains(c); });
    if (free == wishes.end()) continue;
    taken.insert(*free);
    signs[name] = std::string(1, *free);
  }
  return signs;
}

/// `3 black`, `4 red`: the number with the letter of the side. Empty if a name is of another kind.
std::map<std::string, std::string> number_signs(const std::vector<std::string>& names) {
  std::map<std::string, std::string> signs;
  std::map<char, std::string> sides;  // by letter
  for (const std::string& name : names) {
    const std::size_t digits = name.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string::npos || digits > 2 || name[digits] != ' ' ||
        digits + 1 >= name.size()) {
      return {};
    }
    const std::string side = name.substr(digits + 1);
    if (sides.emplace(side[0], side).first->second != side) return {};
    signs[name] = name.substr(0, digits) + side[0];
  }
  return signs;
}

/// `pit3`, `disc12`: the numbers, if all names have the same prefix and a number.
std::map<std::string, std::string> numbered_signs(const std::vector<std::string>& names) {
  std::map<std::string, std::string> signs;
  for (const std::string& name : names) {
    const std::size_t prefix = name.find_last_not_of("0123456789") + 1;
    if (prefix == 0 || prefix == name.size() || name.size() - prefix > 3 ||
        name.substr(0, prefix) != names.front().substr(0, prefix)) {
      return {};
    }
    signs[name] = name.substr(prefix);
  }
  if (names.size() < 3) signs.clear();
  return signs;
}

/// `wp bp wk bk`, `white_pawn black_pawn`, ...: two sides with the same pieces. Each piece has a
/// letter; the first role's side has upper case. Empty if the names are not of this kind.
std::map<std::string, std::string> sided_signs(const std::vector<std::string>& names,
                                               const std::vector<std::string>& roles) {
  std::vector<std::string> sides, pieces;
  const auto add = [](std::vector<std::string>& list, const std::string& word) {
    if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
  };
  for (const std::string& name : names) {
    const SidedName parts = split(name, roles);
    if (parts.side.empty()) return {};
    add(sides, parts.side);
    add(pieces, parts.piece);
  }
  if (sides.size() != 2 || pieces.size() < 2 || names.size() != 2 * pieces.size()) return {};
  const bool second_first = !roles.empty() && roles[0].starts_with(sides[1]);
  const auto letters = letter_signs(pieces, true, {});
  std::map<std::string, std::string> signs;
  for (const std::string& name : names) {
    const SidedName parts = split(name, roles);
    const auto letter = letters.find(parts.piece);
    if (letter == letters.end()) continue;
    const bool first = parts.side == sides[second_first ? 1 : 0];
    signs[name] = std::string(1, first ? upper(letter->second[0]) : letter->second[0]);
  }
  return signs;
}

}  // namespace

Symbols choose_symbols(const BoardLayout& layout, const std::vector<FluentShape>& shapes,
                       const std::vector<Fact>& initial, const std::vector<std::string>& roles) {
  Symbols symbols;
  std::vector<std::string> names = all_things(layout, shapes, true);
  symbols.empty_name = empty_thing(layout, names, initial, roles);
  std::erase(names, symbols.empty_name);
  const bool all_short =
      std::all_of(names.begin(), names.end(), [](const auto& name) { return name.size() <= 2; });
  symbols.by_name = sided_signs(names, roles);
  if (symbols.by_name.empty()) symbols.by_name = number_signs(names);
  if (symbols.by_name.empty()) symbols.by_name = numbered_signs(names);
  if (symbols.by_name.empty() && all_short) {
    for (const std::string& name : names) symbols.by_name[name] = name;
  }
  if (symbols.by_name.empty()) symbols.by_name = letter_signs(names, false, {});
  std::set<char> taken;
  for (const auto& [name, sign] : symbols.by_name) taken.insert(sign.begin(), sign.end());
  symbols.by_name.merge(letter_signs(all_things(layout, shapes, false), false, taken, true));
  if (!symbols.empty_name.empty()) symbols.by_name[symbols.empty_name] = ".";
  return symbols;
}

}  // namespace ludens::server
