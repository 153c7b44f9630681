// Small random games, for comparing machines with each other.
#pragma once

#include <cstdint>
#include <string>

namespace ludens::gdl::testing {

/// A valid rulesheet: safe, stratified, without endless terms, never an empty list of moves except
/// where a condition takes even `noop` away. With one to three roles, static and state relations,
/// recursion (also mutual and through the state), negation, `or`, `distinct`, nested functions and
/// moves with arguments. The same seed, the same text.
std::string random_rulesheet(std::uint64_t seed);

}  // namespace ludens::gdl::testing
