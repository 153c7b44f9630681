// SPDX-License-Identifier: MIT
#include "server/cli/diagnostic_lines.h"

#include <array>
#include <map>
#include <utility>

#include "gdl/text/printable.h"
#include "server/cli/terminal.h"
#include "server/statistics/standings_text.h"

namespace ludens::server {

namespace {

using gdl::Severity;

constexpr std::size_t kMostAlike = 5;

Style style_of(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return Style::Bad;
    case Severity::Warning:
      return Style::Doubtful;
    case Severity::Note:
      break;
  }
  return Style::Faint;
}

std::string coloured(std::string line, Severity severity, int terminal) {
  const std::string word(gdl::to_string(severity));
  const std::size_t at = line.find(": " + word + ": ");
  if (at == std::string::npos) return line;
  return line.replace(at + 2, word.size(), painted(terminal, word, style_of(severity)));
}

/// The number of diagnostics of each severity.
class SeverityCounts {
 public:
  void add(Severity severity) { ++counts_[static_cast<std::size_t>(severity)]; }
  /// "3 errors, 1 note"; empty if there are none.
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
      const std::size_t count = counts_[static_cast<std::size_t>(severity)];
      if (count == 0) continue;
      text += (text.empty() ? "" : ", ") + count_text(count, std::string(to_string(severity)));
    }
    return text;
  }

 private:
  std::array<std::size_t, 3> counts_{};
};

}  // namespace

void print_diagnostics(std::ostream& out, int terminal, const gdl::Diagnostics& diagnostics,
                       const std::string& file, std::size_t limit, const std::string& remedy) {
  std::map<std::pair<Severity, std::string>, std::size_t> alike;
  std::size_t printed = 0;
  SeverityCounts left_out;
  for (const gdl::Diagnostic& d : diagnostics) {
    const bool all = limit == 0;
    if (!all && (printed == limit || ++alike[{d.severity, d.text}] > kMostAlike)) {
      left_out.add(d.severity);
      continue;
    }
    ++printed;
    out << coloured(gdl::format(d, file), d.severity, terminal) << '\n';
  }
  if (const std::string text = left_out.text(); !text.empty()) {
    out << gdl::printable(file) << ": not shown: " << text << "; " << remedy << '\n';
  }
}

}  // namespace ludens::server
