#include "gdl/rules/read.h"

#include <memory>
#include <utility>

#include "gdl/text/syntax.h"

namespace ludens::gdl {

ReadRules read_rules(std::string text) {
  ParsedText parsed = parse(std::move(text));
  return {normalise(std::make_shared<const SyntaxTree>(std::move(parsed.tree))),
          std::move(parsed.errors)};
}

}  // namespace ludens::gdl
