// A program as the kernels take it: the arrays that a kernel's Step points to.
#pragma once

#include <vector>

#include "gdl/sliced/kernel.h"
#include "gdl/sliced/program.h"
#include "gdl/sliced/registers.h"

namespace ludens::gdl {

/// Built once for a program, shared by all threads.
class StepTables {
 public:
  StepTables(const Program& program, const std::vector<kernel::Edge>& guard);

  /// `choosers` are those of the thread.
  [[nodiscard]] kernel::Step step(const std::vector<kernel::Chooser>& choosers) const;

  /// Without scratch.
  [[nodiscard]] const std::vector<kernel::Chooser>& choosers() const { return choosers_; }
  [[nodiscard]] std::uint32_t crossed() const {
    return static_cast<std::uint32_t>(crossed_.size());
  }

 private:
  void add_choosers(const Program& program);
  void add_updates(const Program& program);

  std::vector<kernel::Edge> guard_;
  kernel::Edge terminal_;
  std::vector<std::vector<kernel::Edge>> legal_;  // [chooser]
  std::vector<std::vector<std::uint8_t>> mixed_;  // [chooser]
  std::vector<kernel::Chooser> choosers_;
  std::vector<kernel::Update> plain_, complemented_, crossed_;
  std::vector<std::uint32_t> crossed_inverted_;
};

}  // namespace ludens::gdl
