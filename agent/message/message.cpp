// SPDX-License-Identifier: MIT
#include "agent/message/message.h"

namespace ludens::agent {

Part part_of(const std::string& text) {
  auto tree = std::make_shared<gdl::SyntaxTree>(gdl::parse(text).tree);
  if (tree->size() == 0) return {};
  return {std::move(tree), 0};
}

std::string match_id_of(const Message& message) {
  return std::visit(
      [](const auto& m) -> std::string {
        if constexpr (requires { m.match_id; }) {
          return m.match_id;
        } else {
          return {};
        }
      },
      message);
}

}  // namespace ludens::agent
