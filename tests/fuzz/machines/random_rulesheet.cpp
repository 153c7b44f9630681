// SPDX-License-Identifier: MIT
#include "tests/fuzz/machines/random_rulesheet.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "gdl/machine/rng.h"

namespace ludens::gdl::tests {

namespace {

/// The kind of an argument: a constant `c1`, `(f c1)`, `(g c1 c2)`, or a role. Now and then a
/// term of another sort is written there: shapes may mix.
enum class Sort { Plain, Boxed, Pair, Role };

/// As it stands in bodies: `(true (p0 ?a))` or `(d0 ?a)`.
struct Predicate {
  std::string name;
  std::vector<Sort> sorts;
  bool fluent = false;
};

struct Variable {
  std::string name;
  Sort sort;
};

/// A rule while it is written.
struct Scope {
  std::vector<Variable> bound;     // by a positive literal
  std::vector<std::string> plain;  // bound to constants by the domain: may go into functions
  std::vector<std::string> body;

  void bind(const std::string& name, Sort sort) {
    if (std::ranges::find(bound, name, &Variable::name) == bound.end()) {
      bound.push_back({name, sort});
    }
  }
};

std::string form(const std::string& name, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return name;
  std::string out = "(" + name;
  for (const std::string& a : arguments) out += " " + a;
  return out + ")";
}

std::vector<Predicate> joined(std::vector<Predicate> a, const std::vector<Predicate>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Random terms and literals.
class Writer {
 public:
  explicit Writer(Choice choose)
      : choose_(std::move(choose)),
        roles_(1 + below(3)),
        constants_(2 + below(3)),
        chance_role_(chance(25)) {}

 protected:
  std::uint32_t below(std::uint32_t n) { return choose_(n); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  template <typename T>
  const T& one_of(const std::vector<T>& from) {
    return from[below(static_cast<std::uint32_t>(from.size()))];
  }
  void line(const std::string& form) { text_ += form + "\n"; }

  [[nodiscard]] std::string role(std::uint32_t r) const {
    return chance_role_ && roles_ > 1 && r + 1 == roles_ ? "random" : "r" + std::to_string(r);
  }
  std::string constant() { return "c" + std::to_string(below(constants_)); }

  std::vector<Sort> sorts(std::uint32_t most) {
    std::vector<Sort> out;
    for (std::uint32_t n = below(most + 1); n > 0; --n) {
      const std::uint32_t kind = below(100);
      out.push_back(kind < 75 ? Sort::Plain : kind < 90 ? Sort::Boxed : Sort::Pair);
    }
    return out;
  }

  std::string ground(Sort sort) {
    switch (sort) {
      case Sort::Plain:
        return constant();
      case Sort::Boxed:
        return form("f", {constant()});
      case Sort::Pair:
        return form("g", {constant(), constant()});
      case Sort::Role:
        return role(below(roles_));
    }
    return "";
  }

  // A term in a positive literal; binds new variables.
  std::string pattern(Scope& s, Sort sort) {
    if (chance(3)) sort = static_cast<Sort>(below(3));
    const bool whole = chance(sort == Sort::Plain ? 80 : 45);
    const char* const names[] = {"abcd", "xy", "uv", "rq"};
    if (whole) {
      const auto kind = static_cast<std::size_t>(sort);
      const std::string v = "?" + std::string(1, names[kind][below(kind == 0 ? 4 : 2)]);
      s.bind(v, sort);
      return v;
    }
    if (sort == Sort::Boxed) return form("f", {pattern(s, Sort::Plain)});
    if (sort == Sort::Pair) return form("g", {pattern(s, Sort::Plain), pattern(s, Sort::Plain)});
    return ground(sort);
  }

  // A term in a test: of bound variables and constants.
  std::string known(const Scope& s, Sort sort) {
    if (chance(3)) sort = static_cast<Sort>(below(3));
    std::vector<std::string> fitting;
    for (const Variable& v : s.bound) {
      if (v.sort == sort) fitting.push_back(v.name);
    }
    if (!fitting.empty() && chance(85)) return one_of(fitting);
    if (sort == Sort::Boxed && chance(70)) return form("f", {known(s, Sort::Plain)});
    if (sort == Sort::Pair && chance(70)) {
      return form("g", {known(s, Sort::Plain), known(s, Sort::Plain)});
    }
    return ground(sort);
  }

  // A term in a head. Functions only have arguments that the domain binds, so that terms stay
  // small.
  std::string built(Scope& s, Sort sort) {
    std::vector<std::string> fitting;
    for (const Variable& v : s.bound) {
      if (v.sort == sort) fitting.push_back(v.name);
    }
    if (!fitting.empty() && chance(85)) return one_of(fitting);
    if (sort == Sort::Boxed) return form("f", {plain(s)});
    if (sort == Sort::Pair) {
      return form("g", {plain(s), chance(10) ? form("f", {plain(s)}) : plain(s)});
    }
    return sort == Sort::Plain && chance(50) ? plain(s) : ground(sort);
  }

  std::string plain(Scope& s) {
    if (chance(20)) return constant();
    const std::string v = "?" + std::string(1, "abcd"[below(4)]);
    if (std::ranges::find(s.plain, v) == s.plain.end()) {
      s.plain.push_back(v);
      s.body.push_back("(dom " + v + ")");
      s.bind(v, Sort::Plain);
    }
    return v;
  }

  template <typename Term>
  std::string atom(const Predicate& p, Term term) {
    std::vector<std::string> arguments;
    for (const Sort sort : p.sorts) arguments.push_back(term(sort));
    const std::string inner = form(p.name, arguments);
    return p.fluent ? "(true " + inner + ")" : inner;
  }
  std::string positive(Scope& s, const Predicate& p) {
    return atom(p, [&](Sort sort) { return pattern(s, sort); });
  }
  // A literal of a relation that may depend on the rule's head. It has no functions, as GDL's
  // restriction of recursion demands; terms would otherwise become deeper and deeper.
  std::string recursive(Scope& s, const Predicate& p) {
    return atom(p, [&](Sort sort) {
      if (chance(20)) return ground(sort);
      const std::string v = "?" + std::string(1, "axur"[static_cast<std::size_t>(sort)]);
      s.bind(v, sort);
      return v;
    });
  }
  std::string negative(const Scope& s, const Predicate& p) {
    // A variable that occurs only here: there is none.
    bool free = p.sorts.size() > 1 && chance(6);
    return "(not " +
           atom(p,
                [&](Sort sort) {
                  return std::exchange(free, false) ? "?free" + std::to_string(free_++)
                                                    : known(s, sort);
                }) +
           ")";
  }

  std::string test(const Scope& s, const std::vector<Predicate>& from,
                   const std::vector<Predicate>& negatable) {
    if (chance(25) && s.bound.size() > 1) {
      const Variable& a = one_of(s.bound);
      const std::string b = known(s, a.sort);
      if (a.name != b) return "(distinct " + a.name + " " + b + ")";
    }
    if (chance(75)) return negative(s, one_of(negatable));
    return atom(one_of(from), [&](Sort sort) { return known(s, sort); });
  }

  // Some positive literals, then tests, some of them in an `or`.
  void fill_body(Scope& s, std::uint32_t positives, const std::vector<Predicate>& from,
                 const std::vector<Predicate>& negatable) {
    for (; positives > 0; --positives) s.body.push_back(positive(s, one_of(from)));
    for (std::uint32_t n = below(3); n > 0; --n) {
      std::string t = test(s, from, negatable);
      if (chance(25)) {
        const std::string u = test(s, from, negatable);
        t = "(or " + t + " " +
            (chance(30) ? "(and " + u + " " + test(s, from, negatable) + ")" : u) + ")";
      }
      s.body.push_back(t);
    }
  }

  void rule(const std::string& head, const Scope& s) {
    if (s.body.empty()) return line(head);
    std::vector<std::string> parts{head};
    parts.insert(parts.end(), s.body.begin(), s.body.end());
    line(form("<=", parts));
  }

  Choice choose_;
  std::string text_;
  const std::uint32_t roles_, constants_;
  std::uint32_t free_ = 0;  // variables that occur in one negation only
  const bool chance_role_;
};

/// The parts of a rulesheet.
class RulesheetWriter final : private Writer {
 public:
  using Writer::Writer;

  std::string run() {
    for (std::uint32_t r = 0; r < roles_; ++r) line("(role " + role(r) + ")");
    write_statics();
    write_initial();
    given_ = joined(joined(fluents_, fluents_), statics_);  // the state more often
    write_relations("d", state_relations_, given_, joined(statics_, fluents_));
    write_legal();
    write_move_relations();
    write_next();
    write_end();
    return std::move(text_);
  }

 private:
  static constexpr int kCounter = 6;

  void write_statics() {
    for (std::uint32_t c = 0; c < constants_; ++c) line("(dom c" + std::to_string(c) + ")");
    for (std::uint32_t c = 0; c + 1 < constants_; ++c) {
      line("(succ c" + std::to_string(c) + " c" + std::to_string(c + 1) + ")");
    }
    statics_ = {{"dom", {Sort::Plain}}, {"succ", {Sort::Plain, Sort::Plain}}};
    for (std::uint32_t k = 0; k < 1 + below(2); ++k) {
      Predicate p{"s" + std::to_string(k), sorts(1)};
      p.sorts.push_back(Sort::Plain);
      for (std::uint32_t n = 2 + below(5); n > 0; --n) {
        line(atom(p, [&](Sort sort) { return ground(sort); }));
      }
      statics_.push_back(p);
    }
    if (!chance(50)) return;
    line("(<= (less ?a ?b) (succ ?a ?b))");
    line("(<= (less ?a ?c) (succ ?a ?b) (less ?b ?c))");
    statics_.push_back({"less", {Sort::Plain, Sort::Plain}});
  }

  void write_initial() {
    for (std::uint32_t k = 0; k < 2 + below(3); ++k) {
      fluents_.push_back({"p" + std::to_string(k), sorts(2), true});
    }
    for (const Predicate& p : fluents_) {
      for (std::uint32_t n = p.sorts.empty() ? below(2) : 1 + below(2 * constants_); n > 0; --n) {
        const std::string fluent = atom(p, [&](Sort sort) { return ground(sort); });
        line("(init " + fluent.substr(6));
      }
    }
    if (chance(60)) {
      fluents_.push_back({"control", {Sort::Role}, true});
      line("(init (control r0))");
    }
    counted_ = chance(50);
    if (counted_) line("(init (step 0))");
  }

  // Strata of one or two relations; within one they may use each other, without negation.
  void write_relations(const std::string& prefix, std::vector<Predicate>& relations,
                       std::vector<Predicate> usable, std::vector<Predicate> negatable) {
    std::uint32_t number = 0;
    for (std::uint32_t stratum = 1 + below(3); stratum > 0; --stratum) {
      std::vector<Predicate> together;
      for (std::uint32_t n = 1 + below(2); n > 0; --n) {
        together.push_back({prefix + std::to_string(number++), sorts(2)});
      }
      for (const Predicate& p : together) {
        for (std::uint32_t n = 1 + below(3); n > 0; --n) {
          Scope s;
          if (n > 1) s.body.push_back(recursive(s, one_of(together)));
          fill_body(s, 1 + below(2), usable, negatable);
          const std::string head = atom(p, [&](Sort sort) { return built(s, sort); });
          rule(head, s);
        }
      }
      relations = joined(relations, together);
      for (int n = 0; n < 3; ++n) usable = joined(usable, together);
      negatable = joined(negatable, together);
    }
  }

  void write_legal() {
    for (std::uint32_t m = 0; m < 2; ++m) moves_.push_back({"m" + std::to_string(m), sorts(2)});
    const std::vector<Predicate> from = joined(given_, state_relations_);
    for (std::uint32_t r = 0; r < roles_; ++r) {
      for (const Predicate& move : moves_) {
        if (chance(25)) continue;
        Scope s;
        std::string who = role(r);
        if (fluents_.back().name == "control" && chance(50)) {
          who = chance(50) ? "?r" : who;
          s.body.push_back("(true (control " + who + "))");
          if (who == "?r") s.bind("?r", Sort::Role);
        }
        fill_body(s, below(3), from, from);
        const std::string m = atom(move, [&](Sort sort) { return built(s, sort); });
        rule("(legal " + who + " " + m + ")", s);
      }
      if (chance(95)) {
        line("(legal " + role(r) + " noop)");
      } else {
        rule("(legal " + role(r) + " noop)", {{}, {}, {negative({}, one_of(fluents_))}});
      }
    }
  }

  /// A positive `does`.
  std::string done(Scope& s) {
    const std::string who = pattern(s, Sort::Role);
    if (chance(12)) return "(does " + who + " noop)";
    if (chance(12)) return "(does " + who + " ?m)";  // not bound: it must not get into the state
    return "(does " + who + " " + positive(s, one_of(moves_)) + ")";
  }

  void write_move_relations() {
    for (std::uint32_t k = 0; k < below(3); ++k) {
      const Predicate p{"e" + std::to_string(k), sorts(2)};
      for (std::uint32_t n = 1 + below(2); n > 0; --n) {
        Scope s;
        s.body.push_back(done(s));
        const std::vector<Predicate> state = joined(given_, state_relations_);
        fill_body(s, below(2), state, state);
        const std::string head = atom(p, [&](Sort sort) { return built(s, sort); });
        rule(head, s);
      }
      move_relations_.push_back(p);
    }
  }

  void write_next() {
    const std::vector<Predicate> all =
        joined(joined(given_, state_relations_), joined(move_relations_, move_relations_));
    for (const Predicate& p : fluents_) {
      if (p.name == "control") {
        for (std::uint32_t r = 0; r < roles_; ++r) {
          line("(<= (next (control " + role((r + 1) % roles_) + ")) (true (control " + role(r) +
               ")))");
        }
        continue;
      }
      for (std::uint32_t n = 1 + below(2); n > 0; --n) {
        Scope s;
        if (chance(70)) s.body.push_back(done(s));
        fill_body(s, s.body.empty() ? 1 + below(2) : below(2), all, all);
        const std::string head = atom(p, [&](Sort sort) { return built(s, sort); });
        rule("(next " + head.substr(6), s);
      }
      if (chance(75)) write_frame(p, all);
    }
    if (!counted_) return;
    line("(<= (next (step ?y)) (true (step ?x)) (count ?x ?y))");
    for (int i = 0; i < kCounter; ++i) {
      line("(count " + std::to_string(i) + " " + std::to_string(i + 1) + ")");
    }
  }

  /// What stays as it is, unless something is the case.
  void write_frame(const Predicate& p, const std::vector<Predicate>& all) {
    Scope s;
    std::vector<std::string> same;
    for (std::size_t i = 0; i < p.sorts.size(); ++i) {
      same.push_back("?" + std::string(1, "ab"[i]));
      s.bind(same.back(), p.sorts[i]);
    }
    s.body.push_back("(true " + form(p.name, same) + ")");
    if (chance(75)) s.body.push_back(negative(s, one_of(all)));
    rule("(next " + form(p.name, same) + ")", s);
  }

  void write_end() {
    const std::vector<Predicate> from = joined(given_, state_relations_);
    if (counted_) line("(<= terminal (true (step " + std::to_string(kCounter) + ")))");
    if (!counted_ || chance(40)) {
      Scope s;
      fill_body(s, 2, from, from);
      rule("terminal", s);
    }
    for (std::uint32_t r = 0; r < roles_; ++r) {
      for (const char* value : {"100", "50", "0"}) {
        if (chance(15)) continue;
        Scope s;
        if (chance(90)) fill_body(s, 1 + below(2), from, from);
        const bool any = chance(15);
        rule("(goal " + (any ? std::string("?who") : role(r)) + " " + value + ")", s);
      }
    }
  }

  bool counted_ = false;
  std::vector<Predicate> statics_, fluents_, given_, state_relations_, moves_, move_relations_;
};

}  // namespace

std::string random_rulesheet(std::uint64_t seed) {
  Rng rng(seed);
  return random_rulesheet([&rng](std::uint32_t n) { return rng.below(n); });
}

std::string random_rulesheet(Choice choose) {
  return RulesheetWriter(std::move(choose)).run();
}

}  // namespace ludens::gdl::tests
