// SPDX-License-Identifier: MIT
// `ludens convert`: a rulesheet in the other language.
#pragma once

#include <string>

namespace ludens::server {

struct ConvertOptions {
  std::string game;
  std::string out;  // file; `-`: standard output
  std::string to;   // "kif" or "hrf"; empty: by the ending of `out`, else the language it is not in
  bool json = false;
};

/// Writes the rules in prefix GDL or in HRF. 1 if the rulesheet has errors or the other language
/// can't say it, with the places; 2 if it is in that language already.
int convert_command(const ConvertOptions& options);

}  // namespace ludens::server
