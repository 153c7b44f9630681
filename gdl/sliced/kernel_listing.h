// Legal moves as lists of ids. Under the rules of kernel_registers.h.
#pragma once

#include "gdl/sliced/kernel_transpose.h"

namespace ludens::gdl::kernel {
namespace {

#if LUDENS_KERNEL_WORDS == 8

/// A block's ids.
class IdList {
 public:
  IdList() = default;
  explicit IdList(const MoveBlock& block)
      : past_(_mm512_loadu_si512(block.past)),
        base_(_mm512_set1_epi32(static_cast<int>(block.base))) {}

  /// Writes the ids of the moves whose bit is set, and up to kListSlack more; returns where they
  /// end.
  std::uint32_t* write(std::uint32_t* to, Word bits) const {
    const __m512i past = _mm512_maskz_compress_epi8(bits, past_);
    const int n = __builtin_popcountll(bits);
    store(to, _mm512_castsi512_si128(past));
    if (n > 16) {
      store(to + 16, _mm512_extracti32x4_epi32(past, 1));
      store(to + 32, _mm512_extracti32x4_epi32(past, 2));
      store(to + 48, _mm512_extracti32x4_epi32(past, 3));
    }
    return to + n;
  }

 private:
  void store(std::uint32_t* to, __m128i past) const {
    _mm512_storeu_si512(to, _mm512_add_epi32(base_, _mm512_cvtepu8_epi32(past)));
  }
  __m512i past_, base_;
};

#else

/// A block's ids.
class IdList {
 public:
  IdList() = default;
  explicit IdList(const MoveBlock& block) : block_(&block) {}

  /// Writes the ids of the moves whose bit is set; returns where they end.
  std::uint32_t* write(std::uint32_t* to, Word bits) const {
    for (; bits != 0; bits &= bits - 1) *to++ = block_->base + block_->past[__builtin_ctzll(bits)];
    return to;
  }

 private:
  const MoveBlock* block_ = nullptr;
};

#endif

/// Legal bits as rows, a word a block and lane, and lists of them.
class Listing {
 public:
  Listing(const Expansion& job, Word* memory) : job_(job), rows_(memory) {
    seen_ = rows_ + static_cast<std::size_t>(job.block_count) * kStride;
  }

  static std::size_t words(std::uint32_t blocks, std::uint32_t roles) {
    return (static_cast<std::size_t>(blocks) + roles) * kStride;
  }

  /// Takes the moves of `lanes`; other lanes get none.
  void take(const Register* s, Register lanes) {
    if (job_.block_count <= Expansion::kFewBlocks) {
      for (std::uint32_t b = 0; b < job_.block_count; ++b) turn(job_.blocks[b], s, lanes, row(b));
    } else {
      for (std::uint32_t r = 0; r < job_.roles; ++r) take_role(r, s, lanes);
    }
  }

  /// From the lane `listed` on, as long as there is room; returns how far it came.
  std::uint32_t list() const {
    switch (job_.block_count) {
      case 1:
        return list_few<1>();
      case 2:
        return list_few<2>();
      case 3:
        return list_few<3>();
      case 4:
        return list_few<4>();
      case 5:
        return list_few<5>();
      case 6:
        return list_few<6>();
      case 7:
        return list_few<7>();
      case 8:
        return list_few<8>();
      default:
        return list_many();
    }
  }

 private:
  // Rows of blocks stand so far apart that a lane's words don't compete for the same places of the
  // cache.
  static constexpr std::size_t kStride = kLanes + 8;

  [[nodiscard]] Word* row(std::uint32_t block) const { return rows_ + block * kStride; }

  static void turn(const MoveBlock& block, const Register* s, Register lanes, Word* row) {
    const Edge* const legal = block.legal;
    const std::uint32_t moves = block.moves;
    auto* const to = reinterpret_cast<Register*>(row);
    const auto store = [&](std::size_t k, Register r) { to[k] = r; };
    if (block.mixed != 0) {
      transpose([&](std::size_t k) { return k < moves ? value(s, legal[k]) & lanes : zeros(); },
                store);
    } else {
      transpose([&](std::size_t k) { return k < moves ? s[legal[k].slot] & lanes : zeros(); },
                store);
    }
  }

