// SPDX-License-Identifier: MIT
// What is wrong with a text, as a value: parser, normaliser, checker and machines all report in
// this form.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gdl/text/location.h"

namespace ludens::gdl {

/// Error: the rulesheet is refused. Warning: the rulesheet is broken, but has one sensible meaning
/// and is played with that. Note: harmless.
enum class Severity { Note, Warning, Error };

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string code;  // stable, lower-case with dashes: "unclosed-parenthesis", "unsafe-variable"
  std::string text;  // a sentence without position, lower-case first letter, no full stop
  Location where;
};

using Diagnostics = std::vector<Diagnostic>;

/// Collects the first diagnostics of each severity, up to a limit, with texts of a bounded length.
/// An untrusted rulesheet may be wrong in a million places.
class DiagnosticList {
 public:
  explicit DiagnosticList(std::size_t most = SIZE_MAX) : most_(most) {}
  void add(Diagnostic diagnostic);
  [[nodiscard]] Diagnostics take() { return std::move(all_); }

 private:
  std::size_t most_;                     // of each severity
  std::array<std::size_t, 3> counts_{};  // by severity
  Diagnostics all_;
};

bool has_error(const Diagnostics& diagnostics);

/// "note", "warning" or "error".
std::string_view to_string(Severity severity);

/// `FILE:LINE:COLUMN: SEVERITY: TEXT`, and ` (form N)` if several forms are on the first line, as
/// in START.
std::string format(const Diagnostic& diagnostic, std::string_view file);

}  // namespace ludens::gdl
