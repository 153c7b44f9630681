// SPDX-License-Identifier: MIT
#include "server/records/match_record.h"

#include <algorithm>
#include <random>
#include <string_view>

#include "gdl/text/utf8.h"

namespace ludens::server {

std::string random_match_token() {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device device;
  std::uniform_int_distribution<std::size_t> pick(0, kLetters.size() - 1);
  std::string token;
  while (token.size() < 32) token += kLetters[pick(device)];
  return token;
}

std::string error_code(const std::string& error) {
  return error.substr(0, error.find(' '));
}

std::vector<FaultCounts> count_faults(const MatchRecord& record) {
  std::vector<FaultCounts> faults(record.roles.size());
  for (const auto& row : record.errors) {
    for (std::size_t role = 0; role < std::min(row.size(), faults.size()); ++role) {
      const std::string code = error_code(row[role]);
      if (code == "TO") ++faults[role].late;
      if (code == "IL") ++faults[role].illegal;
      if (code == "IN") ++faults[role].garbage;
      if (code == "CE") ++faults[role].dropped;
    }
  }
  return faults;
}

namespace {

/// White space stays white space, and nothing else becomes it: an atom must not become two.
std::string shown_control(char c) {
  if (c == '\t' || c == '\n' || c == '\r') return {c};
  if (c == '\f' || c == '\v') return " ";
  const auto picture = c == 0x7f ? 0xa1 : 0x80 | c;
  return {'\xe2', '\x90', static_cast<char>(picture)};
}

}  // namespace

std::string storable(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = gdl::utf8_length(std::string_view(text).substr(i));
    if (length == 0) {
      out += static_cast<char>(0xc0u | (byte >> 6));
      out += static_cast<char>(0x80u | (byte & 0x3fu));
    } else if (length == 1 && (byte < 0x20 || byte == 0x7f)) {
      out += shown_control(text[i]);
    } else {
      out.append(text, i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return out;
}

std::string safe_file_name(const std::string& match_id) {
  std::string name;
  for (const char c : match_id) {
    const bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '_' || c == '-';
    name += safe ? c : '_';
  }
  if (name.empty() || name.front() == '.' || name.front() == '-') name.insert(0, 1, '_');
  return name;
}

}  // namespace ludens::server