  template <int kBlocks>
  [[nodiscard]] std::uint32_t list_few() const {
    const Expansion job = job_;  // what is written could be `job_`, for all that is known
    IdList ids[kBlocks];
    std::uint32_t ends[kBlocks];
    for (int b = 0; b < kBlocks; ++b) {
      ids[b] = IdList(job.blocks[b]);
      ends[b] = job.blocks[b].ends;
    }
    std::uint32_t* begin = job.begin + std::size_t{job.listed} * job.roles;
    std::uint32_t* to = job.moves + *begin;
    std::uint32_t* const last = last_to_begin(job);
    const Word* row = rows_ + job.listed;
    std::uint32_t l = job.listed;
    for (; l < job.count && to <= last; ++l, ++row) {
      const Word* below = job.below;
#pragma GCC unroll 8
      for (int b = 0; b < kBlocks; ++b) {
        const Word bits = row[b * kStride];
        const auto at = static_cast<std::uint32_t>(to - job.moves);
        for (std::uint32_t e = 0; e < ends[b]; ++e) {
          *++begin = at + static_cast<std::uint32_t>(__builtin_popcountll(bits & *below++));
        }
        to = ids[b].write(to, bits);
      }
    }
    return l;
  }

  // Where there is just room behind for the moves of a lane.
  static std::uint32_t* last_to_begin(const Expansion& job) {
    return job.moves + (job.room - job.move_count - Expansion::kListSlack);
  }

  // Blocks are seen in at most 64 groups.
  [[nodiscard]] std::uint32_t group_size(std::uint32_t role) const {
    return (job_.first_block[role + 1] - job_.first_block[role] + 63) / 64;
  }

  // Rows of a role's legal moves, and which groups of blocks have any.
  void take_role(std::uint32_t role, const Register* s, Register lanes) {
    const std::uint32_t from = job_.first_block[role], end = job_.first_block[role + 1];
    Register seen[64] = {};
    for (std::uint32_t b = from; b < end; ++b) {
      const Register some = any_move(job_.blocks[b], s) & lanes;
      seen[(b - from) / group_size(role)] |= some;
      if (any(some)) turn(job_.blocks[b], s, lanes, row(b));
    }
    auto* const to = reinterpret_cast<Register*>(seen_ + role * kStride);
    transpose([&](std::size_t k) { return seen[k]; },
              [&](std::size_t k, Register r) { to[k] = r; });
  }

  static Register any_move(const MoveBlock& block, const Register* s) {
    Register some = zeros();
    for (std::uint32_t k = 0; k < block.moves; ++k) some |= value(s, block.legal[k]);
    return some;
  }

  [[nodiscard]] std::uint32_t list_many() const {
    const Expansion job = job_;
    std::uint32_t* begin = job.begin + std::size_t{job.listed} * job.roles;
    std::uint32_t* to = job.moves + *begin;
    std::uint32_t* const last = last_to_begin(job);
    std::uint32_t l = job.listed;
    for (; l < job.count && to <= last; ++l) {
      for (std::uint32_t r = 0; r < job.roles; ++r) {
        for (Word seen = seen_[r * kStride + l]; seen != 0; seen &= seen - 1) {
          to = list_group(to, r, static_cast<std::uint32_t>(__builtin_ctzll(seen)), l);
        }
        *++begin = static_cast<std::uint32_t>(to - job.moves);
      }
    }
    return l;
  }

  std::uint32_t* list_group(std::uint32_t* to, std::uint32_t role, std::uint32_t group,
                            std::size_t lane) const {
    const std::uint32_t size = group_size(role), from = job_.first_block[role] + group * size;
    for (std::uint32_t b = from; b < from + size && b < job_.first_block[role + 1]; ++b) {
      to = IdList(job_.blocks[b]).write(to, row(b)[lane]);
    }
    return to;
  }

  const Expansion& job_;
  Word* rows_;  // [block][lane]
  Word* seen_;  // [role][lane]: groups of blocks with a legal move
};

}  // namespace
}  // namespace ludens::gdl::kernel
