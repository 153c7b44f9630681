// SPDX-License-Identifier: MIT
#include "agent/runtime/match_log.h"

#include <chrono>
#include <exception>
#include <utility>

#include "agent/thread/freed_memory.h"
#include "gdl/check/check.h"
#include "gdl/ground/declarations.h"
#include "search/strategy/stopping.h"

namespace ludens::agent {
namespace {

constexpr std::size_t kFindings = 20;
constexpr std::size_t kLineLength = 400;
constexpr std::size_t kStateLength = 1000;
constexpr std::size_t kMostFindings = 1000;          // of each severity that are searched for
constexpr auto kPatience = std::chrono::seconds(2);  // for the whole check

void log_diagnostics(spdlog::logger& log, const std::string& match,
                     const gdl::Diagnostics& diagnostics) {
  std::size_t grave = 0;
  for (const gdl::Diagnostic& diagnostic : diagnostics) {
    const bool note = diagnostic.severity == gdl::Severity::Note;
    if (!note && ++grave > kFindings) continue;
    log.log(note ? spdlog::level::debug : spdlog::level::warn, "{}",
            printable(gdl::format(diagnostic, match), kLineLength));
  }
  if (grave > kFindings) log.warn("match={} {} more findings", match, grave - kFindings);
}

}  // namespace

std::string printable(std::string_view text, std::size_t length) {
  std::string out;
  for (const char c : text.substr(0, length)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  if (text.size() > length) out += "...";
  return out;
}

void log_flaw(spdlog::logger& log, std::string_view match, const gdl::Flaw& flaw) {
  log.warn("match={} flaw of the game: {} for role {} in {}", match, gdl::to_string(flaw.kind),
           flaw.role, printable(flaw.state, kStateLength));
}

void log_end(spdlog::logger& log, std::string_view match, const FinalReport& report) {
  std::string goals;
  for (std::size_t i = 0; report.derived && i < report.roles.size(); ++i) {
    goals += (goals.empty() ? "" : " ") + report.roles[i] + "=" + std::to_string(report.goals[i]);
  }
  if (!report.derived) goals = "unknown";
  if (!report.replaced.empty())
    log.warn("match={} the host replaced our {}", match, report.replaced);
  log.info("match={} over, {} goals: {}", match, report.terminal ? "final" : "not final", goals);
  for (const gdl::Flaw& flaw : report.flaws) log_flaw(log, match, flaw);
}

std::unique_ptr<Worker> log_findings(std::shared_ptr<spdlog::logger> log, std::string match,
                                     gdl::NormalisedRules rules,
                                     std::shared_ptr<gdl::MemoryBudget> memory,
                                     std::stop_token stop, std::shared_ptr<Line> line) {
  auto worker = std::make_unique<Worker>(return_memory);
  worker->post([log = std::move(log), match = std::move(match), rules = std::move(rules),
                memory = std::move(memory), stop = std::move(stop), line = std::move(line)] {
    gdl::Diagnostics diagnostics;
    try {
      const search::Deadline until(std::chrono::steady_clock::now() + kPatience, stop);
      gdl::GroundingLimits limits;
      limits.limits = {&until, memory.get()};
      diagnostics = gdl::check(rules, limits.limits, kMostFindings);
      for (gdl::Diagnostic& d : gdl::check_declarations(rules.rules, limits)) {
        diagnostics.push_back(std::move(d));
      }
    } catch (const std::exception&) {
      diagnostics = rules.diagnostics;
    }
    line->post([diagnostics = std::move(diagnostics), log, match] {
      log_diagnostics(*log, match, diagnostics);
    });
  });
  worker->finish();
  return worker;
}

}  // namespace ludens::agent
