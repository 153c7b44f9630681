// SPDX-License-Identifier: MIT
// "Did you mean ...": the known name that is nearest to a mistyped one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ludens::gdl {

/// The known name at the smallest edit distance (insert, delete, replace, swap of neighbours;
/// without regard to case), or nullopt if none is within half of the name's length, and at most 3
/// away. Names of more than 100 bytes are near to no name.
std::optional<std::string_view> nearest_name(std::string_view name,
                                             std::span<const std::string_view> known);

/// "; did you mean 'NAME'?" for the end of a message about an unknown name; empty if no known name
/// is near.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> known);
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace ludens::gdl
