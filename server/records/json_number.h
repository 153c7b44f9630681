// SPDX-License-Identifier: MIT
// How numbers are written to JSON.
#pragma once

#include <boost/json/value.hpp>
#include <cmath>
#include <cstdint>

namespace ludens::server {

/// The number without a fraction if it is whole: Boost writes the double 10 as `1E1`, which not
/// every reader takes for a whole number.
inline boost::json::value json_number(double number) {
  constexpr double kExact = 1LL << 53;  // beyond it, not every whole number is a double
  if (std::abs(number) < kExact && number == std::trunc(number)) {
    return static_cast<std::int64_t>(number);
  }
  return number;
}

}  // namespace ludens::server
