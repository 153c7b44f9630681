// SPDX-License-Identifier: MIT
#include "gdl/rules/branches.h"

#include <algorithm>

namespace ludens::gdl {

namespace {

constexpr std::uint32_t kNil = 0xffffffff;

/// Unfinished branches share their lists, so that a fork costs nothing.
struct Cell {
  SignedNode node;
  std::uint32_t next;
};

struct Branch {
  std::uint32_t pending;   // cells of what has yet to be split, the next one first
  std::uint32_t literals;  // cells of what is done, the last one first
};

class Splitter {
 public:
  Splitter(const std::vector<FormulaNode>& body, std::size_t branch_cost, std::size_t& budget)
      : body_(body), branch_cost_(branch_cost), budget_(budget) {}

  bool run(const std::function<bool(const std::vector<SignedNode>&)>& emit) {
    children(0, static_cast<std::uint32_t>(body_.size()));
    branches_.push_back({push_all(false, kNil), kNil});
    while (!branches_.empty()) {
      Branch branch = branches_.back();
      branches_.pop_back();
      if (!follow(branch)) {
        if (exhausted_) return false;
        continue;
      }
      if (!emit(literals_of(branch))) return false;
      if (!branches_.empty() && !charge(branch_cost_)) return false;
    }
    return true;
  }

 private:
  bool charge(std::size_t nodes) {
    exhausted_ = exhausted_ || nodes > budget_;
    if (!exhausted_) budget_ -= nodes;
    return !exhausted_;
  }

  /// Splits a branch to its end and stores the others that fork off; false if it can't hold.
  bool follow(Branch& branch) {
    while (branch.pending != kNil) {
      const SignedNode node = cells_[branch.pending].node;
      branch.pending = cells_[branch.pending].next;
      const FormulaNode& formula = body_[node.formula];
      children(node.formula + 1, formula.end);
      if (!charge(1 + children_.size())) return false;
      switch (formula.kind) {
        case FormulaNode::Kind::Sentence:
        case FormulaNode::Kind::Distinct:
          branch.literals = push(node, branch.literals);
          break;
        case FormulaNode::Kind::Not:
          branch.pending = push_all(!node.negated, branch.pending);
          break;
        case FormulaNode::Kind::And:
        case FormulaNode::Kind::Or:
          if ((formula.kind == FormulaNode::Kind::And) != node.negated) {
            branch.pending = push_all(node.negated, branch.pending);
          } else if (!fork(node.negated, branch)) {
            return false;
          }
      }
    }
    return true;
  }

  /// `branch` continues with the first of the alternatives.
  bool fork(bool negated, Branch& branch) {
    if (children_.empty()) return false;
    for (std::size_t i = children_.size(); i-- > 1;) {
      branches_.push_back({push({children_[i], negated}, branch.pending), branch.literals});
    }
    branch.pending = push({children_[0], negated}, branch.pending);
    return true;
  }

  void children(std::uint32_t first, std::uint32_t last) {
    children_.clear();
    for (std::uint32_t i = first; i < last; i = body_[i].end) children_.push_back(i);
  }

  std::uint32_t push_all(bool negated, std::uint32_t next) {
    for (std::size_t i = children_.size(); i-- > 0;) next = push({children_[i], negated}, next);
    return next;
  }

  std::uint32_t push(SignedNode node, std::uint32_t next) {
    cells_.push_back({node, next});
    return static_cast<std::uint32_t>(cells_.size() - 1);
  }

  const std::vector<SignedNode>& literals_of(const Branch& branch) {
    literals_.clear();
    for (std::uint32_t c = branch.literals; c != kNil; c = cells_[c].next) {
      literals_.push_back(cells_[c].node);
    }
    std::reverse(literals_.begin(), literals_.end());
    return literals_;
  }

  const std::vector<FormulaNode>& body_;
  const std::size_t branch_cost_;
  std::size_t& budget_;
  bool exhausted_ = false;
  std::vector<Cell> cells_;
  std::vector<Branch> branches_;  // a stack
  std::vector<std::uint32_t> children_;
  std::vector<SignedNode> literals_;
};

}  // namespace

bool split(const std::vector<FormulaNode>& body, std::size_t branch_cost, std::size_t& budget,
           const std::function<bool(const std::vector<SignedNode>&)>& emit) {
  return Splitter(body, branch_cost, budget).run(emit);
}

}  // namespace ludens::gdl
