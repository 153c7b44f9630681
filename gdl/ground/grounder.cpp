// The phases of grounding in order, and the instances.
#include "gdl/ground/grounder.h"

#include <algorithm>

#include "gdl/ground/grounding.h"

namespace ludens::gdl {

void Grounding::adopt_relations() {
  while (tuples.size() < flat.relations.size()) {
    tuples.emplace_back(flat.relations[tuples.size()].columns);
  }
  dynamic.resize(tuples.size(), false);
  filter.resize(tuples.size(), false);
}

bool GroundingMeter::fail(GroundingFailure::Kind kind, const char* text) {
  if (!failure) failure = GroundingFailure{kind, text, current_rule};
  return true;
}

bool GroundingMeter::check() {
  if (limits_.limits.stop != nullptr && limits_.limits.stop->stop_requested()) {
    return fail(GroundingFailure::Kind::Stopped, "stopped");
  }
  std::size_t rows = 0, bytes = instance_bytes;
  for (const Tuples& t : tuples_) {
    rows += t.size();
    bytes += t.bytes();
  }
  if (rows > limits_.max_rows) {
    return fail(GroundingFailure::Kind::OverBudget, "too many things could hold");
  }
  if (instances > limits_.max_instances) {
    return fail(GroundingFailure::Kind::OverBudget, "too many ground rules");
  }
  if (limits_.limits.memory != nullptr && bytes > reserved_) {
    if (!limits_.limits.memory->reserve(bytes - reserved_)) {
      return fail(GroundingFailure::Kind::OverBudget, "memory is used up");
    }
    reserved_ = bytes;
  }
  return false;
}

void GroundingMeter::release() {
  if (limits_.limits.memory != nullptr) limits_.limits.memory->release(reserved_);
}

std::optional<Atom> GroundProgram::find(std::uint32_t relation,
                                        const std::uint32_t* columns) const {
  const RowId row = tuples[relation].find(columns);
  if (row == kNoRow || !dynamic[relation]) return std::nullopt;
  return first_atom[relation] + row;
}

void GroundProgram::append_term(Shapes::Id shape, const std::uint32_t*& column,
                                std::vector<std::uint32_t>& out) const {
  if (shape == Shapes::kConstant) {
    out.push_back(*column++ * 2);
    return;
  }
  const auto& children = flat.shapes.children(shape);
  out.push_back(flat.shapes.functor(shape) * 2 + 1);
  out.push_back(static_cast<std::uint32_t>(children.size()));
  for (const Shapes::Id child : children) append_term(child, column, out);
}

namespace {

// What depends on the state or the moves, and the outputs even where they don't.
void find_dynamic(Grounding& g) {
  for (std::size_t r = 0; r < g.flat.relations.size(); ++r) {
    switch (g.flat.relations[r].relation) {
      case kTrue:
      case kDoes:
      case kNext:
      case kLegal:
      case kGoal:
      case kTerminal:
        g.dynamic[r] = true;
        break;
      default:
        break;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const FlatRule& rule : g.flat.flat_rules) {
      if (g.dynamic[rule.head]) continue;
      for (const FlatLiteral& l : rule.body) {
        if (l.kind == Literal::Kind::Distinct || !g.dynamic[l.relation]) continue;
        g.dynamic[rule.head] = changed = true;
        break;
      }
    }
  }
}

class Instances final : public Join::Sink {
 public:
  Instances(Grounding& g, GroundingMeter& meter, GroundProgram& out)
      : g_(g), meter_(meter), out_(out) {
    out_.first_atom.assign(g.tuples.size(), 0);
    for (std::size_t r = 0; r < g.tuples.size(); ++r) {
      if (!g.dynamic[r]) continue;
      out_.first_atom[r] = out_.atoms;
      out_.atoms += g.tuples[r].size();
    }
    out_.begin.push_back(0);
  }

