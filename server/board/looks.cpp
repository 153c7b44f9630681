#include "server/board/looks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include "server/board/symbols.h"

namespace ludens::server {

namespace {

using Shape = Look::Shape;
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

/// For sides without a colour of their own, and for things that belong to nobody.
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

/// A name in its words: `white_king`, `white king`, and letters with their number apart.
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

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Noughts and crosses, as contents and as roles.
std::optional<Shape> mark(const std::string& name) {
  if (name == "x" || name == "xplayer") return Shape::Cross;
  if (name == "o" || name == "oplayer") return Shape::Ring;
  return std::nullopt;
}

/// A thing taken apart: whose it is, and what.
struct Owned {
  std::string side;    // a role, or a word that names a colour, or a letter; empty: nobody's
  std::string colour;  // of the side
  std::string piece;   // the rest; empty: just a stone of the side
};

class LookChooser {
 public:
  LookChooser(const BoardLayout& layout, const Symbols& symbols, const std::vector<Fact>& initial,
              const std::vector<std::string>& roles)
      : layout_(layout), symbols_(symbols), roles_(roles), colours_(role_colours(roles)) {
    for (const auto& [name, sign] : symbols.by_name) {
      if (name != symbols.empty_name) things_.push_back(name);
    }
    short_sides_ = have_short_sides();
    find_chess();
    find_plain_piece(initial);
  }

  [[nodiscard]] std::map<std::string, Look> choose() {
    std::map<std::string, Look> looks;
    for (const std::string& thing : things_) looks[thing] = look(thing);
    if (!symbols_.empty_name.empty()) looks[symbols_.empty_name] = {Shape::Nothing, "grey", ""};
    return looks;
  }

 private:
  [[nodiscard]] bool is_overlay(const std::string& thing) const {
    return std::any_of(
        layout_.placements.begin() + 1, layout_.placements.end(),
        [&](const Placement& p) { return thing == p.name || thing.starts_with(p.name + " "); });
  }
  /// `wp bp wk bk`: all things are a side's letter with something behind it.
  [[nodiscard]] bool have_short_sides() const {
    std::map<char, int> sides;
    for (const std::string& thing : things_) {
      if (is_overlay(thing)) continue;
      if (thing.size() < 2 || thing.size() > 4 || is_number(thing.substr(0, 1))) return false;
      if (thing.find(' ') != std::string::npos || colour_named(thing)) return false;
      ++sides[thing[0]];
    }
    return sides.size() >= 2 && sides.size() <= 4 &&
           std::all_of(sides.begin(), sides.end(),
                       [&](auto& s) { return s.second == sides.begin()->second; });
  }
  [[nodiscard]] std::string colour_of_letter(char letter) const {
    for (const std::string& role : roles_) {
      if (role[0] == letter) return colours_.at(role);
    }
    for (const auto& [known, colour] : kColours) {
      if (known[0] == letter) return std::string(colour);
    }
    return "grey";
  }
  [[nodiscard]] Owned owned(const std::string& thing) const {
    if (short_sides_ && !is_overlay(thing)) {
      return {thing.substr(0, 1), colour_of_letter(thing[0]), thing.substr(1)};
    }
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
    if (!colour) return {"", "", name};
    Words rest = words_of(name);
    std::erase_if(rest, [](const std::string& word) { return colour_named(word).has_value(); });
    return {*colour, *colour, rest.empty() ? "" : rest.front()};
  }

  void find_chess() {
    std::set<char> kinds;
    for (const std::string& thing : things_) {
      const std::string piece = owned(thing).piece;
      if (short_sides_ && !is_overlay(thing) &&
          kChessLetters.find(piece[0]) != std::string_view::npos) {
        kinds.insert(piece[0]);
      }
    }
    chess_letters_ = kinds.size() >= 4;
  }
  void find_plain_piece(const std::vector<Fact>& initial) {
    std::set<std::string> there, all;
    for (const std::string& thing : things_) {
      const Owned parts = owned(thing);
      if (!is_overlay(thing) && !parts.side.empty()) all.insert(parts.piece);
    }
    const Placement& board = layout_.placements.front();
    for (const Fact& fact : initial) {
      if (fact.name != board.name || fact.arguments.size() != board.arity) continue;
      const std::string thing = thing_name(board, fact, true);
      const Owned parts = owned(thing);
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

  Look look(const std::string& thing) {
    if (is_number(thing)) return {Shape::Text, "grey", thing};
    const Owned parts = owned(thing);
    if (const auto shape = mark(thing)) {
      const std::string other = *shape == Shape::Cross ? "blue" : "red";
      return {*shape, parts.side.empty() ? other : parts.colour, ""};
    }
    if (const auto sign = chess_sign(parts.piece)) {
      return {Shape::Chess, parts.side.empty() ? "black" : parts.colour, *sign};
    }
    if (!parts.side.empty()) return stone(parts);
    if (is_overlay(thing)) {
      const bool mark_alone = thing.find(' ') == std::string::npos;
      return {mark_alone ? Shape::Ring : Shape::Tile, mark_alone ? "orange" : "grey", ""};
    }
    const auto others = std::count_if(things_.begin(), things_.end(),
                                      [&](const std::string& t) { return !is_overlay(t); });
    if (thing == "on" || thing == "light" || thing == "lit") return {Shape::Tile, "yellow", ""};
    if (others == 1 && thing.size() > 1) return {Shape::Disc, "blue", ""};
    const auto sign = symbols_.by_name.find(thing);
    return {Shape::Tile, std::string(kTileColours[tiles_++ % kTileColours.size()]),
            sign != symbols_.by_name.end() ? sign->second : thing};
  }
  /// A side's own things. A role whose name says no colour shows its letter.
  [[nodiscard]] Look stone(const Owned& parts) const {
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
  std::map<std::string, std::string> colours_;
  std::vector<std::string> things_;  // without the empty one
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

std::map<std::string, Look> choose_looks(const BoardLayout& layout, const Symbols& symbols,
                                         const std::vector<Fact>& initial,
                                         const std::vector<std::string>& roles) {
  return LookChooser(layout, symbols, initial, roles).choose();
}

}  // namespace ludens::server
