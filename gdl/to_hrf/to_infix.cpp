// SPDX-License-Identifier: MIT
#include "gdl/to_hrf/to_infix.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "gdl/hrf/builtins.h"
#include "gdl/hrf/parser.h"
#include "gdl/text/keywords.h"
#include "gdl/to_hrf/prefix_game.h"
#include "gdl/to_hrf/steps.h"

namespace ludens::gdl {

namespace {

using hrf::Expression;
using hrf::Signature;
using hrf::Statement;

/// Parentheses within conditions count, too, so terms nest less deep than the reader allows.
constexpr std::size_t kDeepest = hrf::kMostNested / 2;

class InfixWriter {
 public:
  InfixWriter(const Rules& rules, Dialect dialect)
      : rules_(rules),
        tree_(*rules.source),
        prolog_(dialect == Dialect::Prolog),
        names_(rules.symbols) {}

  WrittenHrf run() {
    for (const NodeIndex form : rules_.forms) read(form);
    if (has_error(written_.diagnostics)) return std::move(written_);
    find_signatures();
    declare_undefined();
    for (const Statement& s : statements_) written_.text += print(s) + (prolog_ ? ".\n" : "\n");
    written_.statements = statements_.size();
    return std::move(written_);
  }

 private:
  void report(Severity severity, const char* code, std::string text, NodeIndex where) {
    written_.diagnostics.push_back({severity, code, std::move(text), rules_.location(where)});
  }

  /// Reads `(<= head condition ...)`, or a fact.
  void read(NodeIndex form) {
    Statement s;
    s.where = form;
    names_.begin_rule();
    const bool is_rule = tree_.child_count(form) > 1 && tree_.is_list(form) &&
                         tree_.is_atom(form + 1) && tree_.atom(form + 1) == "<=";
    std::vector<Expression> parts;
    const auto take = [&](NodeIndex node) {
      auto part = condition(node, 0);
      if (part) parts.push_back(*std::move(part));
      return part.has_value();
    };
    if (!is_rule && !take(form)) return;
    if (is_rule) {
      for (const NodeIndex child : tree_.children(form)) {
        if (child != form + 1 && !take(child)) return;
      }
    }
    if (!hrf::is_atom(parts.front())) {
      return report(Severity::Error, "head", "the head of a rule is a sentence", form);
    }
    s.head = std::move(parts.front());
    s.body.assign(std::make_move_iterator(parts.begin() + 1), std::make_move_iterator(parts.end()));
    if (!s.body.empty()) s.kind = Statement::Kind::Rule;
    if (prolog_) hrf::sort_for_reading(s.body);
    statements_.push_back(std::move(s));
  }

  std::optional<Expression> condition(NodeIndex node, std::size_t depth) {
    if (tree_.is_atom(node) && tree_.atom(node).starts_with('?')) {
      report(Severity::Error, "variable-condition", "a variable is no condition", node);
      return std::nullopt;
    }
    if (tree_.is_atom(node) || tree_.child_count(node) == 0 || tree_.is_list(node + 1)) {
      return term(node, depth);
    }
    const std::string name = fold_case(tree_.atom(node + 1));
    const bool connective = name == "not" || name == "and" || name == "or";
    if (!connective || tree_.child_count(node) == 1) return term(node, depth);
    std::vector<Expression> parts;
    for (const NodeIndex child : tree_.children(node)) {
      if (child == node + 1) continue;
      if (depth >= kDeepest) return too_deep(node);
      auto part = condition(child, depth + 1);
      if (!part) return std::nullopt;
      parts.push_back(*std::move(part));
    }
    if (name == "not") return hrf::negation(std::move(parts.front()));
    if (parts.size() == 1) return std::move(parts.front());
    const auto kind = name == "or" ? Expression::Kind::Or : Expression::Kind::And;
    return Expression{kind, {}, std::move(parts), node};
  }

  std::nullopt_t too_deep(NodeIndex node) {
    report(Severity::Error, "nested", "terms nest too deep to be written in an infix dialect",
           node);
    return std::nullopt;
  }

