// SPDX-License-Identifier: MIT
// "Did you mean ...": the known name that is nearest to a mistyped one.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ludens::gdl {

/// Told before a name is compared how many steps that takes; returns whether to go on.
using GoOn = std::function<bool(std::size_t steps)>;

/// The known name at the smallest edit distance (insert, delete, replace, swap of neighbours;
/// without regard to case), or nullopt if none is within half of the name's length, and at most 3
/// away. Names of more than 100 bytes are near to no name. nullopt also if `go_on` ends it; an
/// empty one never does.
std::optional<std::string_view> nearest_name(std::string_view name,
                                             std::span<const std::string_view> known,
                                             const GoOn& go_on = {});

/// "; did you mean 'NAME'?" for the end of a message about an unknown name; empty if no known name
/// is near, or if `go_on` ends the search.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> known,
                         const GoOn& go_on = {});
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace ludens::gdl
