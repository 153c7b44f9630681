// SPDX-License-Identifier: MIT
#include "gdl/rules/read.h"

#include <memory>
#include <utility>

#include "gdl/hrf/hrf.h"
#include "gdl/text/syntax.h"

namespace ludens::gdl {

ReadRules read_rules(std::string text, const NormaliseLimits& limits) {
  if (!is_hrf(text)) {
    ParsedText parsed = parse(std::move(text));
    return {normalise(std::make_shared<const SyntaxTree>(std::move(parsed.tree)), kNoNode, limits),
            std::move(parsed.errors)};
  }
  ParsedHrf parsed = parse_hrf(std::move(text));
  const auto tree = std::make_shared<const SyntaxTree>(std::move(parsed.tree));
  ReadRules read{normalise(tree, kNoNode, limits), std::move(parsed.errors)};
  Diagnostics& all = read.normalised.diagnostics;
  all.insert(all.begin(), parsed.remarks.begin(), parsed.remarks.end());
  return read;
}

}  // namespace ludens::gdl
