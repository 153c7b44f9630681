// SPDX-License-Identifier: MIT
// The expectations that replies must meet.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "server/compliance/case.h"

namespace ludens::server {

/// What is wrong with a reply; nullopt if nothing.
using Expectation = std::function<std::optional<std::string>(const ExchangeResult&)>;

/// Passed if all expectations hold; the first that does not is named.
Outcome expect(const Talk& talk, std::initializer_list<Expectation> expectations);
Outcome failed(const Talk& talk, std::string why);
Outcome skipped(const Talk& talk, std::string why);

/// Status 200 and this text, except for blanks and case.
Expectation says(std::string word);
/// `( ( name N ) ( status available ) )`; the status given, or either if empty.
Expectation is_info(std::string status = {});
Expectation has_status(int status);
/// An error status (4xx, 5xx), or a connection closed without a reply.
Expectation is_refused();
Expectation is_closed();
Expectation has_exact_length();
Expectation has_header(std::string name, std::string value);
Expectation is_one_line();

/// The text of a reply as one line with one blank between tokens; unchanged if it can't be parsed.
std::string normal_text(const std::string& body);

}  // namespace ludens::server
