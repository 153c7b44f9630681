// SPDX-License-Identifier: MIT
// Everything that one context knows: terms, and the tables of the last few states.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gdl/interpreter/account.h"
#include "gdl/interpreter/memo.h"
#include "gdl/interpreter/program.h"

namespace ludens::gdl::interpreter {

/// The facts and tables of one state, and of one joint move in it.
struct StateTables {
  std::vector<std::unique_ptr<Rows>> owned_rows;
  std::vector<std::unique_ptr<Memo>> owned_memos;
  std::vector<Rows*> rows;              // by storage; static ones are the machine's
  std::vector<Memo*> memos;             // by procedure; static ones are the workspace's
  std::uint64_t epochs[3] = {1, 1, 1};  // by level
  std::uint64_t last_used = 0;
  bool loaded = false;
  std::vector<std::uint64_t> words;  // the state, as the caller knows it
  std::vector<std::uint32_t> moves;  // the joint move; empty if there is none
};

/// Not thread-safe.
class Workspace {
 public:
  /// A workspace with terms and tables of its own.
  Workspace(const Program& program, Account* account, std::size_t slots);
  /// For use while a program is compiled: adds to the program's own terms.
  Workspace(Program& program, Account* account);

  /// Adapts to the program, which grows while it is compiled.
  void extend();

  [[nodiscard]] TermStore& terms() { return *terms_; }
  [[nodiscard]] const TermStore& terms() const { return *terms_; }
  [[nodiscard]] std::size_t slot_count() const { return slots_.size(); }
  [[nodiscard]] StateTables& slot(std::size_t i) { return *slots_[i]; }
  /// A new number for tables, different from all earlier ones.
  std::uint64_t new_epoch() { return ++epoch_; }
  /// The least recently used slot, without facts.
  StateTables& oldest_slot();
  void touch(StateTables& tables) { tables.last_used = ++clock_; }
  void add_fluent(StateTables& tables, TermId fluent) const;

 private:
  void extend(StateTables& tables);

  const Program& program_;
  std::optional<TermStore> own_terms_;
  TermStore* terms_;
  Account* account_;
  std::uint64_t epoch_ = 1, clock_ = 0;
  std::vector<std::unique_ptr<Memo>> static_memos_;
  std::vector<std::unique_ptr<StateTables>> slots_;
  std::vector<StorageId> storage_of_functor_;
};

}  // namespace ludens::gdl::interpreter
