// SPDX-License-Identifier: MIT
#include "gdl/kernel/kernel.h"

#include "gdl/kernel/variants.h"

namespace ludens::gdl::kernel {

namespace {

const auto& kernels() {
  static const Variant<Kernel> all[] = {
    {kLanes64.lanes, &kLanes64, true},
    {kLanes128.lanes, &kLanes128, true},
#if defined(__x86_64__)
    {kLanes256.lanes, &kLanes256,
     __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")},
    {kLanes512.lanes, &kLanes512,
     __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
         __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("gfni") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt")},
#endif
  };
  return all;
}

/// Up to this many moves, nearly every leaf would be chosen in some lane, and counted twice.
constexpr std::uint32_t kMostByBlocks = 128;

CountTree tree_of(std::uint32_t moves, std::uint32_t leaves, std::uint32_t leaf_bits) {
  CountTree tree{};
  tree.moves = moves;
  tree.leaves = leaves;
  tree.leaf_bits = leaf_bits;
  for (std::uint32_t nodes = leaves;; nodes = (nodes + 1) / 2) {
    tree.width[tree.levels] = nodes;
    tree.offset[tree.levels] = tree.registers;
    tree.registers += nodes * (leaf_bits + tree.levels);
    ++tree.levels;
    if (nodes <= 1) return tree;
  }
}

}  // namespace

CountTree count_tree(std::uint32_t moves) {
  const bool many = moves > kMostByBlocks;
  return tree_of(moves, padded_moves(moves) / (many ? LegalLeaf::kMoves : CountTree::kBlock),
                 many ? LegalLeaf::kBits : CountTree::kLeafBits);
}

std::uint32_t padded_moves(std::uint32_t moves) {
  const std::uint32_t leaf = moves > kMostByBlocks ? LegalLeaf::kMoves : CountTree::kBlock;
  return (moves + leaf - 1) / leaf * leaf;
}

CountTree weight_tree(std::uint32_t moves, std::uint32_t bits) {
  return tree_of(moves, moves, bits);
}

CountTree leaf_tree(std::uint32_t leaves, std::uint32_t family_leaves) {
  return tree_of(
      leaves * LegalLeaf::kMoves + family_leaves * FamilyLeaf::kFamilies * FamilyLeaf::kMoves,
      leaves + family_leaves, family_leaves == 0 ? LegalLeaf::kBits : FamilyLeaf::kLeafBits);
}

const Kernel* find(std::size_t lanes) {
  return find_variant(kernels(), lanes);
}

const Kernel& widest() {
  return widest_variant(kernels());
}

}  // namespace ludens::gdl::kernel
