// SPDX-License-Identifier: MIT
#include "gdl/environment/spaces.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace ludens::gdl {

namespace {

bool is_number(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

/// Numbers by value; among other words they all stand where 0 does.
int compare_words(std::string_view a, std::string_view b) {
  if (is_number(a) && is_number(b)) {
    const auto value = [](std::string_view n) {
      return n.substr(std::min(n.find_first_not_of('0'), n.size()));
    };
    const std::string_view x = value(a), y = value(b);
    if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
    if (const int order = x.compare(y); order != 0) return order;
  } else if (is_number(a)) {
    a = "0";
  } else if (is_number(b)) {
    b = "0";
  }
  return a.compare(b);
}

/// Word by word, numbers by value.
bool naturally_before(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const int order = compare_words(take_word(a), take_word(b));
    if (order != 0) return order < 0;
  }
  return a.size() < b.size();
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Ids and their names in natural order.
template <typename Id, typename Name>
void put_in_order(std::vector<Id>& ids, std::vector<std::string>& names, Name name) {
  std::vector<std::pair<std::string, Id>> pairs;
  for (const Id id : ids) pairs.emplace_back(name(id), id);
  std::ranges::sort(
      pairs, [](const auto& a, const auto& b) { return naturally_before(a.first, b.first); });
  ids.clear();
  for (auto& [text, id] : pairs) {
    ids.push_back(id);
    names.push_back(std::move(text));
  }
}

}  // namespace

std::uint64_t Spaces::hash() const {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](std::string_view kind, const std::string& name) {
    for (const char c : std::string(kind) + ' ' + lower(name) + '\n') {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
  };
  for (std::size_t p = 0; p < players.size(); ++p) {
    add("player", player_names[p]);
    for (const std::string& action : action_names[p]) add("action", action);
  }
  for (const std::string& fluent : fluent_names) add("fluent", fluent);
  return hash;
}

std::optional<std::uint32_t> Spaces::find_action(std::size_t player, std::string_view name) const {
  const std::string wanted = lower(std::string(name));
  const auto& names = action_names[player];
  const auto found =
      std::ranges::find_if(names, [&](const std::string& n) { return lower(n) == wanted; });
  if (found == names.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - names.begin());
}

Spaces find_spaces(const Vocabulary& vocabulary, const Network& network) {
  Spaces spaces;
  const Rules& rules = vocabulary.rules();
  for (RoleIndex role = 0; role < network.roles(); ++role) {
    if (role == rules.random) continue;
    spaces.players.push_back(role);
    spaces.player_names.push_back(rules.print(rules.roles[role]));
    auto& actions = spaces.actions.emplace_back();
    for (const Network::Move& m : network.moves) {
      if (m.role == role) actions.push_back(m.id);
    }
    put_in_order(actions, spaces.action_names.emplace_back(),
                 [&](MoveId id) { return vocabulary.move_name(id); });
  }
  for (const Network::Fluent& f : network.fluents) spaces.fluents.push_back(f.id);
  put_in_order(spaces.fluents, spaces.fluent_names,
               [&](FluentId id) { return vocabulary.fluent_name(id); });
  return spaces;
}

}  // namespace ludens::gdl
