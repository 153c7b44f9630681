// SPDX-License-Identifier: MIT
// Rules compiled into join plans: what the engine runs.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "gdl/interpreter/term_store.h"
#include "gdl/interpreter/tuples.h"

namespace ludens::gdl::interpreter {

using StorageId = std::uint32_t;
using ProcedureId = std::uint32_t;

/// What a relation's extension may change with; tables are kept as long as that stays the same.
enum class Level : std::uint8_t { Static, State, Move };

/// A value that an operation reads: a register, or with the high bit set a term.
using Operand = std::uint32_t;
inline constexpr Operand kTermBit = 0x80000000;

/// One comparison or binding of a match. `source` is a column of the current tuple, or a register.
struct Match {
  enum class Kind : std::uint8_t {
    BindColumn,       // operand (a register) := column
    CheckColumn,      // column == operand
    DecomposeColumn,  // column is a compound of `functor`; its arguments into operand, operand+1..
    CheckRegister,    // register == operand
    DecomposeRegister,  // as DecomposeColumn
  };
  Kind kind;
  std::uint32_t source;
  std::uint32_t operand;
  FunctorId functor = 0;
};

/// One step of a plan. A plan runs forwards; a step that fails says where to continue: at an
/// earlier step that may have a further candidate. `fail` is where to go when a step's candidates
/// are used up, `empty` when it had none at all: then it is pointless to retry steps whose bindings
/// it does not depend on. -1 is the end of the clause.
struct Op {
  enum class Kind : std::uint8_t {
    Scan,          // candidates: all rows of storage `subject`
    Lookup,        // candidates: its rows under the key, by `index`
    Exists,        // some row under the key (all rows without one) matches; binds nothing
    NotExists,     //
    Call,          // candidates: answers of procedure `subject` to the key
    CallFiltered,  // its only table, complete, under the key by `index`
    CallTrue,      // the call has an answer
    CallFalse,     //
    Compare,       // matches on registers; binds as a by-product
    Distinct,      // two operands differ
    Build,         // register `target` := compound of functor `subject`
    Alternative,   // continues; on return, continues at `target` instead
    Jump,          // continues at `target`
    Fail,          //
    Emit,          // an answer of the procedure: operands are the columns
  };
  Kind kind;
  std::int32_t fail = -1, empty = -1;
  std::uint32_t subject = 0;
  std::uint32_t index = kNone;
  std::uint32_t target = 0;
  std::uint32_t iterator = 0;  // register of the current candidate; the next one is used too
  std::uint32_t operands = 0, operand_count = 0;  // key, arguments or columns
  std::uint32_t matches = 0, match_count = 0;
};

struct ClausePlan {
  std::uint32_t matches = 0, match_count = 0;  // the head against the key, in registers 0..
  std::uint32_t first_op = 0;
  std::uint32_t registers = 0;
};

/// A relation asked in one way: some arguments given (the key), some wanted (the columns), the
/// rest of no interest.
struct Procedure {
  std::uint32_t relation = 0;
  Level level = Level::Static;
  std::uint32_t key_width = 0, width = 0;
  std::uint32_t first_clause = 0, clause_count = 0;
  std::vector<Columns> indices;  // over answers, if key_width is 0
};

struct Program {
  TermStore terms;  // all terms of the rules and of static relations
  std::vector<Op> ops;
  std::vector<Operand> operands;
  std::vector<Match> matches;
  std::vector<ClausePlan> clauses;
  std::vector<Procedure> procedures;

  // Storages: static ones first come with their rows; the others are filled for each state.
  struct Storage {
    Level level = Level::Static;
    std::uint32_t width = 0;
    std::shared_ptr<Rows> rows;    // static ones
    std::vector<Columns> indices;  // the others
  };
  std::vector<Storage> storages;
  StorageId any_fluent = 0;                             // (F) all fluents
  StorageId plain_fluent = 0;                           // (F) those that are constants
  StorageId does = 0;                                   // (role, move)
  std::unordered_map<FunctorId, StorageId> fluents_of;  // (arguments.., F) by functor

  std::vector<TermId> roles;
};

}  // namespace ludens::gdl::interpreter
