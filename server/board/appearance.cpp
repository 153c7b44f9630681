// SPDX-License-Identifier: MIT
#include "server/board/appearance.h"
#include "server/board/fact.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace ludens::server {

namespace {

using Shape = Appearance::Shape;
using Words = std::vector<std::string>;

constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kColours{
    {{"white", "white"},
     {"black", "black"},
     {"red", "red"},
     {"orange", "orange"},
     {"yellow", "yellow"},
     {"gold", "yellow"},
     {"green", "green"},
     {"teal", "teal"},
     {"cyan", "teal"},
     {"blue", "blue"},
     {"purple", "purple"},
     {"violet", "purple"},
     {"pink", "pink"},
     {"magenta", "pink"},
     {"brown", "brown"},
     {"grey", "grey"},
     {"gray", "grey"},
     {"silver", "grey"}}};

/// The colours of sides without one of their own, and of things that belong to no side.
constexpr std::array<std::string_view, 8> kSideColours{"blue",   "red",  "green", "orange",
                                                       "purple", "teal", "pink",  "brown"};
constexpr std::array<std::string_view, 4> kTileColours{"grey", "brown", "teal", "purple"};

/// Filled signs; pages colour them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kChess{{{"king", "\u265A"},
                                                                               {"queen", "\u265B"},
                                                                               {"rook", "\u265C"},
                                                                               {"bishop", "\u265D"},
                                                                               {"knight", "\u265E"},
                                                                               {"pawn", "\u265F"}}};
constexpr std::string_view kChessLetters = "kqrbnp";  // in that order

/// What fills a square permanently, and what lies there until a player takes it.
constexpr std::array<std::string_view, 6> kBlocks{"wall",     "block", "blocked",
                                                  "obstacle", "hole",  "water"};
constexpr std::array<std::string_view, 6> kCrumbs{"pellet", "food", "coin", "crumb", "dot", "gold"};

constexpr double kCrumbSize = 0.4;

bool is_one_of(std::span<const std::string_view> words, const std::string& name) {
  return std::find(words.begin(), words.end(), name) != words.end();
}

