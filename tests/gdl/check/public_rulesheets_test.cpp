// Every public rulesheet beside the project is a game, whatever is odd about it.
#include <gtest/gtest.h>

#include "gdl/check/check.h"
#include "tests/gdl/rules/rulesheet.h"

namespace ludens::gdl {
namespace {

TEST(CheckPublicRulesheets, HaveNoErrors) {
  const auto paths = public_rulesheets();
  if (paths.empty()) GTEST_SKIP() << "no public rulesheets in ../shared/games";
  for (const auto& path : paths) {
    const Diagnostics diagnostics = check(normalise_text(read_file(path)));
    EXPECT_FALSE(has_error(diagnostics)) << path << '\n' << lines_of(diagnostics);
  }
}

}  // namespace
}  // namespace ludens::gdl
