// SPDX-License-Identifier: MIT
// JSON Schema, as far as config/schemas/ uses it.
#pragma once

#include <boost/json.hpp>
#include <string>

namespace ludens::server {

/// What is wrong with a document: a sentence with the place, or nothing. `schema` is a whole schema
/// document. An unknown keyword of the schema is wrong, too, so that no constraint goes unchecked.
std::string schema_problem(const boost::json::value& schema, const boost::json::value& document);

}  // namespace ludens::server
