// SPDX-License-Identifier: MIT
// Converts terms between the two languages.
#include "gdl/hrf/hrf.h"

#include <algorithm>

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

std::size_t end_of_hrf_name(std::string_view text, std::size_t at) {
  return std::min(end_of_prefix_name(text, at), text.find(',', at));
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