  void run(const FlatRule& rule) {
    rule_ = &rule;
    meter_.current_rule = rule.source;
    Join::Options options;
    options.needed.assign(rule.variables, false);
    need(rule.columns, options);
    for (const FlatLiteral& l : rule.body) {
      const bool positive = l.kind == Literal::Kind::Positive;
      const bool dynamic = l.kind != Literal::Kind::Distinct && g_.dynamic[l.relation];
      options.ignored.push_back(l.kind == Literal::Kind::Negative && dynamic);
      options.ranges.push_back(positive ? RowRange{0, g_.tuples[l.relation].size()} : RowRange{});
      if (positive && options.ranges.back().to == 0) return;
      if (dynamic) need(l.columns, options);
    }
    Join(rule, g_.tuples, std::move(options)).run(*this, meter_);
  }

  void match(const std::uint32_t* values, const RowId* rows) override {
    const RowId head = find(rule_->head, rule_->columns, values);
    if (head == kNoRow) return;  // what filters the head does not ask for it
    for (std::size_t i = 0; i < rule_->body.size(); ++i) {
      const FlatLiteral& l = rule_->body[i];
      if (l.kind == Literal::Kind::Distinct || !g_.dynamic[l.relation] || g_.filter[l.relation])
        continue;
      const bool negative = l.kind == Literal::Kind::Negative;
      const RowId row = negative ? find(l.relation, l.columns, values) : rows[i];
      if (row == kNoRow) continue;  // only under `not`: never holds
      out_.literals.push_back((out_.first_atom[l.relation] + row) * 2 + negative);
    }
    out_.heads.push_back(out_.first_atom[rule_->head] + head);
    out_.begin.push_back(out_.literals.size());
    ++meter_.instances;
    meter_.instance_bytes = out_.literals.capacity() * sizeof(AtomLiteral) +
                            out_.heads.capacity() * (sizeof(Atom) + sizeof(std::uint64_t));
  }

 private:
  void need(const std::vector<FlatTerm>& columns, Join::Options& options) const {
    for (const FlatTerm& t : columns) {
      if (t.variable) options.needed[t.value] = true;
    }
  }

  RowId find(std::uint32_t relation, const std::vector<FlatTerm>& columns,
             const std::uint32_t* values) {
    row_.clear();
    for (const FlatTerm& t : columns) row_.push_back(t.variable ? values[t.value] : t.value);
    return g_.tuples[relation].find(row_.data());
  }

  Grounding& g_;
  GroundingMeter& meter_;
  GroundProgram& out_;
  const FlatRule* rule_ = nullptr;
  std::vector<std::uint32_t> row_;
};

// What could ever hold, be legal or be done.
void reach(Grounding& g, GroundingMeter& meter) {
  std::vector<const FlatRule*> rules;
  for (const FlatRule& rule : g.flat.flat_rules) rules.push_back(&rule);
  std::vector<std::uint32_t> growing;
  for (std::uint32_t r = 0; r < g.dynamic.size(); ++r) {
    if (g.dynamic[r]) growing.push_back(r);
  }
  meter.current_rule = 0;
  evaluate(g, rules, growing, false, meter);
}

}  // namespace

std::variant<GroundProgram, GroundingFailure> ground(std::shared_ptr<const Rules> rules,
                                                     const GroundingLimits& limits) {
  auto flat = flatten(std::move(rules));
  if (auto* failure = std::get_if<GroundingFailure>(&flat)) return std::move(*failure);
  Grounding g(std::get<FlatProgram>(std::move(flat)));
  GroundingMeter meter(limits, g.tuples);
  find_dynamic(g);
  evaluate_static(g, meter);
  if (!meter.over()) add_demand(g);
  if (!meter.over()) split_bodies(g, meter);
  if (!meter.over()) reach(g, meter);
  GroundProgram out;
  Instances instances(g, meter, out);
  for (const FlatRule& rule : g.flat.flat_rules) {
    if (!rule.relaxed_only && !meter.over()) instances.run(rule);
  }
  if (meter.over() || meter.check()) return *meter.failure;
  out.flat = std::move(g.flat);
  out.tuples = std::move(g.tuples);
  out.dynamic = std::move(g.dynamic);
  return out;
}

}  // namespace ludens::gdl
