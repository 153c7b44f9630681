// SPDX-License-Identifier: MIT
// Arguments of views that only those who ask bind.
#pragma once

#include "gdl/hrf/prefix.h"
#include "gdl/hrf/sheet.h"

namespace ludens::gdl::hrf {

/// A view may leave a variable of its head to its callers, as the venue's reasoner answers call by
/// call. Prefix GDL calls that unsafe. Such a variable gets a relation of the terms that the rules
/// can ask for.
void bind_open_columns(Sheet& sheet, PrefixRules& rules);

}  // namespace ludens::gdl::hrf
