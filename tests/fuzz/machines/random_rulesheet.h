// SPDX-License-Identifier: MIT
// Small random games, for comparing machines with each other.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace ludens::gdl::tests {

/// A valid rulesheet: safe, stratified, without endless terms, never an empty list of moves except
/// where a condition takes even `noop` away. With one to three roles, static and state relations,
/// recursion (also mutual and through the state), negation, `or`, `distinct`, nested functions and
/// moves with arguments. The same seed, the same text.
std::string random_rulesheet(std::uint64_t seed);

/// A number below the one given, which is at least 1.
using Choice = std::function<std::uint32_t(std::uint32_t)>;

/// The same, with somebody else's chance. A choice that is always 0 ends too.
std::string random_rulesheet(Choice choose);

}  // namespace ludens::gdl::tests
