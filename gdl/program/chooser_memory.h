// SPDX-License-Identifier: MIT
// The choosers of one thread, with their working memory.
#pragma once

#include <vector>

#include "gdl/kernel/kernel.h"
#include "gdl/program/registers.h"
#include "gdl/program/step_tables.h"

namespace ludens::gdl {

/// The choosers of a program's roles. One thread at a time may use them.
class ChooserMemory {
 public:
  /// False if the budget does not allow it. The tables must outlive this.
  bool allocate(const StepTables& tables, const kernel::Kernel& kernel, MemoryBudget* budget) {
    choosers_ = tables.choosers();
    sparse_ = tables.sparse();
    memory_ = std::vector<Registers>(choosers_.size() + sparse_.size());
    std::size_t next = 0;
    for (kernel::Chooser& c : choosers_) {
      if (!memory_[next].allocate(kernel.chooser_scratch(c.tree), budget)) return false;
      c.scratch = memory_[next++].data();
    }
    for (kernel::SparseChooser& c : sparse_) {
      if (!memory_[next].allocate(kernel.sparse_scratch(c.tree), budget)) return false;
      c.scratch = memory_[next++].data();
    }
    return true;
  }

  [[nodiscard]] const std::vector<kernel::Chooser>& choosers() const { return choosers_; }
  [[nodiscard]] const std::vector<kernel::SparseChooser>& sparse() const { return sparse_; }

 private:
  std::vector<kernel::Chooser> choosers_;
  std::vector<kernel::SparseChooser> sparse_;
  std::vector<Registers> memory_;
};

}  // namespace ludens::gdl
