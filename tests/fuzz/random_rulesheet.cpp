#include "tests/fuzz/random_rulesheet.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "gdl/machine/rng.h"

namespace ludens::gdl::testing {

namespace {

/// A name with a number of arguments, as it stands in bodies: `(true (p0 ?x))` or `(d0 ?x)`.
struct Predicate {
  std::string name;
  std::uint32_t arity;
  bool fluent = false;
};

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : rng_(seed) {}

  std::string run() {
    roles_ = 1 + below(3);
    constants_ = 2 + below(3);
    for (std::uint32_t r = 0; r < roles_; ++r) {
      line("(role " + role(r) + ")");
    }
    write_domain();
    write_statics();
    declare_fluents();
    write_initial();
    write_state_relations();
    write_legal();
    write_move_relations();
    write_next();
    write_end();
    return std::move(text_);
  }

 private:
  std::uint32_t below(std::uint32_t n) { return rng_.below(n); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  template <typename T>
  const T& one_of(const std::vector<T>& from) {
    return from[below(static_cast<std::uint32_t>(from.size()))];
  }
  void line(const std::string& form) { text_ += form + "\n"; }

  std::string role(std::uint32_t r) const {
    return roles_ > 1 && r + 1 == roles_ && chance_role_ ? "random" : "r" + std::to_string(r);
  }
  std::string constant() { return "c" + std::to_string(below(constants_)); }
  static std::string form(const std::string& name, const std::vector<std::string>& arguments) {
    if (arguments.empty()) return name;
    std::string out = "(" + name;
    for (const std::string& a : arguments) out += " " + a;
    return out + ")";
  }

  // --- terms

  /// A rule while it is written: variables that a positive literal binds, and those of them that
  /// are bound to constants, which alone may go into functions of the head.
  struct Scope {
    std::vector<std::string> bound, plain;
    std::vector<std::string> body;
  };

  std::string variable() { return "?" + std::string(1, static_cast<char>('a' + below(3))); }

  // Of a positive literal: anything, binding what is new.
  std::string pattern(Scope& s) {
    const std::uint32_t kind = below(100);
    if (kind < 20) return constant();
    if (kind < 90) {
      std::string v = variable();
      if (std::ranges::find(s.bound, v) == s.bound.end()) s.bound.push_back(v);
      return v;
    }
    return kind < 96 ? form("f", {pattern(s)}) : form("g", {pattern(s), pattern(s)});
  }

  // Of a negative literal or `distinct`: bound variables and constants only.
  std::string known(const Scope& s) {
    const std::uint32_t kind = below(100);
    if (kind < 80 && !s.bound.empty()) return one_of(s.bound);
    if (kind < 92) return constant();
    return form("f", {s.bound.empty() || chance(30) ? constant() : one_of(s.bound)});
  }

  // Of a head: functions only over variables that the domain binds, so that terms stay small.
  std::string built(Scope& s) {
    const std::uint32_t kind = below(100);
    if (kind < 70 && !s.bound.empty()) return one_of(s.bound);
    if (kind < 80) return constant();
    if (kind < 93) return form("f", {plain(s)});
    return form("g", {plain(s), chance(30) ? form("f", {plain(s)}) : plain(s)});
  }

  std::string plain(Scope& s) {
    if (chance(40)) return constant();
    const std::string v = s.bound.empty() ? "?a" : one_of(s.bound);
    if (std::ranges::find(s.plain, v) == s.plain.end()) {
      s.plain.push_back(v);
      s.body.push_back("(dom " + v + ")");
      if (std::ranges::find(s.bound, v) == s.bound.end()) s.bound.push_back(v);
    }
    return v;
  }

  // --- literals

  std::string atom(const Predicate& p, const std::function<std::string()>& term) {
    std::vector<std::string> arguments;
    for (std::uint32_t i = 0; i < p.arity; ++i) arguments.push_back(term());
    const std::string inner = form(p.name, arguments);
    return p.fluent ? "(true " + inner + ")" : inner;
  }

  std::string positive(Scope& s, const std::vector<Predicate>& from) {
    return atom(one_of(from), [&] { return pattern(s); });
  }
  std::string negative(Scope& s, const std::vector<Predicate>& from) {
    const Predicate& p = one_of(from);
    // A variable that stands only here: there is none such.
    if (p.arity > 1 && chance(6)) {
      bool first = true;
      return "(not " +
             atom(p,
                  [&] { return std::exchange(first, false) ? std::string("?free") : known(s); }) +
             ")";
    }
    return "(not " + atom(p, [&] { return known(s); }) + ")";
  }
  std::string test(Scope& s, const std::vector<Predicate>& from,
                   const std::vector<Predicate>& negatable) {
    const std::uint32_t kind = below(100);
    if (kind < 25 && !s.bound.empty()) return "(distinct " + one_of(s.bound) + " " + known(s) + ")";
    if (kind < 65 && !negatable.empty()) return negative(s, negatable);
    return atom(one_of(from), [&] { return known(s); });
  }

  // One to three positive literals, then tests, some of them in an `or`.
  void fill_body(Scope& s, const std::vector<Predicate>& from,
                 const std::vector<Predicate>& negatable) {
    for (std::uint32_t n = 1 + below(3); n > 0; --n) s.body.push_back(positive(s, from));
    for (std::uint32_t n = below(3); n > 0; --n) {
      if (chance(25)) {
        std::string either = "(or " + test(s, from, negatable) + " ";
        either += chance(30)
                      ? "(and " + test(s, from, negatable) + " " + test(s, from, negatable) + ")"
                      : test(s, from, negatable);
        s.body.push_back(either + ")");
      } else {
        s.body.push_back(test(s, from, negatable));
      }
    }
  }

  void rule(const std::string& head, const Scope& s) {
    if (s.body.empty()) {
      line(head);
      return;
    }
    std::vector<std::string> parts{head};
    parts.insert(parts.end(), s.body.begin(), s.body.end());
    line(form("<=", parts));
  }

  // --- the parts of a rulesheet

  void write_domain() {
    chance_role_ = chance(25);
    for (std::uint32_t c = 0; c < constants_; ++c) line("(dom c" + std::to_string(c) + ")");
    for (std::uint32_t c = 0; c + 1 < constants_; ++c) {
      line("(succ c" + std::to_string(c) + " c" + std::to_string(c + 1) + ")");
    }
    statics_ = {{"dom", 1}, {"succ", 2}};
  }

  void write_statics() {
    for (std::uint32_t k = 0; k < 1 + below(2); ++k) {
      const Predicate p{"s" + std::to_string(k), 1 + below(2)};
      for (std::uint32_t n = 1 + below(4); n > 0; --n) {
        line(atom(p, [&] { return chance(85) ? constant() : form("f", {constant()}); }));
      }
      statics_.push_back(p);
    }
    if (chance(50)) {
      line("(<= (less ?a ?b) (succ ?a ?b))");
      line("(<= (less ?a ?c) (succ ?a ?b) (less ?b ?c))");
      statics_.push_back({"less", 2});
    }
  }

  void declare_fluents() {
    for (std::uint32_t k = 0; k < 2 + below(3); ++k) {
      fluents_.push_back({"p" + std::to_string(k), below(3), true});
    }
    if (roles_ > 1 && chance(60)) fluents_.push_back({"control", 1, true});
  }

  void write_initial() {
    for (const Predicate& p : fluents_) {
      if (p.name == "control") {
        line("(init (control r0))");
        continue;
      }
      for (std::uint32_t n = p.arity == 0 ? below(2) : 1 + below(3); n > 0; --n) {
        std::vector<std::string> arguments;
        for (std::uint32_t i = 0; i < p.arity; ++i) {
          arguments.push_back(chance(88) ? constant() : form("f", {constant()}));
        }
        line("(init " + form(p.name, arguments) + ")");
      }
    }
  }

  [[nodiscard]] std::vector<Predicate> given() const {
    std::vector<Predicate> all = fluents_;
    all.insert(all.end(), fluents_.begin(), fluents_.end());  // the state more often
    all.insert(all.end(), statics_.begin(), statics_.end());
    return all;
  }

  // Strata of one or two relations; within one they may use each other positively.
  void write_relations(const std::string& prefix, std::vector<Predicate>& relations,
                       std::vector<Predicate> usable, std::vector<Predicate> negatable,
                       const std::vector<Predicate>& also) {
    std::uint32_t number = 0;
    for (std::uint32_t stratum = below(4); stratum > 0; --stratum) {
      std::vector<Predicate> together;
      for (std::uint32_t n = 1 + below(2); n > 0; --n) {
        together.push_back({prefix + std::to_string(number++), below(3)});
      }
      std::vector<Predicate> from = usable;
      if (chance(60)) from.insert(from.end(), together.begin(), together.end());
      from.insert(from.end(), also.begin(), also.end());
      for (const Predicate& p : together) {
        for (std::uint32_t n = 1 + below(3); n > 0; --n) {
          Scope s;
          fill_body(s, n == 1 ? joined(usable, also) : from, negatable);
          const std::string head = atom(p, [&] { return built(s); });
          rule(head, s);
        }
      }
      for (const Predicate& p : together) {
        relations.push_back(p);
        usable.push_back(p);
        negatable.push_back(p);
      }
    }
  }

  static std::vector<Predicate> joined(std::vector<Predicate> a, const std::vector<Predicate>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  void write_state_relations() {
    write_relations("d", state_relations_, given(), joined(statics_, fluents_), {});
  }

  void write_legal() {
    const std::vector<Predicate> from = joined(given(), state_relations_);
    for (std::uint32_t r = 0; r < roles_; ++r) {
      for (std::uint32_t n = 1 + below(2); n > 0; --n) {
        Scope s;
        fill_body(s, from, from);
        const std::string move = form("m" + std::to_string(below(2)), arguments(s, below(3)));
        if (chance(25) && roles_ > 1) {
          s.body.push_back("(true (control ?r))");
          s.body.push_back("(role ?r)");
          rule("(legal ?r " + move + ")", s);
        } else {
          rule("(legal " + role(r) + " " + move + ")", s);
        }
      }
      if (chance(95)) {
        line("(legal " + role(r) + " noop)");
      } else {
        line("(<= (legal " + role(r) + " noop) (not " +
             atom(one_of(fluents_), [&] { return constant(); }) + "))");
      }
    }
  }

  std::vector<std::string> arguments(Scope& s, std::uint32_t n) {
    std::vector<std::string> out;
    for (std::uint32_t i = 0; i < n; ++i) out.push_back(built(s));
    return out;
  }

  /// A positive `does` with a random pattern.
  std::string done(Scope& s) {
    const std::uint32_t kind = below(100);
    std::string who = role(below(roles_));
    if (chance(40)) {
      who = "?r";
      if (std::ranges::find(s.bound, who) == s.bound.end()) s.bound.push_back(who);
    }
    if (kind < 20) {
      s.bound.push_back("?m");
      return "(does " + who + " ?m)";
    }
    if (kind < 30) return "(does " + who + " noop)";
    std::vector<std::string> arguments;
    for (std::uint32_t n = below(3); n > 0; --n) arguments.push_back(pattern(s));
    return "(does " + who + " " + form("m" + std::to_string(below(2)), arguments) + ")";
  }

  void write_move_relations() {
    for (std::uint32_t k = 0; k < below(3); ++k) {
      const Predicate p{"e" + std::to_string(k), below(3)};
      for (std::uint32_t n = 1 + below(2); n > 0; --n) {
        Scope s;
        s.body.push_back(done(s));
        if (chance(60)) fill_body(s, given(), joined(given(), state_relations_));
        std::erase(s.bound, "?m");  // a move as a state's argument would be a term in a term
        const std::string head = atom(p, [&] { return built(s); });
        rule(head, s);
      }
      move_relations_.push_back(p);
    }
  }

  void write_next() {
    const std::vector<Predicate> state = joined(given(), state_relations_);
    const std::vector<Predicate> all = joined(state, move_relations_);
    for (const Predicate& p : fluents_) {
      if (p.name == "control") {
        for (std::uint32_t r = 0; r < roles_; ++r) {
          line("(<= (next (control " + role((r + 1) % roles_) + ")) (true (control " + role(r) +
               ")))");
        }
        continue;
      }
      for (std::uint32_t n = 1 + below(3); n > 0; --n) {
        Scope s;
        if (chance(60)) s.body.push_back(done(s));
        if (s.body.empty() || chance(60)) fill_body(s, all, all);
        std::erase(s.bound, "?m");
        std::vector<std::string> built_arguments = arguments(s, p.arity);
        rule("(next " + form(p.name, built_arguments) + ")", s);
      }
      if (chance(60)) write_frame(p, all);
    }
  }

  void write_frame(const Predicate& p, const std::vector<Predicate>& all) {
    Scope s;
    std::vector<std::string> same;
    for (std::uint32_t i = 0; i < p.arity; ++i) {
      same.push_back("?" + std::string(1, static_cast<char>('a' + i)));
      s.bound.push_back(same.back());
    }
    s.body.push_back("(true " + form(p.name, same) + ")");
    if (chance(70)) s.body.push_back(negative(s, all));
    rule("(next " + form(p.name, same) + ")", s);
  }

  void write_end() {
    const std::vector<Predicate> from = joined(given(), state_relations_);
    for (std::uint32_t n = 1 + below(2); n > 0; --n) {
      Scope s;
      fill_body(s, from, from);
      rule("terminal", s);
    }
    for (std::uint32_t r = 0; r < roles_; ++r) {
      for (const char* value : {"100", "50", "0"}) {
        if (chance(15)) continue;
        Scope s;
        if (chance(85)) fill_body(s, from, from);
        const bool any = chance(15);
        rule("(goal " + (any ? std::string("?who") : role(r)) + " " + value + ")", s);
      }
    }
  }

  Rng rng_;
  std::string text_;
  std::uint32_t roles_ = 1, constants_ = 2;
  bool chance_role_ = false;
  std::vector<Predicate> statics_, fluents_, state_relations_, move_relations_;
};

}  // namespace

std::string random_rulesheet(std::uint64_t seed) {
  return Writer(seed).run();
}

}  // namespace ludens::gdl::testing
