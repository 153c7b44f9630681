// SPDX-License-Identifier: MIT
// Which squares the rules take for neighbours: six, or not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdl/rules/rules.h"

namespace ludens::server {

/// Looks for a relation of four arguments, a square and a square beside it, that always goes one
/// step along the first coordinate, one along the second, or one along both, and there in one
/// direction only: the six neighbours of a hexagon. Returns +1 if both coordinates grow together on
/// the way, -1 if one shrinks; nullopt if there is no such relation. The coordinates are given in
/// their order.
std::optional<int> hexagon_slant(const gdl::Rules& rules, const std::vector<std::string>& first,
                                 const std::vector<std::string>& second);

/// Is there a relation of four arguments between squares that always goes one step along one of
/// the coordinates, and along each of them somewhere?
bool relates_neighbours(const gdl::Rules& rules, const std::vector<std::string>& first,
                        const std::vector<std::string>& second);

}  // namespace ludens::server
