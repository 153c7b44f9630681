// SPDX-License-Identifier: MIT
#include "server/match/scrambler.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "gdl/machine/rng.h"

namespace ludens::server {

namespace {

constexpr std::array<std::string_view, 17> kKept{
    "role",  "init", "true",   "next", "legal",    "does", "goal", "terminal", "base",
    "input", "sees", "random", "not",  "distinct", "or",   "and",  "<="};

bool is_kept(std::string_view folded) {
  const std::string_view digits = folded.substr(folded.starts_with('-') ? 1 : 0);
  const bool integer =
      !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  return integer || std::find(kKept.begin(), kKept.end(), folded) != kKept.end();
}

/// Two to four syllables of a consonant and a vowel, sometimes closed by a consonant.
std::string make_word(gdl::Rng& rng) {
  constexpr std::string_view kConsonants = "bdfgklmnprstvz", kVowels = "aeiou";
  const auto pick = [&](std::string_view letters) {
    return letters[rng.below(static_cast<std::uint32_t>(letters.size()))];
  };
  std::string word;
  for (std::uint32_t syllables = 2 + rng.below(3); syllables > 0; --syllables) {
    word += pick(kConsonants);
    word += pick(kVowels);
  }
  if (rng.below(3) == 0) word += pick(kConsonants);
  return word;
}

bool separates(char c) {
  return c == '(' || c == ')' || c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

std::string map_words(std::string_view text,
                      const std::unordered_map<std::string, std::string>& map) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (separates(text[i])) {
      out += text[i++];
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && !separates(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    const auto found = map.find(gdl::fold_case(word));
    out += found == map.end() ? word : std::string_view(found->second);
    i = end;
  }
  return out;
}

}  // namespace

Scrambler::Scrambler(const gdl::SyntaxTree& rulesheet, std::uint64_t seed) {
  std::unordered_set<std::string> taken;
  for (const std::string_view word : kKept) taken.emplace(word);
  for (gdl::NodeIndex n = 0; n < rulesheet.size(); ++n) {
    if (rulesheet.is_atom(n)) taken.insert(gdl::fold_case(rulesheet.atom(n)));
  }
  gdl::Rng rng(seed);
  for (gdl::NodeIndex n = 0; n < rulesheet.size(); ++n) {
    if (rulesheet.is_list(n)) continue;
    const std::string_view spelling = rulesheet.atom(n);
    const std::string folded = gdl::fold_case(spelling);
    if (is_kept(folded) || there_.contains(folded)) continue;
    std::string word;
    do {
      word = make_word(rng);
    } while (!taken.insert(word).second);
    if (folded.front() == '?') word.insert(0, 1, '?');
    back_[word] = spelling;
    there_[folded] = std::move(word);
  }
}

std::string Scrambler::scramble(std::string_view text) const {
  return map_words(text, there_);
}

std::string Scrambler::unscramble(std::string_view text) const {
  return map_words(text, back_);
}

}  // namespace ludens::server
