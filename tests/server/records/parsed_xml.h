// SPDX-License-Identifier: MIT
// Records read from XML that a test takes for right.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "server/records/xml_record.h"

namespace ludens::server {

inline MatchRecord parsed(const std::string& text) {
  auto result = parse_xml_record(text);
  EXPECT_TRUE(result.has_value()) << result.error().text;
  return result ? *std::move(result) : MatchRecord{};
}

}  // namespace ludens::server
