// SPDX-License-Identifier: MIT
#include "server/cli/prepared_machine.h"

#include <utility>

#include "gdl/registry/machines.h"

namespace ludens::server {

namespace {

constexpr const char* kInterpreter = "interpreter";

}  // namespace

gdl::Result<PreparedMachine> PreparedMachine::make(
    const std::string& name, const std::shared_ptr<gdl::Vocabulary>& vocabulary,
    const search::Deadline& deadline, search::TimePoint patience) {
  if (const auto known = gdl::find_machine_kind(name); !known) return known.error();
  PreparedMachine made;
  if (name != kInterpreter) {
    auto faster = std::make_unique<agent::Acceleration>(name == "auto" ? "sliced" : name,
                                                        vocabulary, nullptr, deadline);
    faster->wait(deadline.no_later_than(patience));
    made.first_ = faster->machine();
    if (faster->building()) {
      made.acceleration_ = std::move(faster);
    } else if (made.first_ == nullptr && name != "auto") {
      return gdl::Error{faster->why_not()};
    }
  }
  if (made.first_ != nullptr) return made;
  auto interpreter = gdl::make_machine(kInterpreter, vocabulary, {&deadline, nullptr});
  if (!interpreter) return interpreter.error();
  made.first_ = *std::move(interpreter);
  return made;
}

void PreparedMachine::run(const search::Position& position, const search::Deadline& deadline,
                          const agent::Acceleration::Work& work) {
  if (acceleration_ == nullptr) {
    (void)work(position, deadline);
  } else {
    acceleration_->run(position, deadline, work);
  }
}

std::string PreparedMachine::summary() const {
  return acceleration_ == nullptr ? "" : acceleration_->summary();
}

}  // namespace ludens::server