/// The words of a name: `white_king`, `white king`; numbers are separated from letters.
Words words_of(const std::string& name) {
  Words words(1);
  for (const char c : name) {
    if (c == '_' || c == '-' || c == ' ') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  std::erase(words, "");
  return words;
}

std::optional<std::string> colour_named(const std::string& name) {
  for (const std::string& word : words_of(name)) {
    for (const auto& [known, colour] : kColours) {
      // `redplayer`, `whitepawn`: a colour in front of something longer.
      const bool front = word.size() >= known.size() + 3 && word.starts_with(known);
      if (word == known || front) return std::string(colour);
    }
  }
  return std::nullopt;
}

std::string upper_initial(const std::string& text) {
  return text.empty()
             ? text
             : std::string(1, static_cast<char>(std::toupper(static_cast<unsigned char>(text[0]))));
}

/// Noughts and crosses, as contents and as roles.
std::optional<Shape> mark(const std::string& name) {
  if (name == "x" || name == "xplayer") return Shape::Cross;
  if (name == "o" || name == "oplayer") return Shape::Ring;
  return std::nullopt;
}

/// The parts of a thing's name: its owner and its kind.
struct OwnedPiece {
  std::string side;    // a role, a word that names a colour, or a letter; empty: no side's
  std::string colour;  // of the side
  std::string piece;   // the rest; empty: just a stone of the side
};

class AppearanceChooser {
 public:
  AppearanceChooser(const BoardLayout& layout, const Symbols& symbols,
                    const std::vector<Fact>& initial, const std::vector<std::string>& roles,
                    const std::map<std::string, std::string>& owners)
      : layout_(layout),
        symbols_(symbols),
        roles_(roles),
        owners_(owners),
        colours_(role_colours(roles)) {
    for (const auto& [name, sign] : symbols.by_name) {
      if (name != symbols.empty_name) things_.push_back(name);
    }
    count(initial);
    single_letters_ = are_role_letters();
    short_sides_ = have_short_sides();
    find_chess(initial);
    find_plain_piece(initial);
  }

  [[nodiscard]] std::map<std::string, Appearance> choose() {
    std::map<std::string, Appearance> appearances;
    for (const std::string& thing : things_) {
      appearances[thing] = appearance(thing);
      const std::string side = owned(thing).side;
      if (colours_.contains(side)) appearances[thing].role = side;
    }
    if (!symbols_.empty_name.empty())
      appearances[symbols_.empty_name] = {Shape::Nothing, "grey", ""};
    return appearances;
  }

 private:
  [[nodiscard]] bool is_overlay(const std::string& thing) const {
    return std::any_of(layout_.placements.begin(), layout_.placements.end(),
                       [&](const Placement& p) {
                         return !p.board && (thing == p.name || thing.starts_with(p.name + " "));
                       });
  }
  /// A thing that is there once initially, if most squares are empty, is a side's piece and not
  /// ground.
  void count(const std::vector<Fact>& initial) {
    std::map<std::string, int> times;
    for (const Fact& fact : initial) {
      for (const Placement& p : layout_.placements) {
        if (p.name == fact.name && p.arity == fact.arguments.size()) ++times[thing_name(p, fact)];
      }
    }
    for (const auto& [thing, count] : times) {
      if (count == 1) singles_.insert(thing);
    }
  }
  [[nodiscard]] std::optional<std::string> role_of_letter(char letter) const {
    for (const std::string& role : roles_) {
      if (role[0] == letter) return role;
    }
    return std::nullopt;
  }
  /// `r` and `b`: all things are first letters of roles.
  [[nodiscard]] bool are_role_letters() const {
    std::size_t letters = 0;
    for (const std::string& thing : things_) {
      if (is_overlay(thing)) continue;
      if (thing.size() != 1 || !role_of_letter(thing[0])) return false;
      ++letters;
    }
    return letters >= 2;
  }
  /// `wp bp wk bk`: all things are a side's letter with something after it; either all sides have
  /// the same number of things, or all letters are those of roles.
  [[nodiscard]] bool have_short_sides() const {
    std::map<char, int> sides;
    for (const std::string& thing : things_) {
      if (is_overlay(thing)) continue;
      if (thing.size() < 2 || thing.size() > 4 || is_number(thing.substr(0, 1))) return false;
      if (thing.find(' ') != std::string::npos || colour_named(thing)) return false;
      ++sides[thing[0]];
    }
    const auto all = [&](auto test) { return std::all_of(sides.begin(), sides.end(), test); };
    return sides.size() >= 2 && sides.size() <= 4 &&
           (all([&](auto& s) { return s.second == sides.begin()->second; }) ||
            all([&](auto& s) { return role_of_letter(s.first).has_value(); }));
  }
  /// The only role whose letter no side has, for the only side whose letter no role has: men that
  /// are called white but belong to red.
  [[nodiscard]] std::optional<std::string> role_left_over(char letter) const {
    std::set<char> letters;
    for (const std::string& thing : things_) {
      if (!is_overlay(thing)) letters.insert(thing[0]);
    }
    const auto sides = std::count_if(letters.begin(), letters.end(),
                                     [&](char l) { return !role_of_letter(l).has_value(); });
    std::optional<std::string> only;
    for (const std::string& role : roles_) {
      if (letters.contains(role[0])) continue;
      if (only) return std::nullopt;
      only = role;
    }
    return sides == 1 && letters.size() > 1 && !role_of_letter(letter) ? only : std::nullopt;
  }
  [[nodiscard]] std::string colour_of_letter(char letter) const {
    if (const auto role = role_of_letter(letter)) return colours_.at(*role);
    if (const auto role = role_left_over(letter)) return colours_.at(*role);
    for (const auto& [known, colour] : kColours) {
      if (known[0] == letter) return std::string(colour);
    }
    return "grey";
  }
  [[nodiscard]] OwnedPiece owned(const std::string& thing) const {
    if (short_sides_ && !is_overlay(thing)) {
      return {thing.substr(0, 1), colour_of_letter(thing[0]), thing.substr(1)};
    }
    const auto lettered = single_letters_ ? role_of_letter(thing[0]) : std::nullopt;
    if (lettered && thing.size() == 1) return {*lettered, colours_.at(*lettered), ""};
    std::string name = thing;
    for (const Placement& p : layout_.placements) {
      if (is_overlay(thing) && name.starts_with(p.name + " ")) name.erase(0, p.name.size() + 1);
    }
    for (const std::string& role : roles_) {
      if (!name.starts_with(role)) continue;
      std::string rest = name.substr(role.size());
      rest.erase(0, std::min(rest.find_first_not_of("_- "), rest.size()));
      const bool parted = rest.size() + role.size() < name.size() || rest.size() > 2;
      if (rest.empty() || parted) return {role, colours_.at(role), rest};
    }
    const auto colour = colour_named(name);
    const auto owner = owners_.find(thing);
    if (!colour && owner != owners_.end() && colours_.contains(owner->second)) {
      return {owner->second, colours_.at(owner->second), name};
    }
    if (!colour) return {"", "", name};
    Words rest = words_of(name);
    std::erase_if(rest, [](const std::string& word) { return colour_named(word).has_value(); });
    return {*colour, *colour, rest.empty() ? "" : rest.front()};
  }

  /// `wk` is a chess piece if there are many kinds of pieces, or none of the kinds of other games,
  /// or one king a side at the start (in checkers, kings come later).
  void find_chess(const std::vector<Fact>& initial) {
    std::set<char> kinds, sides;
    bool all = true;
    for (const std::string& thing : things_) {
      if (is_overlay(thing)) continue;
      const bool chess =
          thing.size() == 2 && kChessLetters.find(thing[1]) != std::string_view::npos;
      all &= chess && (thing[0] == 'w' || thing[0] == 'b');
      if (chess && (short_sides_ || all)) kinds.insert(thing[1]);
      sides.insert(thing[0]);
    }
    const bool only_chess = !kinds.contains('k') && !kinds.contains('p');
    chess_letters_ = kinds.size() >= 4 ||
                     (all && !kinds.empty() && (only_chess || kings(initial) == sides.size()));
    short_sides_ |= chess_letters_;
  }
  [[nodiscard]] std::size_t kings(const std::vector<Fact>& initial) const {
    const Placement& board = layout_.placements.front();
    std::size_t count = 0;
    for (const Fact& fact : initial) {
      if (fact.name != board.name || fact.arguments.size() != board.arity) continue;
      const std::string thing = thing_name(board, fact);
      if (thing == "wk" || thing == "bk") ++count;
    }
    return count;
  }
  void find_plain_piece(const std::vector<Fact>& initial) {
    std::set<std::string> there, all;
    for (const std::string& thing : things_) {
      const OwnedPiece parts = owned(thing);
      if (!is_overlay(thing) && !parts.side.empty()) all.insert(parts.piece);
    }
    const Placement& board = layout_.placements.front();
    for (const Fact& fact : initial) {
      if (fact.name != board.name || fact.arguments.size() != board.arity) continue;
      const std::string thing = thing_name(board, fact);
      const OwnedPiece parts = owned(thing);
      if (thing != symbols_.empty_name && !parts.side.empty()) there.insert(parts.piece);
    }
    if (there.size() == 1) plain_ = *there.begin();
    if (all.size() == 1) plain_ = *all.begin();
  }
  [[nodiscard]] std::optional<std::string> chess_sign(const std::string& piece) const {
    for (std::size_t i = 0; i < kChess.size(); ++i) {
      if (piece == kChess[i].first) return std::string(kChess[i].second);
      if (chess_letters_ && !piece.empty() && piece[0] == kChessLetters[i]) {
        return std::string(kChess[i].second);
      }
    }
    return std::nullopt;
  }

  Appearance appearance(const std::string& thing) {
    const auto known_sign = symbols_.by_name.find(thing);
    if (is_number(thing)) return {Shape::Text, "grey", thing};
    if (layout_.counts && known_sign != symbols_.by_name.end()) {
      return {Shape::Text, "grey", known_sign->second};
    }
    const OwnedPiece parts = owned(thing);
    if (const auto shape = mark(thing)) {
      const std::string other = *shape == Shape::Cross ? "blue" : "red";
      return {*shape, parts.side.empty() ? other : parts.colour, ""};
    }
    const std::string word = words_of(thing).empty() ? thing : words_of(thing).back();
    if (is_one_of(kBlocks, word)) return {Shape::Tile, "brown", ""};
    if (is_one_of(kCrumbs, word)) return {Shape::Disc, "yellow", "", kCrumbSize};
    if (const auto sign = chess_sign(parts.piece)) {
      return {Shape::Chess, parts.side.empty() ? "black" : parts.colour, *sign};
    }
    if (!parts.side.empty()) return stone(parts);
    if (is_overlay(thing) && thing.find(' ') == std::string::npos) {
      return {Shape::Ring, "orange", ""};
    }
    const auto others = std::count_if(things_.begin(), things_.end(),
                                      [&](const std::string& t) { return !is_overlay(t); });
    if (thing == "on" || thing == "light" || thing == "lit") return {Shape::Tile, "yellow", ""};
    if (others == 1 && thing.size() > 1) return {Shape::Disc, "blue", ""};
    const auto sign = symbols_.by_name.find(thing);
    const bool piece = singles_.contains(thing) && symbols_.empty_name.empty();
    return {piece ? Shape::Disc : Shape::Tile,
            std::string(kTileColours[tiles_++ % kTileColours.size()]),
            sign != symbols_.by_name.end() ? sign->second : thing};
  }
  /// The look of a side's own things. A role whose name contains no colour shows its letter.
  [[nodiscard]] Appearance stone(const OwnedPiece& parts) const {
    std::string text;
    if (parts.piece != plain_) {
      text = parts.piece.size() <= 2 ? parts.piece : upper_initial(parts.piece);
    }
    if (text.size() == 1) text = upper_initial(text);
    if (const auto shape = mark(parts.side); shape && text.empty())
      return {*shape, parts.colour, ""};
    const bool says_nothing = parts.piece.empty() && !colour_named(parts.side) && !short_sides_;
    return {Shape::Disc, parts.colour, says_nothing ? upper_initial(parts.side) : text};
  }

  const BoardLayout& layout_;
  const Symbols& symbols_;
  const std::vector<std::string>& roles_;
  const std::map<std::string, std::string>& owners_;
  std::map<std::string, std::string> colours_;
  std::vector<std::string> things_;  // without the empty one
  std::set<std::string> singles_;
  bool single_letters_ = false;
  bool short_sides_ = false;
  bool chess_letters_ = false;
  std::string plain_;
  std::size_t tiles_ = 0;
};

}  // namespace

