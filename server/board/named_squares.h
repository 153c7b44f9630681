// Squares that have one name each (`a1`, `b2`) in place of two coordinates.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gdl/rules/rules.h"
#include "server/board/board.h"
#include "server/board/order.h"

namespace ludens::server {

struct NamedSquares {
  Geometry geometry;  // with its holes
  std::map<std::string, Square> places;
};

/// Reads names as a prefix with a number. Where all rows are full, prefixes are columns, as on a
/// chess board. Else each prefix is a row, and rows start at the left or lie centred, whichever
/// brings squares closer together that the rules hold together in relations of two squares.
/// Nullopt if the names are not of that kind.
std::optional<NamedSquares> place_names(const std::vector<std::string>& names,
                                        const gdl::Rules& rules, const Orders& orders);

}  // namespace ludens::server
