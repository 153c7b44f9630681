// SPDX-License-Identifier: MIT
// The configuration file: it can contain every option of every command; the command line has
// precedence.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gdl/text/error.h"

namespace ludens::server {

/// One element: `<ludens><serve><port>9147</port></serve></ludens>` is {"serve", "port", "9147"}.
/// An option that may be given several times may occur several times. A command without options in
/// the file is one setting, whose option is empty.
struct Setting {
  std::string command;
  std::string option;
  std::string value;
  int line = 1, column = 1;
};

struct ConfigurationError {
  int line = 1, column = 1;
  std::string text;
};

/// Reads an XML file of settings, in file order. The caller must check whether commands and options
/// exist, and what their values mean.
gdl::Result<std::vector<Setting>, ConfigurationError> read_configuration(
    const std::filesystem::path& file);
/// The same for a text.
gdl::Result<std::vector<Setting>, ConfigurationError> parse_configuration(const std::string& text);

}  // namespace ludens::server
