// SPDX-License-Identifier: MIT
#include "search/learning/renamings.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "search/learning/fluent_shapes.h"

namespace ludens::search {

namespace {

/// Arguments of the board after these stay as they are.
constexpr std::size_t kBoardArguments = 6;
constexpr std::size_t kMostRenamings = 16'384;
/// Most of what is tried leads to fluents that don't exist, and is not shown. In games with many
/// symmetries up to 170,000 steps are made.
constexpr std::size_t kMostSteps = std::size_t{1} << 18;

/// [constant]: its image, in all arguments that are not renamed otherwise.
using ConstantMap = std::map<std::uint32_t, std::uint32_t>;

/// A renaming of a domain of the board.
struct DomainRenaming {
  const ArgumentDomain* domain = nullptr;
  const Renaming* renaming = nullptr;  // null for none
};

/// What happens to the arguments of one shape.
struct Action {
  std::vector<std::size_t> to;            // [argument]: where it goes
  std::vector<DomainRenaming> renamings;  // [argument]: of its constants

  [[nodiscard]] bool moves_nothing() const {
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (to[i] != i || renamings[i].renaming != nullptr) return false;
    }
    return true;
  }
};

class RenamingFinder {
 public:
  using Visit = std::function<bool(const BitPermutation&)>;

  RenamingFinder(const gdl::Vocabulary& vocabulary, const StateBits& bits,
                 const gdl::StopSignal* stop, const Visit& visit)
      : rules_(vocabulary.rules()),
        stop_(stop),
        visit_(visit),
        shapes_(fluent_shapes(vocabulary, bits)) {
    identity_.resize(bits.size());
    std::iota(identity_.begin(), identity_.end(), 0U);
  }

  void exchange_roles(std::span<const std::uint64_t> initial) {
    const auto& roles = rules_.roles;
    const std::uint32_t one = 2 * rules_.terms.value(roles[0]);
    const std::uint32_t other = 2 * rules_.terms.value(roles[1]);
    roles_ = {{one, other}, {other, one}};
    initial_ = initial;
  }

  void find(const std::vector<bool>& board_bits) {
    const auto size = [&](const FluentShape& shape) {
      return std::ranges::count_if(shape.bits, [&](std::uint32_t b) { return board_bits[b]; });
    };
    const auto board = std::ranges::max_element(shapes_, {}, size);
    if (board == shapes_.end() || board->domains.empty()) return;
    std::iter_swap(board, shapes_.begin());
    for (const ArgumentDomain& domain : shapes_[0].domains) {
      if (std::ranges::find(domains_, domain) == domains_.end()) domains_.push_back(domain);
    }
    chosen_.assign(domains_.size(), nullptr);
    choose_renaming(0);
  }

 private:
  /// One renaming or none for each domain of the board. False: no more are wanted.
  bool choose_renaming(std::size_t domain) {
    if (domain == domains_.size()) return rename_board();
    chosen_[domain] = nullptr;
    if (!choose_renaming(domain + 1)) return false;
    for (const Renaming& renaming : domains_[domain].renamings) {
      chosen_[domain] = &renaming;
      if (!choose_renaming(domain + 1)) return false;
    }
    chosen_[domain] = nullptr;
    return true;
  }

  /// False if there were very many steps, or if there is no time for more.
  bool step() { return ++steps_ <= kMostSteps && (stop_ == nullptr || !stop_->stop_requested()); }

  bool rename_board() {
    for (const Action& action : actions_of(shapes_[0], exchanges(shapes_[0]))) {
      if (!step()) return false;
      if (!uses_all_chosen(action)) continue;
      const bool more = with_pieces(action, [&] {
        if (!step()) return false;
        image_ = identity_;
        return !apply(shapes_[0], action) || rename_others(1, action);
      });
      if (!more) return false;
    }
    return true;
  }

  /// Calls `go_on` with the roles' names exchanged, and with pieces renamed in all ways that fit.
  template <typename GoOn>
  bool with_pieces(const Action& action, GoOn go_on) {
    constants_ = roles_;
    const auto argument = argument_of_pieces(action);
    if (!argument) return go_on();
    const auto known = initial_pieces(action, *argument);
    if (!known) return true;
    Constants rest, images;
    for (const std::uint32_t constant : shapes_[0].domains[*argument].constants) {
      if (!known->contains(constant)) rest.push_back(constant);
    }
    std::ranges::sort(rest);
    images = rest;
    do {
      constants_ = roles_;
      constants_.insert(known->begin(), known->end());
      for (std::size_t i = 0; i < rest.size(); ++i) constants_[rest[i]] = images[i];
      if (!go_on()) return false;
    } while (rest.size() <= kAllPermutations &&
             std::next_permutation(images.begin(), images.end()));
    return true;
  }

