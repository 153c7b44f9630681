// SPDX-License-Identifier: MIT
// The language in which people read moves and facts: that in which the rules are written.
#pragma once

#include <cstdint>
#include <string>

#include "gdl/rules/rules.h"

namespace ludens::server {

enum class Notation : std::uint8_t { Prefix, Hrf };

[[nodiscard]] Notation notation_of(const gdl::Rules& rules);

/// A term in prefix GDL, `( mark 1 2 )`, in that language: `mark(1,2)`.
[[nodiscard]] std::string shown_term(Notation notation, const std::string& term);
/// The arguments of a fact in prefix GDL, `1 ( f a )`, in that language: `1,f(a)`.
[[nodiscard]] std::string shown_arguments(Notation notation, const std::string& arguments);

}  // namespace ludens::server
