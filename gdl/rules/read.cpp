// SPDX-License-Identifier: MIT
#include "gdl/rules/read.h"

#include <memory>
#include <utility>

#include "gdl/text/syntax.h"

namespace ludens::gdl {

ReadRules read_rules(std::string text, const NormaliseLimits& limits) {
  ParsedText parsed = parse(std::move(text));
  return {normalise(std::make_shared<const SyntaxTree>(std::move(parsed.tree)), kNoNode, limits),
          std::move(parsed.errors)};
}

}  // namespace ludens::gdl