  /// A term, or a sentence. A list of one name is the name.
  std::optional<Expression> term(NodeIndex node, std::size_t depth) {
    if (depth > kDeepest) return too_deep(node);
    if (tree_.is_atom(node)) {
      const std::string name(tree_.atom(node));
      if (name.starts_with('?')) return hrf::variable(names_.variable(name.substr(1)), node);
      return hrf::constant(written_name(name, node), node);
    }
    if (tree_.child_count(node) == 0 || tree_.is_list(node + 1)) {
      report(Severity::Error, "no-term", "this is no term: a list begins with a name", node);
      return std::nullopt;
    }
    std::vector<Expression> arguments;
    for (const NodeIndex child : tree_.children(node)) {
      if (child == node + 1) continue;
      auto argument = term(child, depth + 1);
      if (!argument) return std::nullopt;
      arguments.push_back(*std::move(argument));
    }
    std::string name = written_name(std::string(tree_.atom(node + 1)), node + 1);
    const bool differ = prolog_ && name == "distinct" && arguments.size() == 2;
    return hrf::compound(differ ? hrf::kDiffer : std::move(name), std::move(arguments), node);
  }

  /// The name of a constant; notes if it is another one. Some names would be read as something
  /// else.
  std::string written_name(const std::string& name, NodeIndex where) {
    static const std::set<std::string> misread{"not", "and", "or", "false", "fail", "dif"};
    const std::string folded = fold_case(name);
    const auto known = given_.find(folded);
    if (known != given_.end()) return known->second;
    std::string written = names_.constant(name);
    if (misread.contains(written)) written = names_.fresh(written + "_name");
    if (fold_case(written) != folded) {
      report(Severity::Note, "renamed", "'" + name + "' is called '" + written + "'", where);
    }
    const bool number = written.find_first_not_of("0123456789") == std::string::npos;
    if (prolog_ && !number && written[0] >= '0' && written[0] <= '9') written = "'" + written + "'";
    return given_[folded] = written;
  }

  // ---- Conditions that nothing defines, which never hold

  void find_signatures() {
    for (const Statement& s : statements_) {
      if (!hrf::is_atom(s.head)) continue;
      defined_.insert(hrf::signature(s.head));
      const bool about = s.head.arguments.size() == 1 && hrf::is_atom(s.head.arguments[0]);
      if (about && hrf::is_about_fluent(s.head))
        fluents_.insert(hrf::signature(s.head.arguments[0]));
    }
  }

  /// Gives them names that nobody takes for a fluent or a builtin, and says in Prolog that they are
  /// meant.
  void declare_undefined() {
    std::map<Signature, std::string> undefined;
    const auto look = [&](Expression& e) {
      const Signature s = hrf::signature(e);
      if (defined_.contains(s) || is_reserved(s.name) || s.name == hrf::kDiffer) return;
      const bool other =
          fluents_.contains(s) || hrf::builtin_kind(s.name) != hrf::BuiltinKind::None;
      const auto [entry, is_new] = undefined.try_emplace(s, s.name);
      if (is_new && other) entry->second = names_.fresh(s.name + "_relation");
      e.name = entry->second;
    };
    for (Statement& s : statements_) {
      for (Expression& e : s.body) for_each_atom(e, look);
    }
    if (!prolog_) return;
    for (const auto& [s, name] : undefined) {
      written_.text += ":- dynamic " + name + "/" + std::to_string(s.arity) + ".\n";
    }
  }

  template <class Use>
  static void for_each_atom(Expression& e, const Use& use) {
    if (hrf::is_atom(e)) return use(e);
    for (Expression& part : e.arguments) for_each_atom(part, use);
  }

  [[nodiscard]] std::string print(const Statement& s) const {
    const hrf::Signs& signs = prolog_ ? hrf::kSignsOfProlog : hrf::kSignsOfInfix;
    std::string text = hrf::print(s.head, signs);
    for (std::size_t i = 0; i < s.body.size(); ++i) {
      text += (i == 0 ? " :- " : signs.both) + hrf::print(s.body[i], signs);
    }
    return text;
  }

  const Rules& rules_;
  const SyntaxTree& tree_;
  bool prolog_;
  hrf::HrfNames names_;
  std::map<std::string, std::string> given_;  // names as they are written, by the folded ones
  std::vector<Statement> statements_;
  std::set<Signature> defined_, fluents_;
  WrittenHrf written_;
};

}  // namespace

WrittenHrf write_infix(const Rules& rules, Dialect dialect) {
  return InfixWriter(rules, dialect).run();
}

}  // namespace ludens::gdl
