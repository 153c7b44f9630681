// SPDX-License-Identifier: MIT
// Reads untrusted JSON strictly: what can't be represented exactly is refused.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

#include "gdl/text/error.h"

namespace ludens::server {

/// One JSON value with nothing after it, or a sentence `no JSON: WHAT at PLACE`. In addition to
/// syntax errors, it refuses text that is not UTF-8, more than 32 levels of nesting, a key that
/// occurs twice in one object (readers differ on which one counts) and numbers that exceed the
/// range of a double. A byte-order mark before it is skipped. Integers beyond 64 bits are read as
/// doubles; `-0` is the integer 0.
gdl::Result<boost::json::value> read_json_text(std::string_view text);

}  // namespace ludens::server
