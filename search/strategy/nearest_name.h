// What somebody may have meant by a name that does not exist.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ludens::search {

/// Insertions, deletions, replacements and swaps of neighbours that make `b` of `a` (optimal string
/// alignment), without regard to case.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name with the smallest distance, the first of several; empty if there is none.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

}  // namespace ludens::search
