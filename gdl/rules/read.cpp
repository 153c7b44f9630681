// SPDX-License-Identifier: MIT
#include "gdl/rules/read.h"

#include <memory>
#include <utility>

#include "gdl/hrf/hrf.h"
#include "gdl/hrf/recognise.h"
#include "gdl/text/syntax.h"
#include "gdl/text/utf8.h"

namespace ludens::gdl {

ReadRules read_rules(std::string text, const NormaliseLimits& limits) {
  if (auto why = why_not_utf8(text)) {
    auto nothing = std::make_shared<const SyntaxTree>(parse({}).tree);
    return {normalise(nothing, kNoNode, limits),
            {{Severity::Error, "encoding", *std::move(why), Location{}}},
            Dialect::Prefix};
  }
  if (dialect_of(text) == Dialect::Prefix) {
    ParsedText parsed = parse(std::move(text));
    return {normalise(std::make_shared<const SyntaxTree>(std::move(parsed.tree)), kNoNode, limits),
            std::move(parsed.errors), Dialect::Prefix};
  }
  ParsedHrf parsed = parse_hrf(std::move(text));
  const auto tree = std::make_shared<const SyntaxTree>(std::move(parsed.tree));
  ReadRules read{normalise(tree, kNoNode, limits), std::move(parsed.errors), parsed.dialect};
  Diagnostics& all = read.normalised.diagnostics;
  all.insert(all.begin(), parsed.remarks.begin(), parsed.remarks.end());
  return read;
}

}  // namespace ludens::gdl
