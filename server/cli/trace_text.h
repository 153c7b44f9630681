// SPDX-License-Identifier: MIT
// A searched tree, printed for people.
#pragma once

#include <iosfwd>

#include "search/strategy/trace.h"
#include "server/cli/study.h"

namespace ludens::server {

/// One node per line, indented by its depth: the move that leads there, who decides, alpha and beta
/// on entering, and the value; X if it was not searched.
void print_trace(const search::SearchTrace& trace, const Study& study, std::ostream& out);

}  // namespace ludens::server
