// SPDX-License-Identifier: MIT
#include "server/venue/manager_words.h"

#include <algorithm>
#include <utility>

#include "gdl/hrf/hrf.h"
#include "gdl/text/syntax.h"
#include "gdl/to_hrf/to_hrf.h"

namespace ludens::server {

gdl::Result<PageRules> write_page_rules(const gdl::Rules& rules) {
  gdl::WrittenHrf written = gdl::write_hrf(rules);
  for (const gdl::Diagnostic& diagnostic : written.diagnostics) {
    if (diagnostic.severity == gdl::Severity::Error) {
      return gdl::Error{"the game can't be sent to a page: " + diagnostic.text};
    }
  }
  if (written.text.ends_with('\n')) written.text.pop_back();
  std::ranges::replace(written.text, '\n', ',');
  PageRules result{"ruleset(" + written.text + ")", std::move(written.names), {}};
  for (const auto& [name, called] : result.to_page) {
    result.from_page[gdl::fold_case(called)] = name;
  }
  return result;
}

std::string PageRules::for_page(const std::string& term) const {
  return gdl::hrf_terms(gdl::with_names(term, to_page));
}

std::string PageRules::of_page(const std::string& term) const {
  return gdl::with_names(gdl::prefix_terms(term), from_page);
}

std::string PageRules::last_move(const std::vector<std::string>& moves) const {
  const auto acts = [](const std::string& move) { return gdl::fold_case(move) != "noop"; };
  const auto made = std::ranges::find_if(moves, acts);
  if (made != moves.end()) return for_page(*made);
  return moves.empty() ? "[]" : for_page(moves.front());
}

}  // namespace ludens::server
