// SPDX-License-Identifier: MIT
#include "server/records/json_text.h"

#include <boost/json.hpp>

namespace ludens::server {
namespace {

namespace json = boost::json;

json::value value(std::string_view text) {
  const auto read = read_json_text(text);
  EXPECT_TRUE(read.has_value()) << read.error().text;
  return read ? *read : json::value();
}

std::string problem(std::string_view text) {
  const auto read = read_json_text(text);
  return read ? "none" : read.error().text;
}

TEST(JsonText, IsReadAsBoostReadsIt) {
  for (const char* text :
       {"null", " [1, -2, 3.5E0, true, false, \"a\\u00e9\\n\"] \n",
        R"({"a":{"b":[{"a":1},{"a":2}]},"long key, longer than what fits in place":[]})"}) {
    EXPECT_EQ(value(text), json::parse(text)) << text;
  }
}

TEST(JsonText, RefusesNumbersThatCannotBeKept) {
  EXPECT_EQ(problem("[2.058E17160]"), "no JSON: a number too large to be kept at column 13");
  EXPECT_THAT(problem("{\n\"a\":-1e999}"),
              testing::StartsWith("no JSON: a number too large to be kept at line 2, column "));
  EXPECT_THAT(problem("[1e99999999999999999999]"), testing::StartsWith("no JSON: "));
  EXPECT_EQ(value("1e-99999").to_number<double>(), 0);
  EXPECT_EQ(value("18446744073709551615").to_number<std::uint64_t>(), ~std::uint64_t{0});
  EXPECT_TRUE(value("18446744073709551616").is_double());
  EXPECT_EQ(value("-0").to_number<int>(), 0);
}

TEST(JsonText, RefusesAKeyThatStandsTwice) {
  EXPECT_EQ(problem(R"({"a":1,"b":{"a":2},"a":3})"), "no JSON: a second key 'a' at column 22");
  EXPECT_THAT(problem(R"({"a":1,"\u0061":2})"), testing::HasSubstr("a second key 'a'"));
}

TEST(JsonText, RefusesWhatIsNestedTooDeeply) {
  EXPECT_THAT(problem(std::string(100'000, '[')), testing::StartsWith("no JSON: too deep"));
}

TEST(JsonText, RefusesTextThatIsNoUtf8) {
  EXPECT_THAT(problem("\"caf\xe9\""), testing::StartsWith("no JSON: "));
  EXPECT_THAT(problem("\"\xed\xa0\x80\""), testing::StartsWith("no JSON: "));
}

TEST(JsonText, SkipsAByteOrderMark) {
  const auto read = read_json_text("\xef\xbb\xbf{\"a\":1}");
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(read->at("a").as_int64(), 1);
  EXPECT_EQ(problem("\xef\xbb\xbf}"), problem("}")) << "which counts in no column";
  EXPECT_EQ(problem(std::string("{\0}\0", 4)),
            "no JSON: the text is in UTF-16, and only UTF-8 is read: save it as UTF-8");
}

TEST(JsonText, SaysWhereItBreaksOff) {
  EXPECT_THAT(problem(""), testing::StartsWith("no JSON: incomplete"));
  EXPECT_THAT(problem("{\"a\":"), testing::StartsWith("no JSON: incomplete"));
  EXPECT_EQ(problem("{}\n}"), "not JSON: there is text after the end at line 2, column 1");
}

}  // namespace
}  // namespace ludens::server
