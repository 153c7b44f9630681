// SPDX-License-Identifier: MIT
#include "server/cli/trace_text.h"

#include <cmath>
#include <cstdio>
#include <ostream>
#include <vector>

#include "gdl/text/printable.h"

namespace ludens::server {

namespace {

using Kind = search::TraceNode::Kind;

std::string number(double value) {
  if (std::isinf(value)) return value < 0 ? "-∞" : "∞";
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string value_of(const search::TraceNode& node) {
  if (!node.done) return "not finished";
  std::string text;
  for (const double value : node.value) text += (text.empty() ? "" : " ") + number(value);
  return node.value.size() > 1 ? "(" + text + ")" : text;
}

std::string describe(const search::TraceNode& node, const Study& study) {
  switch (node.kind) {
    case Kind::Unseen:
      return "X";
    case Kind::Terminal:
      return value_of(node) + ", the end";
    case Kind::Recurrence:
      return value_of(node) + ", was there before";
    case Kind::Estimate:
      return value_of(node) + ", estimated";
    case Kind::Table:
      return value_of(node) + ", known from the table";
    case Kind::Max:
    case Kind::Min:
    case Kind::Chance:
      break;
  }
  const char* const name = node.kind == Kind::Max   ? "MAX "
                           : node.kind == Kind::Min ? "MIN "
                                                    : "CHANCE ";
  return name + study.machine().role_name(node.decider) + "  α=" + number(node.alpha) +
         " β=" + number(node.beta) + "  value " + value_of(node);
}

}  // namespace

void print_trace(const search::SearchTrace& trace, const Study& study, std::ostream& out) {
  std::vector<std::size_t> depths;
  for (const search::TraceNode& node : trace.nodes()) {
    const bool root = node.parent == search::TraceNode::kNone;
    depths.push_back(root ? 0 : depths[node.parent] + 1);
    const std::string move = root ? "" : study.move_name(node.move) + ": ";
    out << std::string(2 * depths.back(), ' ') << gdl::printable(move + describe(node, study))
        << "\n";
  }
  if (trace.left_out() > 0) out << "... and " << trace.left_out() << " nodes more\n";
}

}  // namespace ludens::server
