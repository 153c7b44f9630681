// SPDX-License-Identifier: MIT
// Whether squares have six neighbours in the rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdl/rules/rules.h"

namespace ludens::server {

/// Searches for a relation of four arguments, a square and an adjacent square, that always goes one
/// step along the first coordinate, one along the second, or one along both, the latter in only one
/// direction: the six neighbours of a hexagon. Returns +1 if both coordinates grow together, -1 if
/// one shrinks; nullopt if there is no such relation. The coordinates must be given in order.
std::optional<int> hexagon_slant(const gdl::Rules& rules, const std::vector<std::string>& first,
                                 const std::vector<std::string>& second);

/// Whether there is a relation of four arguments between squares that always goes one step along
/// one of the coordinates, and that uses both coordinates.
bool relates_neighbours(const gdl::Rules& rules, const std::vector<std::string>& first,
                        const std::vector<std::string>& second);

}  // namespace ludens::server
