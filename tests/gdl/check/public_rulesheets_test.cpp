// SPDX-License-Identifier: MIT
// Every public rulesheet beside the project is a game, whatever is odd about it.
#include <gtest/gtest.h>

#include "gdl/check/check.h"
#include "tests/gdl/rules/rulesheet.h"
#include "tests/project_folder.h"

namespace ludens::gdl {
namespace {

TEST(CheckPublicRulesheets, HaveNoErrors) {
  const auto paths = public_rulesheets();
  if (paths.empty()) GTEST_SKIP() << "no public rulesheets in ../shared/games";
  for (const auto& path : paths) {
    const Diagnostics diagnostics = check(normalise_text(read_file(path).value()));
    EXPECT_FALSE(has_error(diagnostics)) << path << '\n' << lines_of(diagnostics);
  }
}

// Those that the validator of the reference implementation rejects play with us, but not unwarned.
TEST(CheckPublicRulesheets, WarnOfWhatTheReferenceRejects) {
  const std::filesystem::path folder = project_folder() + "/../shared/games/testcases";
  if (rulesheets_in(folder).empty()) GTEST_SKIP() << "no test cases in ../shared/games/testcases";
  const std::pair<const char*, const char*> expected[] = {
      {"test_case_3b", "unsafe-variable"},    {"test_case_3e", "unsafe-variable"},
      {"test_case_3f", "unsafe-variable"},    {"test_clean_not_distinct", "impossible-rule"},
      {"test_case_3c", "undefined-relation"}, {"test_case_5a", "growing-terms"},
  };
  for (const auto& [name, code] : expected) {
    const auto path = folder / (std::string(name) + ".kif");
    const Diagnostics diagnostics = check(normalise_text(read_file(path).value()));
    const bool warned =
        std::any_of(diagnostics.begin(), diagnostics.end(), [warning = code](const Diagnostic& d) {
          return d.code == warning && d.severity == Severity::Warning;
        });
    EXPECT_TRUE(warned) << path << '\n' << lines_of(diagnostics);
  }
}

// All of them keep the recursion restriction, and none is said to grow without bound.
TEST(CheckPublicRulesheets, KeepTheRecursionRestriction) {
  const auto paths = rulesheets_in(project_folder() + "/../shared/games");
  if (paths.empty()) GTEST_SKIP() << "no public rulesheets in ../shared/games";
  for (const auto& path : paths) {
    for (const Diagnostic& d : check(normalise_text(read_file(path).value()))) {
      EXPECT_NE(d.code, "recursion-restriction") << path;
      EXPECT_NE(d.code, "growing-terms") << path;
      EXPECT_NE(d.code, "misplaced-keyword") << path;
    }
  }
}

}  // namespace
}  // namespace ludens::gdl