std::map<std::string, std::string> role_colours(const std::vector<std::string>& roles) {
  std::map<std::string, std::string> colours;
  std::set<std::string> taken;
  for (const std::string& role : roles) {
    if (const auto colour = colour_named(role)) taken.insert(colours[role] = *colour);
  }
  for (const std::string& role : roles) {
    if (colours.contains(role)) continue;
    if (role == "random") {
      colours[role] = "grey";
      continue;
    }
    const auto free = std::find_if(kSideColours.begin(), kSideColours.end(), [&](auto colour) {
      return !taken.contains(std::string(colour));
    });
    colours[role] = free == kSideColours.end() ? "grey" : std::string(*free);
    taken.insert(colours[role]);
  }
  return colours;
}

std::optional<std::string> colour_of_word(const std::string& word) {
  for (const auto& [known, colour] : kColours) {
    if (word == known) return std::string(colour);
  }
  return std::nullopt;
}

void show_sizes(const std::vector<std::string>& things, const Symbols& symbols,
                std::map<std::string, Appearance>& appearances) {
  for (std::size_t i = 0; i < things.size(); ++i) {
    const double size =
        0.35 + 0.65 * static_cast<double>(i + 1) / static_cast<double>(things.size());
    const auto sign = symbols.by_name.find(things[i]);
    appearances[things[i]] = {Shape::Tile, std::string(kSideColours[i % kSideColours.size()]),
                              sign != symbols.by_name.end() ? sign->second : things[i], size};
  }
}

std::map<std::string, Appearance> choose_appearances(
    const BoardLayout& layout, const Symbols& symbols, const std::vector<Fact>& initial,
    const std::vector<std::string>& roles, const std::map<std::string, std::string>& owners) {
  return AppearanceChooser(layout, symbols, initial, roles, owners).choose();
}

}  // namespace ludens::server
