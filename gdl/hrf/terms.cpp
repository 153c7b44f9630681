// SPDX-License-Identifier: MIT
// Converts terms between the two languages.
#include "gdl/hrf/hrf.h"

#include <algorithm>
#include <functional>

#include "gdl/hrf/parser.h"

namespace ludens::gdl {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool is_parenthesis(char c) {
  return c == '(' || c == ')';
}

/// Where a name in prefix GDL ends, which may have commas in it.
std::size_t end_of_prefix_name(std::string_view text, std::size_t at) {
  while (at < text.size() && !is_blank(text[at]) && !is_parenthesis(text[at])) ++at;
  return at;
}

/// A name in quotation marks may have commas in it.
std::size_t end_of_hrf_name(std::string_view text, std::size_t at) {
  if (text[at] == '"') {
    const std::size_t close = text.find_first_of("\" \t\n\r\f\v()", at + 1);
    if (close != std::string_view::npos && text[close] == '"') return close + 1;
  }
  return std::min(end_of_prefix_name(text, at), text.find(',', at));
}

/// Whether the text may contain HRF lists. Lists of prefix GDL have none, and a text with quoted
/// names is left alone, because these may contain anything.
bool may_have_lists(std::string_view text) {
  const auto* const first = std::ranges::find_if(text, std::not_fn(is_blank));
  return first != text.end() && *first != '(' && text.find('"') == std::string_view::npos &&
         text.find_first_of("[!") != std::string_view::npos;
}

std::string prefix_term(const hrf::Expression& term) {
  if (term.kind == hrf::Expression::Kind::Constant) return term.name;
  std::string out = "(" + term.name;
  for (const hrf::Expression& a : term.arguments) out += " " + prefix_term(a);
  return out + ")";
}

}  // namespace

std::string hrf_terms(std::string_view prefix) {
  std::string out;
  std::size_t depth = 0;
  bool functor = false;  // the next name has arguments
  for (std::size_t at = 0; at < prefix.size();) {
    if (is_blank(prefix[at])) {
      ++at;
      continue;
    }
    if (prefix[at] == ')') {
      out += ')';
      if (depth > 0) --depth;
      ++at;
      continue;
    }
    if (!out.empty() && out.back() != '(' && !functor) out += depth > 0 ? "," : " ";
    functor = prefix[at] == '(';
    if (functor) {
      ++at;
      while (at < prefix.size() && is_blank(prefix[at])) ++at;
      ++depth;
    }
    const std::size_t end = end_of_prefix_name(prefix, at);
    out += prefix.substr(at, end - at);
    if (functor) out += '(';
    functor = false;
    at = end;
  }
  return out;
}

std::string prefix_terms(std::string_view hrf) {
  hrf::Expression term;
  if (may_have_lists(hrf) && hrf::parse_term(hrf, term)) return prefix_term(term);
  std::string out;
  for (std::size_t at = 0; at < hrf.size();) {
    if (is_blank(hrf[at]) || hrf[at] == ',') {
      out += ' ';
      ++at;
    } else if (is_parenthesis(hrf[at])) {
      out += hrf[at++];
    } else {
      const std::size_t end = end_of_hrf_name(hrf, at);
      const bool functor = end < hrf.size() && hrf[end] == '(';
      if (functor) out += "(";
      out += hrf.substr(at, end - at);
      if (functor) out += ' ';
      at = end + (functor ? 1 : 0);
    }
  }
  return out;
}

}  // namespace ludens::gdl
