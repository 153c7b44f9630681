#include "server/records/match_record.h"

#include <string_view>

namespace ludens::server {

namespace {

/// Length of the well-formed UTF-8 sequence at the beginning of `bytes` (RFC 3629), or 0.
std::size_t sequence_length(std::string_view bytes) {
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return follows(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const bool overlong = lead == 0xe0 && byte(1) < 0xa0;
    const bool surrogate = lead == 0xed && byte(1) > 0x9f;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool outside = (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f);
    return follows(1) && follows(2) && follows(3) && !outside ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string error_code(const std::string& error) {
  return error.substr(0, error.find(' '));
}

std::string storable(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = sequence_length(std::string_view(text).substr(i));
    if (length == 0) {
      out += static_cast<char>(0xc0u | (byte >> 6));
      out += static_cast<char>(0x80u | (byte & 0x3fu));
    } else if (length == 1 && (byte < 0x20 || byte == 0x7f)) {
      out += byte == '\t' || byte == '\n' || byte == '\r' ? text[i] : ' ';
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
