// SPDX-License-Identifier: MIT
#include "gdl/text/utf8.h"

#include <gmock/gmock.h>

#include "gdl/rules/read.h"

namespace ludens::gdl {
namespace {

/// Letters of ASCII as UTF-16 or UTF-32 has them.
std::string wide(std::string_view ascii, int bytes, bool big_endian) {
  std::string text;
  for (const char c : ascii) {
    std::string letter(static_cast<std::size_t>(bytes), '\0');
    letter[big_endian ? letter.size() - 1 : 0] = c;
    text += letter;
  }
  return text;
}

TEST(Utf8, OtherEncodingsAreNamed) {
  const std::string rules = "(role x)";
  for (const bool big : {false, true}) {
    EXPECT_EQ(why_not_utf8(wide(rules, 2, big)),
              "the text is in UTF-16, and only UTF-8 is read: save it as UTF-8");
    EXPECT_EQ(why_not_utf8(wide(rules, 4, big)),
              "the text is in UTF-32, and only UTF-8 is read: save it as UTF-8");
  }
  EXPECT_TRUE(why_not_utf8("\xff\xfe" + wide("\xe9", 2, false)));
  EXPECT_TRUE(why_not_utf8("\xfe\xff" + wide("\xe9", 2, true)));
  for (const char* text : {"", "(", "(role x)", "\xef\xbb\xbf(role x)", "caf\xe9"}) {
    EXPECT_EQ(why_not_utf8(text), std::nullopt) << text;
  }
}

TEST(Utf8, ARulesheetInAnotherEncodingIsRefusedByItsName) {
  const ReadRules read = read_rules("\xff\xfe" + wide("(role x)(legal x a)", 2, false));
  ASSERT_EQ(read.errors.size(), 1U);
  EXPECT_EQ(read.errors.front().text,
            "the text is in UTF-16, and only UTF-8 is read: save it as UTF-8");
}

TEST(Utf8, AByteOrderMarkIsNoText) {
  EXPECT_EQ(without_byte_order_mark("\xef\xbb\xbfrole"), "role");
  EXPECT_EQ(without_byte_order_mark("role\xef\xbb\xbf"), "role\xef\xbb\xbf");
}

}  // namespace
}  // namespace ludens::gdl
