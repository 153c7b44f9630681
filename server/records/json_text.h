// SPDX-License-Identifier: MIT
// JSON that others may have written, read strictly: what can't be kept as it stands is refused.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

#include "gdl/text/error.h"

namespace ludens::server {

/// One JSON value with nothing behind it, or a sentence `no JSON: WHAT at PLACE`. Refused are,
/// beside errors of syntax, text that is no UTF-8, more than 32 levels of nesting, a key that
/// stands twice in one object (readers differ on which one counts) and numbers whose size no double
/// can hold. Integers beyond 64 bits are read as doubles; `-0` is the integer 0.
gdl::Result<boost::json::value> read_json_text(std::string_view text);

}  // namespace ludens::server
