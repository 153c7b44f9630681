// SPDX-License-Identifier: MIT
// Match records in any known XML format.
#pragma once

#include <string>
#include <string_view>

#include "gdl/text/error.h"
#include "server/records/match_record.h"

namespace ludens::server {

/// A document of Dresden's server, of Stanford's of 2007 or 2008, or a trace of the GameController,
/// recognised by its elements; or a sentence that says what is wrong.
gdl::Result<MatchRecord> parse_xml_record(std::string_view text);

/// Whether the document's root is that of a record. Text that is not XML may be a damaged record.
bool may_be_xml_record(std::string_view text);

}  // namespace ludens::server
