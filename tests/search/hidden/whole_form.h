// SPDX-License-Identifier: MIT
// All of a game with hidden information, from its initial state.
#pragma once

#include <gtest/gtest.h>

#include "search/hidden/extensive_form.h"

namespace ludens::search::hidden::tests {

inline gdl::State initial_of(const gdl::Machine& machine) {
  gdl::State initial;
  EXPECT_EQ(machine.initial(*machine.make_context(), initial), gdl::Status::Ok);
  return initial;
}

inline ExtensiveForm whole_form(const gdl::Machine& machine) {
  return ExtensiveForm::build(machine, initial_of(machine), Deadline(), nullptr).value();
}

}  // namespace ludens::search::hidden::tests
