// SPDX-License-Identifier: MIT
// The messages of Gamemaster as text: `message(ID,SENDER,RECEIVER,CONTENT)`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gdl/text/error.h"

namespace ludens::server {

/// A term without its inner structure: its name and the texts of its arguments, without blanks
/// around them.
struct OuterTerm {
  std::string name;
  std::vector<std::string> arguments;
};

/// The error is a sentence. Commas within parentheses, brackets and quotation marks do not
/// separate arguments.
gdl::Result<OuterTerm> read_outer_term(std::string_view text);

struct Envelope {
  std::string id, sender, receiver;
  OuterTerm content;  // `ping()`, `start(...)`, `play(...)`, ...
};

gdl::Result<Envelope> read_envelope(std::string_view text);

/// `message(ID,SENDER,RECEIVER,CONTENT)`.
std::string write_envelope(std::string_view id, std::string_view sender, std::string_view receiver,
                           std::string_view content);

}  // namespace ludens::server
