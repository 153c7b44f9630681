// SPDX-License-Identifier: MIT
// A program in the form that the kernels take: the arrays that a kernel's Step points to.
#pragma once

#include <vector>

#include "gdl/kernel/kernel.h"
#include "gdl/memory/held_memory.h"
#include "gdl/program/program.h"
#include "gdl/program/registers.h"

namespace ludens::gdl {

/// Built once for a program, shared by all threads.
class StepTables {
 public:
  /// `apart`: groups of fluents, by index.
  StepTables(const Program& program, const std::vector<kernel::Edge>& guard,
             const std::vector<std::vector<std::uint32_t>>& apart);

  /// The choosers must be those of the calling thread.
  [[nodiscard]] kernel::Step step(const std::vector<kernel::Chooser>& choosers,
                                  const std::vector<kernel::SparseChooser>& sparse) const;

  /// The choosers, without scratch. They point into the program.
  [[nodiscard]] const std::vector<kernel::Chooser>& choosers() const { return choosers_; }
  [[nodiscard]] const std::vector<kernel::SparseChooser>& sparse() const { return sparse_; }
  [[nodiscard]] std::uint32_t crossed() const {
    return static_cast<std::uint32_t>(crossed_.size());
  }
  [[nodiscard]] std::size_t bytes() const {
    return bytes_of_rows(legal_) + bytes_of_rows(mixed_) + bytes_of_rows(apart_) +
           bytes_of(guard_, groups_, choosers_, sparse_, plain_, complemented_, crossed_,
                    crossed_inverted_);
  }

 private:
  void add_choosers(const Program& program);
  void add_updates(const Program& program);

  std::vector<kernel::Edge> guard_;
  std::vector<std::vector<std::uint32_t>> apart_;
  std::vector<kernel::FluentGroup> groups_;  // `apart_`
  kernel::Edge terminal_;
  std::vector<std::vector<kernel::Edge>> legal_;  // [chooser]
  std::vector<std::vector<std::uint8_t>> mixed_;  // [chooser]
  std::vector<kernel::Chooser> choosers_;
  std::vector<kernel::SparseChooser> sparse_;
  std::uint32_t first_set_, sets_;
  bool stuck_ = false;  // some role never has a legal move
  std::vector<kernel::Update> plain_, complemented_, crossed_;
  std::vector<std::uint32_t> crossed_inverted_;
};

}  // namespace ludens::gdl
