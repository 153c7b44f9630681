// SPDX-License-Identifier: MIT
// Builtins of HRF as facts and rules of prefix GDL.
#pragma once

#include "gdl/hrf/prefix.h"
#include "gdl/hrf/sheet.h"

namespace ludens::gdl::hrf {

/// Facts for all relations of numbers that the rules use, and rules for all counts. What can't be
/// written out is reported.
void write_out_builtins(Sheet& sheet, PrefixRules& rules);

}  // namespace ludens::gdl::hrf
