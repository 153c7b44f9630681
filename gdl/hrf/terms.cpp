// SPDX-License-Identifier: MIT
// Terms of one language as the other has them.
#include "gdl/hrf/hrf.h"

namespace ludens::gdl {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool ends_name(char c) {
  return is_blank(c) || c == '(' || c == ')' || c == ',';
}

std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (at < text.size() && !ends_name(text[at])) ++at;
  return at;
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
    const std::size_t end = end_of_name(prefix, at);
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
    } else if (ends_name(hrf[at])) {
      out += hrf[at++];
    } else {
      const std::size_t end = end_of_name(hrf, at);
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
