// SPDX-License-Identifier: MIT
#include "gdl/ground/instances.h"

#include <algorithm>

#include "gdl/ground/grounding.h"
#include "gdl/ground/join.h"

namespace ludens::gdl {

class Instances::Maker final : public Join::Sink {
 public:
  Maker(GroundProgram& program, const GroundingLimits& limits)
      : program_(program), meter(limits, program.tuples), rules_of_(program.tuples.size()) {
    for (const FlatRule& rule : program.flat.flat_rules) {
      if (!rule.relaxed_only) rules_of_[rule.head].push_back({&rule, nullptr});
    }
    for (std::uint32_t r = 0; r < program.tuples.size(); ++r) {
      if (program.dynamic[r] && program.tuples[r].size() != 0) {
        numbered_.push_back({program.first_atom[r], r});
      }
    }
    std::ranges::sort(numbered_, {}, &Numbered::first);
    meter.beside = [this] { return made + (out_ != nullptr ? out_->bytes() * kCopies : 0); };
  }

  bool of(Atom head, Bodies& out) {
    out.clear();
    out_ = &out;
    const auto behind = std::ranges::upper_bound(numbered_, head, {}, &Numbered::first);
    const auto [first, relation] = *std::prev(behind);
    const std::uint32_t* row = program_.tuples[relation].row(head - first);
    for (Planned& planned : rules_of_[relation]) {
      if (!run(planned, row)) return false;
    }
    meter.instances += out.size();
    return true;
  }

  void match(const std::uint32_t* values, const RowId* rows) override {
    for (std::size_t i = 0; i < rule_->body.size(); ++i) {
      const FlatLiteral& l = rule_->body[i];
      if (l.kind == Literal::Kind::Distinct || !program_.dynamic[l.relation] ||
          program_.filter[l.relation]) {
        continue;
      }
      const bool negative = l.kind == Literal::Kind::Negative;
      const RowId row = negative ? find(l, values) : rows[i];
      if (row == kNoRow) continue;  // only under `not`: never holds
      out_->add((program_.first_atom[l.relation] + row) * 2 + (negative ? 1 : 0));
    }
    out_->end_body();
  }

 private:
  /// The bodies of one head are copied when they are factored: each into an array of its own.
  static constexpr std::size_t kCopies = 8;

  struct Planned {
    const FlatRule* rule;
    std::unique_ptr<Join> join;  // made when first needed
  };
  struct Numbered {
    Atom first;
    std::uint32_t relation;
  };

  bool run(Planned& planned, const std::uint32_t* row) {
    if (meter.over() || meter.spend()) return false;
    rule_ = planned.rule;
    meter.current_rule = rule_->source;
    if (planned.join == nullptr) planned.join = plan(*rule_);
    const auto& columns = rule_->columns;
    first_at_.assign(rule_->variables, kNoRow);
    for (std::uint32_t c = 0; c < columns.size(); ++c) {
      if (!columns[c].variable) {
        if (columns[c].value != row[c]) return true;
        continue;
      }
      std::uint32_t& first = first_at_[columns[c].value];
      if (first != kNoRow && row[first] != row[c]) return true;
      first = c;
      planned.join->give(columns[c].value, row[c]);
    }
    planned.join->run(*this);
    return !meter.over();
  }

  [[nodiscard]] std::unique_ptr<Join> plan(const FlatRule& rule) {
    Join::Options options;
    options.needed.assign(rule.variables, false);
    options.given.assign(rule.variables, false);
    mark(rule.columns, options.given);
    for (const FlatLiteral& l : rule.body) {
      const bool positive = l.kind == Literal::Kind::Positive;
      const bool dynamic = l.kind != Literal::Kind::Distinct && program_.dynamic[l.relation];
      options.ignored.push_back(l.kind == Literal::Kind::Negative && dynamic);
      options.ranges.push_back(positive ? RowRange{0, program_.tuples[l.relation].size()}
                                        : RowRange{});
      if (dynamic) mark(l.columns, options.needed);
    }
    return std::make_unique<Join>(rule, program_.tuples, std::move(options), meter);
  }

  static void mark(const std::vector<FlatTerm>& columns, std::vector<bool>& variables) {
    for (const FlatTerm& t : columns) {
      if (t.variable) variables[t.value] = true;
    }
  }

  RowId find(const FlatLiteral& l, const std::uint32_t* values) {
    row_.clear();
    for (const FlatTerm& t : l.columns) row_.push_back(t.variable ? values[t.value] : t.value);
    return program_.tuples[l.relation].find(row_.data());
  }

  GroundProgram& program_;

 public:
  std::size_t made = 0;  // bytes, by the caller
  GroundingMeter meter;

 private:
  std::vector<std::vector<Planned>> rules_of_;  // [flat relation]
  std::vector<Numbered> numbered_;              // by first atom
  Bodies* out_ = nullptr;
  const FlatRule* rule_ = nullptr;       // the current rule
  std::vector<std::uint32_t> first_at_;  // [variable]: its column in the head
  std::vector<std::uint32_t> row_;
};

Instances::Instances(GroundProgram& program, const GroundingLimits& limits)
    : maker_(std::make_unique<Maker>(program, limits)) {}

Instances::~Instances() = default;

bool Instances::of(Atom head, Bodies& out) {
  return maker_->of(head, out);
}

void Instances::note_made(std::size_t bytes) {
  maker_->made = bytes;
}

std::uint64_t Instances::count() const {
  return maker_->meter.instances;
}

const GroundingFailure& Instances::failure() const {
  return *maker_->meter.failure;
}

}  // namespace ludens::gdl
