// SPDX-License-Identifier: MIT
#include "gdl/text/diagnostic.h"

#include <algorithm>

#include "gdl/text/printable.h"

namespace ludens::gdl {
namespace {

/// Longer texts quote a name that is too long to read.
constexpr std::size_t kLongestText = 1000;

}  // namespace

void DiagnosticList::add(Diagnostic diagnostic) {
  if (counts_[static_cast<std::size_t>(diagnostic.severity)]++ >= most_) return;
  if (diagnostic.text.size() > kLongestText) {
    diagnostic.text = diagnostic.text.substr(0, kLongestText) + "...";
  }
  all_.push_back(std::move(diagnostic));
}

bool has_error(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::Note:
      return "note";
    case Severity::Warning:
      return "warning";
    case Severity::Error:
      break;
  }
  return "error";
}

std::string format(const Diagnostic& diagnostic, std::string_view file) {
  std::string line = printable(file);
  line += ':' + std::to_string(diagnostic.where.line) + ':' +
          std::to_string(diagnostic.where.column) + ": ";
  line += to_string(diagnostic.severity);
  line += ": " + printable(diagnostic.text);
  const bool many_on_a_line = diagnostic.where.line == 1 && diagnostic.where.form > 1;
  if (many_on_a_line) line += " (form " + std::to_string(diagnostic.where.form) + ')';
  return line;
}

}  // namespace ludens::gdl
