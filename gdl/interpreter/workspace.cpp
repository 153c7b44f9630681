// SPDX-License-Identifier: MIT
#include "gdl/interpreter/workspace.h"

#include <algorithm>

namespace ludens::gdl::interpreter {

Workspace::Workspace(const Program& program, Account* account, std::size_t slots)
    : program_(program),
      own_terms_(std::in_place, program.terms, account),
      terms_(&*own_terms_),
      account_(account) {
  for (std::size_t i = 0; i < slots; ++i) slots_.push_back(std::make_unique<StateTables>());
  extend();
}

Workspace::Workspace(Program& program, Account* account)
    : program_(program), terms_(&program.terms), account_(account) {
  slots_.push_back(std::make_unique<StateTables>());
  extend();
}

void Workspace::extend() {
  const auto& procedures = program_.procedures;
  while (static_memos_.size() < procedures.size()) {
    const Procedure& p = procedures[static_memos_.size()];
    static_memos_.push_back(p.level == Level::Static
                                ? std::make_unique<Memo>(p.key_width, p.width, account_)
                                : nullptr);
  }
  for (auto& slot : slots_) extend(*slot);
  storage_of_functor_.assign(program_.terms.functor_count(), kNone);
  for (const auto& [functor, storage] : program_.fluents_of) storage_of_functor_[functor] = storage;
}

void Workspace::extend(StateTables& tables) {
  while (tables.rows.size() < program_.storages.size()) {
    const Program::Storage& storage = program_.storages[tables.rows.size()];
    tables.owned_rows.push_back(nullptr);
    if (storage.level == Level::Static) {
      tables.rows.push_back(storage.rows.get());
      continue;
    }
    tables.owned_rows.back() = std::make_unique<Rows>(storage.width, account_);
    tables.rows.push_back(tables.owned_rows.back().get());
  }
  while (tables.memos.size() < program_.procedures.size()) {
    const Procedure& p = program_.procedures[tables.memos.size()];
    tables.owned_memos.push_back(nullptr);
    if (p.level == Level::Static) {
      tables.memos.push_back(static_memos_[tables.memos.size()].get());
      continue;
    }
    tables.owned_memos.back() = std::make_unique<Memo>(p.key_width, p.width, account_);
    tables.memos.push_back(tables.owned_memos.back().get());
  }
  // Indices that were asked for since.
  for (std::size_t i = 0; i < tables.rows.size(); ++i) {
    if (!tables.owned_rows[i]) continue;
    for (const Columns& columns : program_.storages[i].indices) {
      tables.rows[i]->require_index(columns);
    }
  }
  for (std::size_t i = 0; i < tables.memos.size(); ++i) {
    tables.memos[i]->require_indices(program_.procedures[i].indices);
  }
}

StateTables& Workspace::oldest_slot() {
  const auto oldest = std::ranges::min_element(
      slots_, {}, [](const std::unique_ptr<StateTables>& slot) { return slot->last_used; });
  StateTables& tables = **oldest;
  for (const auto& rows : tables.owned_rows) {
    if (rows) rows->clear();
  }
  tables.epochs[static_cast<int>(Level::State)] = new_epoch();
  tables.epochs[static_cast<int>(Level::Move)] = new_epoch();
  tables.words.clear();
  tables.moves.clear();
  tables.loaded = false;
  touch(tables);
  return tables;
}

void Workspace::add_fluent(StateTables& tables, TermId fluent) const {
  *tables.rows[program_.any_fluent]->add() = fluent;
  if (terms_->is_constant(fluent)) {
    *tables.rows[program_.plain_fluent]->add() = fluent;
    return;
  }
  const FunctorId functor = terms_->functor_of(fluent);
  const StorageId storage =
      functor < storage_of_functor_.size() ? storage_of_functor_[functor] : kNone;
  if (storage == kNone) return;  // no rule asks for fluents of this form
  const std::uint32_t arity = terms_->functor_at(functor).arity;
  std::uint32_t* row = tables.rows[storage]->add();
  copy_words(terms_->arguments(fluent), arity, row);
  row[arity] = fluent;
}

}  // namespace ludens::gdl::interpreter
