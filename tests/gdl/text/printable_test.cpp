// SPDX-License-Identifier: MIT
#include "gdl/text/printable.h"

#include <gtest/gtest.h>

#include "gdl/text/diagnostic.h"

namespace ludens::gdl {
namespace {

TEST(Printable, LeavesTextThatIsHarmless) {
  const std::string harmless =
      "( mark 1 1 ) ~ gr\xc3\xb6\xc3\x9f"
      "e \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80 \\x1b";
  EXPECT_EQ(printable(harmless), harmless);
}

TEST(Printable, ShowsControlCharacters) {
  EXPECT_EQ(printable("\x1b[31ma"), "\\x1b[31ma");
  EXPECT_EQ(printable("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(printable(std::string_view("a\0b\r\n\tc\x7f", 8)), "a\\x00b\\x0d\\x0a\\x09c\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m \xc2\x80"),
            "\\u009b31m \\u0080");  // C1 as UTF-8
  EXPECT_EQ(printable("\xc2\xa0"), "\xc2\xa0");
}

TEST(Printable, ShowsBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");  // C1 to a terminal of Latin-1
  EXPECT_EQ(printable("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(printable("\xc0\x9b\xed\xa0\x80"), "\\xc0\\x9b\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80");
}

TEST(Printable, ShowsMarksThatTurnTheDirectionOfWriting) {
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b\xe2\x81\xa6"
                      "c\xe2\x80\x8f"
                      "d\xd8\x9c"),
            "a\\u202eb\\u2066c\\u200fd\\u061c");
  EXPECT_EQ(printable("\xe2\x80\xa8\xe2\x80\xa9"), "\\u2028\\u2029");
  EXPECT_EQ(printable("\xe2\x80\xa6"), "\xe2\x80\xa6");  // an ellipsis
}

TEST(Printable, KeepsLineEndsOfPictures) {
  EXPECT_EQ(printable_lines("a\nb\r\n\x1b"), "a\nb\\x0d\n\\x1b");
}

TEST(Printable, IsWhatDiagnosticsAre) {
  const Diagnostic diagnostic{Severity::Error, "code", "'\x1b[2J' is unknown", {}};
  EXPECT_EQ(format(diagnostic, "a\x1b.kif").find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace ludens::gdl
