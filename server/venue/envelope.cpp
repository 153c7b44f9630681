// SPDX-License-Identifier: MIT
#include "server/venue/envelope.h"

#include <cstddef>

namespace ludens::server {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";
/// The limit for names of identifiers and players, which appear in log lines, file names and pages.
constexpr std::size_t kLongestName = 200;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// Whether it is a name of letters, digits and signs, without characters that separate terms.
bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_of("(),\"") == std::string_view::npos &&
         text.find_first_of(kBlanks) == std::string_view::npos;
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text.substr(0, 60)) + (text.size() > 60 ? "...'" : "'");
}

}  // namespace

gdl::Result<OuterTerm> read_outer_term(std::string_view text) {
  text = trimmed(text);
  const std::size_t open = text.find('(');
  OuterTerm term{std::string(trimmed(text.substr(0, open))), {}};
  if (!is_name(term.name)) return gdl::Error{quoted(text) + " is not a term of Gamemaster"};
  if (open == std::string_view::npos) return term;
  std::size_t depth = 0, begin = open + 1;
  bool in_quotes = false;
  for (std::size_t at = open; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') in_quotes = !in_quotes;
    if (in_quotes) continue;
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    const bool ends = c == ')' && depth == 0;
    if ((c == ',' && depth == 1) || ends) {
      term.arguments.emplace_back(trimmed(text.substr(begin, at - begin)));
      begin = at + 1;
    }
    if (!ends) continue;
    if (at + 1 == text.size()) return term;
    return gdl::Error{"after the term " + quoted(term.name) + " stands " +
                      quoted(text.substr(at + 1))};
  }
  return gdl::Error{"the parentheses of " + quoted(term.name) + " do not close"};
}

gdl::Result<Envelope> read_envelope(std::string_view text) {
  auto term = read_outer_term(text);
  if (!term) return term.error();
  if (term->name != "message" || term->arguments.size() != 4) {
    return gdl::Error{"not message(ID,SENDER,RECEIVER,CONTENT): " + quoted(trimmed(text))};
  }
  auto& arguments = term->arguments;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!is_name(arguments[i]) || arguments[i].size() > kLongestName) {
      return gdl::Error{quoted(arguments[i]) + " is not an identifier"};
    }
  }
  auto content = read_outer_term(arguments[3]);
  if (!content) return content.error();
  return Envelope{std::move(arguments[0]), std::move(arguments[1]), std::move(arguments[2]),
                  *std::move(content)};
}

std::string write_envelope(std::string_view id, std::string_view sender, std::string_view receiver,
                           std::string_view content) {
  std::string text = "message(";
  for (const std::string_view part : {id, sender, receiver}) (text += part) += ',';
  return (text += content) + ")";
}

}  // namespace ludens::server