  [[nodiscard]] std::optional<std::size_t> argument_of_pieces(const Action& action) const {
    const auto& domains = shapes_[0].domains;
    for (std::size_t i = 0; i < domains.size() && !roles_.empty(); ++i) {
      const ArgumentDomain& domain = domains[i];
      const bool renamed = action.renamings[i].renaming != nullptr || action.to[i] != i;
      if (renamed || domain.ordered || domain.constants.size() <= kAllPermutations) continue;
      if (domain.place(roles_.begin()->first) == domain.constants.size()) return i;
    }
    return std::nullopt;
  }

  /// The piece in each initial place of the board, and the one in the image of this place.
  [[nodiscard]] std::optional<ConstantMap> initial_pieces(const Action& action,
                                                          std::size_t argument) const {
    const FluentShape& board = shapes_[0];
    std::map<Constants, std::uint32_t> piece_at;  // with 0 for the piece
    std::vector<std::pair<Constants, std::uint32_t>> images;
    for (std::size_t f = 0; f < board.bits.size(); ++f) {
      const std::uint32_t bit = board.bits[f];
      if ((initial_[bit / 64] >> bit % 64 & 1) == 0) continue;
      Constants image = image_of(board, board.arguments[f], action);
      Constants place = board.arguments[f];
      const std::uint32_t piece = std::exchange(place[argument], 0);
      image[argument] = 0;
      if (!piece_at.emplace(std::move(place), piece).second) return std::nullopt;
      images.emplace_back(std::move(image), piece);
    }
    ConstantMap map, back;
    for (const auto& [image, piece] : images) {
      const auto at = piece_at.find(image);
      if (at == piece_at.end()) return std::nullopt;
      if (map.emplace(piece, at->second).first->second != at->second) return std::nullopt;
      if (back.emplace(at->second, piece).first->second != piece) return std::nullopt;
    }
    return map;
  }

  [[nodiscard]] bool uses_all_chosen(const Action& action) const {
    return std::ranges::all_of(chosen_, [&](const Renaming* chosen) {
      return chosen == nullptr ||
             std::ranges::find(action.renamings, chosen, &DomainRenaming::renaming) !=
                 action.renamings.end();
    });
  }

  /// The other shapes in all ways that fit what happened to the board.
  bool rename_others(std::size_t shape, const Action& board) {
    if (shape == shapes_.size()) {
      if (image_ == identity_) return true;
      return ++shown_ <= kMostRenamings && visit_(image_);
    }
    for (const Action& action : actions_of(shapes_[shape], exchanges_like(board, shapes_[shape]))) {
      if (!step()) return false;
      const BitPermutation before = image_;
      if (apply(shapes_[shape], action) && !rename_others(shape + 1, board)) return false;
      image_ = before;
    }
    return true;
  }

  using Exchange = std::vector<std::size_t>;  // [argument]: where it goes

  static Exchange no_exchange(const FluentShape& shape) {
    Exchange to(shape.domains.size());
    std::iota(to.begin(), to.end(), std::size_t{0});
    return to;
  }
  static bool exchangeable(const ArgumentDomain& a, const ArgumentDomain& b) {
    if (a.constants.size() < 2) return false;
    return a == b || (a.ordered && b.ordered && a.constants.size() == b.constants.size());
  }
  /// None, one, or two pairs of arguments.
  static std::vector<Exchange> exchanges(const FluentShape& shape) {
    std::vector<Exchange> all{no_exchange(shape)};
    std::size_t from = 0;
    for (int pairs = 0; pairs < 2; ++pairs) {
      const std::size_t end = all.size();
      for (std::size_t i = from; i < end; ++i) add_exchanges(shape, i, all);
      from = end;
    }
    return all;
  }
  static void add_exchanges(const FluentShape& shape, std::size_t base,
                            std::vector<Exchange>& all) {
    const std::size_t arguments = std::min(kBoardArguments, shape.domains.size());
    for (std::size_t a = 0; a < arguments; ++a) {
      for (std::size_t b = a + 1; b < arguments; ++b) {
        if (all[base][a] != a || all[base][b] != b) continue;
        if (!exchangeable(shape.domains[a], shape.domains[b])) continue;
        Exchange to = all[base];
        std::swap(to[a], to[b]);
        if (std::ranges::find(all, to) == all.end()) all.push_back(std::move(to));
      }
    }
  }
  /// The arguments of another shape that have the domains of exchanged arguments of the board.
  [[nodiscard]] std::vector<Exchange> exchanges_like(const Action& board,
                                                     const FluentShape& shape) const {
    std::vector<Exchange> all{no_exchange(shape)};
    const auto& domains = shapes_[0].domains;
    for (std::size_t p = 0; p < board.to.size(); ++p) {
      const std::size_t q = board.to[p];
      if (p == q) continue;
      for (std::size_t a = 0; a < shape.domains.size(); ++a) {
        for (std::size_t b = a + 1; b < shape.domains.size(); ++b) {
          if (!(shape.domains[a] == domains[p]) || !(shape.domains[b] == domains[q])) continue;
          Exchange to = no_exchange(shape);
          std::swap(to[a], to[b]);
          if (std::ranges::find(all, to) == all.end()) all.push_back(std::move(to));
        }
      }
    }
    return all;
  }

