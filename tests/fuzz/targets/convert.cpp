// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gdl/check/check.h"
#include "gdl/hrf/hrf.h"
#include "gdl/interpreter/interpreter.h"
#include "gdl/to_hrf/to_hrf.h"
#include "gdl/to_hrf/to_infix.h"
#include "tests/fuzz/targets/rulesheets.h"
#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

namespace {

constexpr int kSteps = 6;
constexpr std::uint64_t kAsked = 200;  // by then a derivation is given up

/// Ends what takes long, the same way each time.
class CountedStop final : public gdl::StopSignal {
 public:
  [[nodiscard]] bool stop_requested() const noexcept override { return ++asked_ > kAsked; }

 private:
  mutable std::uint64_t asked_ = 0;
};

/// A term without needless parentheses: rules may say `( first )`.
std::string bare(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    const std::size_t size = words.size();
    const bool needless = word == ")" && size > 1 && words[size - 2] == "(";
    if (needless) words.erase(words.end() - 2);
    if (!needless) words.push_back(word);
  }
  std::string result;
  for (const std::string& word : words) result += word + " ";
  return result;
}

/// The fluents of a printed state.
std::set<std::string> fluents_of(const std::string& state) {
  const gdl::SyntaxTree tree = gdl::parse(state).tree;
  std::set<std::string> fluents;
  for (const gdl::NodeIndex n : tree.children(0)) fluents.insert(bare(tree.print(n)));
  return fluents;
}

/// A game on the interpreter, by names.
class NamedGame {
 public:
  explicit NamedGame(const std::shared_ptr<const gdl::Rules>& rules)
      : machine_(gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(rules, memory_),
                                       {&stop_, memory_.get()})),
        context_(machine_->make_context({&stop_, memory_.get()})) {}

  [[nodiscard]] std::size_t roles() const { return machine_->role_count(); }
  bool begin() { return good(machine_->initial(*context_, state_)); }
  /// nullopt, here and below: it took too long.
  std::optional<std::set<std::string>> state() {
    std::string out;
    return good(machine_->print(*context_, state_, out)) ? std::optional(fluents_of(out))
                                                         : std::nullopt;
  }
  std::optional<bool> terminal() {
    bool out = false;
    return good(machine_->terminal(*context_, state_, out)) ? std::optional(out) : std::nullopt;
  }
  std::optional<std::vector<int>> goals() {
    std::vector<int> out(roles());
    return good(machine_->goals(*context_, state_, out)) ? std::optional(out) : std::nullopt;
  }
  std::optional<std::set<std::string>> legal(gdl::RoleIndex role) {
    std::vector<gdl::MoveId> moves;
    if (!good(machine_->legal(*context_, state_, role, moves))) return std::nullopt;
    std::set<std::string> names;
    for (const gdl::MoveId move : moves)
      names.insert(bare(machine_->vocabulary()->move_name(move)));
    return names;
  }
  bool advance(const std::vector<std::string>& names) {
    std::vector<gdl::MoveId> joint;
    for (const std::string& name : names) {
      joint.push_back(machine_->vocabulary()->find_move(name).value());
    }
    gdl::State next;
    if (!good(machine_->next(*context_, state_, joint, next))) return false;
    state_ = std::move(next);
    return true;
  }

 private:
  static bool good(gdl::Status status) { return status == gdl::Status::Ok; }

  CountedStop stop_;
  std::shared_ptr<gdl::MemoryBudget> memory_ =
      std::make_shared<gdl::MemoryBudget>(std::size_t{32} << 20);
  std::shared_ptr<const gdl::Machine> machine_;
  std::unique_ptr<gdl::Machine::Context> context_;
  gdl::State state_;
};

template <class T>
bool both(const std::optional<T>& a, const std::optional<T>& b, const std::string& what) {
  if (!a || !b) return false;
  require(*a == *b, what + " stay when rules are written in another language");
  return true;
}

/// One step of a play; false where it ends.
bool same_step(NamedGame& a, NamedGame& b) {
  const auto over = a.terminal();
  if (!both(a.state(), b.state(), "states") || !both(over, b.terminal(), "ends")) return false;
  if (*over) return both(a.goals(), b.goals(), "goals") && false;
  std::vector<std::string> joint;
  for (gdl::RoleIndex role = 0; role < a.roles(); ++role) {
    const auto legal = a.legal(role);
    if (!both(legal, b.legal(role), "legal moves") || legal->empty()) return false;
    joint.push_back(*std::next(legal->begin(), static_cast<std::ptrdiff_t>(legal->size() / 2)));
  }
  return a.advance(joint) && b.advance(joint);
}

/// Whether a note says that something is called otherwise there, so that states look
/// different.
bool has_other_names(const gdl::Diagnostics& notes) {
  return std::ranges::any_of(notes, [](const gdl::Diagnostic& d) {
    return d.code == "fluent-name" || d.code == "control-fluent" || d.code == "renamed";
  });
}

/// What is written is read again, and is the same game where names stay the same.
void require_same(const std::shared_ptr<const gdl::Rules>& rules, const gdl::WrittenHrf& written,
                  std::size_t bytes) {
  require_places(written.diagnostics, bytes);
  require(written.text.empty() == gdl::has_error(written.diagnostics),
          "there is a text, or a reason");
  if (written.text.empty()) return;
  gdl::ParsedHrf again = gdl::parse_hrf(written.text, kTextLimits);
  require(again.errors.empty(), "what is written is read again: " + written.text);
  const gdl::NormalisedRules back = gdl::normalise(
      std::make_shared<const gdl::SyntaxTree>(std::move(again.tree)), gdl::kNoNode, kRuleLimits);
  if (gave_up(back)) return;
  NamedGame before(rules), after(back.rules);
  require(before.roles() == after.roles(), "roles stay");
  if (has_other_names(written.diagnostics) || !before.begin() || !after.begin()) return;
  for (int step = 0; step < kSteps && same_step(before, after); ++step) {
  }
}

}  // namespace

void convert(std::string_view input) {
  gdl::ParsedText parsed = gdl::parse(std::string(input), kTextLimits);
  if (!parsed.errors.empty()) return;
  const gdl::NormalisedRules read = gdl::normalise(
      std::make_shared<const gdl::SyntaxTree>(std::move(parsed.tree)), gdl::kNoNode, kRuleLimits);
  if (gave_up(read) || gdl::has_error(gdl::check(read))) return;
  for (const gdl::Dialect dialect :
       {gdl::Dialect::Hrf, gdl::Dialect::Infix, gdl::Dialect::Prolog}) {
    const bool hrf = dialect == gdl::Dialect::Hrf;
    require_same(read.rules,
                 hrf ? gdl::write_hrf(*read.rules) : gdl::write_infix(*read.rules, dialect),
                 input.size());
  }
}

}  // namespace ludens::fuzz
