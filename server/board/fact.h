// SPDX-License-Identifier: MIT
// Facts of a state, apart from their text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/board/domains.h"

namespace ludens::server {

/// The parts of a fluent; everything is folded. A compound argument is one text.
struct Fact {
  std::string name;
  std::vector<std::string> arguments;
};

/// The facts of `( f1 f2 ... )`.
std::vector<Fact> parse_state(const std::string& state);

[[nodiscard]] bool is_of(const Fact& fact, const FluentShape& shape);

[[nodiscard]] bool is_number(const std::string& text);

/// Whether these arguments distinguish all facts of the shape.
bool distinct(const std::vector<Fact>& facts, const FluentShape& shape,
              const std::vector<std::size_t>& arguments);

}  // namespace ludens::server