  /// Each exchange, with the chosen renamings applied to each set of arguments.
  [[nodiscard]] std::vector<Action> actions_of(const FluentShape& shape,
                                               const std::vector<Exchange>& exchanges) const {
    std::vector<std::pair<std::size_t, DomainRenaming>> open;
    for (std::size_t i = 0; i < std::min(kBoardArguments, shape.domains.size()); ++i) {
      const auto chosen = chosen_for(shape.domains[i]);
      if (chosen.renaming != nullptr) open.emplace_back(i, chosen);
    }
    std::vector<Action> actions;
    for (const Exchange& to : exchanges) {
      for (std::size_t set = 0; set < std::size_t{1} << open.size(); ++set) {
        Action action{to, std::vector<DomainRenaming>(shape.domains.size())};
        for (std::size_t i = 0; i < open.size(); ++i) {
          if ((set >> i & 1) != 0) action.renamings[open[i].first] = open[i].second;
        }
        actions.push_back(std::move(action));
      }
    }
    return actions;
  }

  /// That of the board's domain that is the same, or otherwise of the first that includes it.
  [[nodiscard]] DomainRenaming chosen_for(const ArgumentDomain& domain) const {
    auto at = std::ranges::find(domains_, domain);
    if (at == domains_.end()) {
      at = std::ranges::find_if(domains_,
                                [&](const ArgumentDomain& d) { return d.includes(domain); });
    }
    if (at == domains_.end()) return {};
    return {&*at, chosen_[static_cast<std::size_t>(at - domains_.begin())]};
  }

  /// False if a fluent's image is not one.
  bool apply(const FluentShape& shape, const Action& action) {
    if (action.moves_nothing() && constants_.empty()) return true;
    for (std::size_t f = 0; f < shape.bits.size(); ++f) {
      const auto at = shape.bit_of.find(image_of(shape, shape.arguments[f], action));
      if (at == shape.bit_of.end()) return false;
      image_[shape.bits[f]] = at->second;
    }
    return true;
  }

  [[nodiscard]] Constants image_of(const FluentShape& shape, const Constants& arguments,
                                   const Action& action) const {
    Constants image(shape.domains.size(), 0);
    for (std::size_t i = 0; i < shape.domains.size(); ++i) {
      const ArgumentDomain& from = shape.domains[i];
      const ArgumentDomain& to = shape.domains[action.to[i]];
      const std::uint32_t constant = renamed(arguments[i], action.renamings[i]);
      const std::size_t place = from == to ? to.constants.size() : from.place(constant);
      image[action.to[i]] = place < to.constants.size() ? to.constants[place] : constant;
    }
    return image;
  }

  [[nodiscard]] std::uint32_t renamed(std::uint32_t constant, const DomainRenaming& by) const {
    if (by.renaming != nullptr) {
      return by.domain->constants[(*by.renaming)[by.domain->place(constant)]];
    }
    const auto other = constants_.find(constant);
    return other == constants_.end() ? constant : other->second;
  }

  const gdl::Rules& rules_;
  const gdl::StopSignal* stop_;
  const Visit& visit_;
  ConstantMap roles_;      // names that are exchanged; empty if roles stay
  ConstantMap constants_;  // with pieces
  std::span<const std::uint64_t> initial_;
  std::vector<FluentShape> shapes_;  // the board first
  std::vector<ArgumentDomain> domains_;
  std::vector<const Renaming*> chosen_;  // [domain]
  BitPermutation identity_, image_;
  std::size_t shown_ = 0, steps_ = 0;
};

}  // namespace

void for_each_renaming(const gdl::Vocabulary& vocabulary, const StateBits& bits,
                       const std::vector<bool>& board_bits, const gdl::StopSignal* stop,
                       const std::function<bool(const BitPermutation&)>& visit) {
  RenamingFinder(vocabulary, bits, stop, visit).find(board_bits);
}

void for_each_exchange_of_roles(const gdl::Vocabulary& vocabulary, const StateBits& bits,
                                const std::vector<bool>& board_bits,
                                std::span<const std::uint64_t> initial, const gdl::StopSignal* stop,
                                const std::function<bool(const BitPermutation&)>& visit) {
  RenamingFinder finder(vocabulary, bits, stop, visit);
  finder.exchange_roles(initial);
  finder.find(board_bits);
}

}  // namespace ludens::search
