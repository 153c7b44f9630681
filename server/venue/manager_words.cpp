// SPDX-License-Identifier: MIT
#include "server/venue/manager_words.h"

#include <algorithm>

#include "gdl/hrf/hrf.h"
#include "gdl/text/syntax.h"
#include "gdl/to_hrf/to_hrf.h"

namespace ludens::server {

gdl::Result<std::string> write_ruleset(const gdl::Rules& rules) {
  gdl::WrittenHrf written = gdl::write_hrf(rules);
  for (const gdl::Diagnostic& diagnostic : written.diagnostics) {
    if (diagnostic.severity == gdl::Severity::Error) {
      return gdl::Error{"the game can't be sent to a page: " + diagnostic.text};
    }
  }
  if (written.text.ends_with('\n')) written.text.pop_back();
  std::ranges::replace(written.text, '\n', ',');
  return {boost::system::in_place_value, "ruleset(" + written.text + ")"};
}

std::string write_last_move(const std::vector<std::string>& moves) {
  const auto acts = [](const std::string& move) { return gdl::fold_case(move) != "noop"; };
  const auto made = std::ranges::find_if(moves, acts);
  if (made != moves.end()) return gdl::hrf_terms(*made);
  return moves.empty() ? "[]" : gdl::hrf_terms(moves.front());
}

}  // namespace ludens::server
