// SPDX-License-Identifier: MIT
// Legal moves as lists of ids. Under the rules of kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_transpose.h"

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

  /// Writes the ids of several lanes, whose bits are in one word: 2, 4 or 8.
  template <int kTogether>
  [[nodiscard]] IdList repeated() const {
    const __m256i half = _mm512_castsi512_si256(past_);
    const __m128i quarter = _mm512_castsi512_si128(past_);
    IdList all = *this;
    if constexpr (kTogether == 2) all.past_ = _mm512_broadcast_i64x4(half);
    if constexpr (kTogether == 4) all.past_ = _mm512_broadcast_i32x4(quarter);
    if constexpr (kTogether == 8) all.past_ = _mm512_broadcastq_epi64(quarter);
    return all;
  }

  /// Writes the ids of the moves whose bit is set, and up to kListSlack more; returns where they
  /// end.
  std::uint32_t* write(std::uint32_t* to, Word bits) const {
    // Compression waits for what its register held before, even if nothing of it is kept: a
    // register that was just cleared has nothing to wait for.
    __m512i past = _mm512_setzero_si512();
    asm("" : "+v"(past));
    past = _mm512_mask_compress_epi8(past, bits, past_);
    const int n = __builtin_popcountll(bits);
    store(to, _mm512_castsi512_si128(past));
    if (n > 16) {
      store(to + 16, _mm512_extracti32x4_epi32(past, 1));
      if (n > 32) {
        store(to + 32, _mm512_extracti32x4_epi32(past, 2));
        store(to + 48, _mm512_extracti32x4_epi32(past, 3));
      }
    }
    return to + n;
  }

 private:
  void store(std::uint32_t* to, __m128i past) const {
    _mm512_storeu_si512(to, _mm512_add_epi32(base_, _mm512_cvtepu8_epi32(past)));
  }
  __m512i past_, base_;
};

/// The words of eight lanes, of which `kTogether` fit into one.
template <int kTogether>
inline void join_lanes(Register lanes, Word* joined) {
  const auto all = (__m512i)lanes;
  if constexpr (kTogether == 2) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(joined), _mm512_cvtepi64_epi32(all));
  } else if constexpr (kTogether == 4) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(joined), _mm512_cvtepi64_epi16(all));
  } else {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(joined), _mm512_cvtepi64_epi8(all));
  }
}

/// For each word the sum of the words before it and of `before`, which becomes the total.
inline Register sums_before(Register words, Register& before) {
  const __m512i zero = _mm512_setzero_si512();
  auto sums = (__m512i)words;
  sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 7));
  sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 6));
  sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 4));
  const Register through = (Register)sums + before;
  before = (Register)_mm512_permutexvar_epi64(_mm512_set1_epi64(7), (__m512i)through);
  return through - words;
}

/// Loads one byte for each word.
inline Register load_bytes(const std::uint8_t* bytes) {
  return (Register)_mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes)));
}

#else

inline Register load_bytes(const std::uint8_t* bytes) {
  Register all = zeros();
  for (std::size_t i = 0; i < kWords; ++i) words(&all)[i] = bytes[i];
  return all;
}

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

/// 1 for words that are not 0.
inline Register not_zero(Register r) {
  return (r | (zeros() - r)) >> 63;
}

/// Legal bits as rows, one word per block and lane; how many there are; and lists of them.
class Listing {
 public:
  Listing(const Expansion& job, Word* memory)
      : job_(job),
        in_turns_(memory),
        second_moves_(reinterpret_cast<std::uint8_t*>(memory + 8)),
        ends_(memory + kStride),
        counts_(ends(job.roles - 1)),
        seen_(ends_ + job.roles * kStride),
        rows_(seen_ + job.roles * kStride),
        any_(reinterpret_cast<Register*>(rows_ + std::size_t{job.block_count} * kStride)) {}

  static std::size_t words(std::uint32_t blocks, std::uint32_t roles) {
    return (1 + 2 * static_cast<std::size_t>(roles) + blocks) * kStride + blocks * kWords;
  }

  /// Reads the moves of `lanes` and writes where lists begin. Other lanes get no moves.
  void take(const Register* s, Register lanes) {
    for (std::size_t k = 0; k < 64; ++k) counts_[k] = zeros();
    *in_turns_ = one_waits(s, lanes) ? 1 : 0;
    if (*in_turns_ != 0) {
      take_turns(s, lanes);
    } else if (job_.block_count <= Expansion::kFewBlocks) {
      take_few(s, lanes);
    } else {
      for (std::uint32_t r = 0; r < job_.roles; ++r) take_role(r, s, lanes);
    }
    write_begins();
  }

  void list() const {
    if (*in_turns_ != 0) return list_turns();
    switch (job_.block_count) {
      case 1:
        return list_one();
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
  // The distance of rows, such that a lane's words don't compete for the same places in the cache.
  static constexpr std::size_t kStride = kLanes + 8;

  [[nodiscard]] Word* row(std::uint32_t block) const { return rows_ + block * kStride; }
  [[nodiscard]] Register* ends(std::uint32_t role) const {
    return reinterpret_cast<Register*>(ends_ + role * kStride);
  }
  static Register load(const Word* words) { return *reinterpret_cast<const Register*>(words); }

  static Register any_move(const MoveBlock& block, const Register* s) {
    const Edge* const legal = block.legal;
    const std::uint32_t moves = block.moves;
    Register some = zeros(), more = zeros();
    std::uint32_t k = 0;
    if (block.mixed != 0) {
      for (; k < moves; ++k) some |= value(s, legal[k]);
    } else {
      for (; k + 1 < moves; k += 2) {
        some |= s[legal[k].slot];
        more |= s[legal[k + 1].slot];
      }
      if (k < moves) more |= s[legal[k].slot];
    }
    return some | more;
  }

  // Makes a row and adds to what lanes have so far. `bit(k)`: the legal bits of a block's move.
  template <typename Bit>
  void turn(std::uint32_t moves, Register lanes, Word* row, Bit bit) const {
    auto* const to = reinterpret_cast<Register*>(row);
    Register* const counts = counts_;
    transpose([&](std::size_t k) { return k < moves ? bit(k) & lanes : zeros(); },
              [=](std::size_t k, Register r) {
                to[k] = r;
                counts[k] += count_words(r);
              },
              moves);
  }

  void turn(const MoveBlock& block, const Register* s, Register lanes, Word* row) const {
    const Edge* const legal = block.legal;
    if (block.mixed != 0) {
      turn(block.moves, lanes, row, [=](std::size_t k) { return value(s, legal[k]); });
    } else {
      turn(block.moves, lanes, row, [=](std::size_t k) { return s[legal[k].slot]; });
    }
  }

  // --- few blocks, which roles share

  void take_few(const Register* s, Register lanes) {
    for (std::uint32_t b = 0, role = 0; b < job_.block_count; ++b) {
      const MoveBlock& block = job_.blocks[b];
      turn(block, s, lanes, row(b));
      for (std::uint32_t e = 0; e < block.ends; ++e, ++role) {
        if (role + 1 < job_.roles) end_within(role, row(b));
      }
    }
  }

  // The last of a role's moves are in this row.
  void end_within(std::uint32_t role, const Word* row) {
    const auto* const bits = reinterpret_cast<const Register*>(row);
    const Register behind = fill(~job_.below[role]);
    Register* const to = ends(role);
    for (std::size_t k = 0; k < 64; ++k) to[k] = counts_[k] - count_words(bits[k] & behind);
  }

  void list_one() const {
#if LUDENS_KERNEL_WORDS == 8
    const std::uint32_t moves = job_.blocks[0].moves;
    if (moves <= 8) return list_together<8>();
    if (moves <= 16) return list_together<4>();
    if (moves <= 32) return list_together<2>();
#endif
    list_few<1>();
  }

#if LUDENS_KERNEL_WORDS == 8
  // Lanes after the last have no moves.
  template <int kTogether>
  void list_together() const {
    const Expansion job = job_;
    const IdList ids = IdList(job.blocks[0]).repeated<kTogether>();
    std::uint32_t* to = job.moves + *job.begin;
    for (std::uint32_t l = 0; l < job.count; l += kWords) {
      Word joined[kWords / kTogether];
      join_lanes<kTogether>(load(rows_ + l), joined);
#pragma GCC unroll 4
      for (const Word bits : joined) to = ids.write(to, bits);
    }
  }
#endif

  template <int kBlocks>
  void list_few() const {
    const Expansion job = job_;  // a copy, because the compiler must assume that writes may alias
                                 // `job_`
    IdList ids[kBlocks];
    for (int b = 0; b < kBlocks; ++b) ids[b] = IdList(job.blocks[b]);
    std::uint32_t* to = job.moves + *job.begin;
    const Word* row = rows_;
    for (std::uint32_t l = 0; l < job.count; ++l, ++row) {
#pragma GCC unroll 8
      for (std::size_t b = 0; b < kBlocks; ++b) to = ids[b].write(to, row[b * kStride]);
    }
  }

  // --- many, of one role each: they are seen in at most 64 groups

  static std::uint32_t group_size(std::uint32_t blocks) {
    return (blocks + 63) / 64;
  }

  // `turn(b)` makes the rows of each block that has a move in any lane, by `any_`. `seen` receives
  // which groups have such a block.
  template <typename Turn>
  void take_many(std::uint32_t from, std::uint32_t end, Register lanes, Word* seen, Turn turn) {
    const std::uint32_t size = group_size(end - from);
    Register groups[64] = {};
    for (std::uint32_t b = from; b < end; ++b) {
      const Register some = any_[b] & lanes;
      groups[(b - from) / size] |= some;
      if (any(some)) {
        turn(b);
      } else if (size > 1) {  // others of its group may be seen
        for (std::size_t l = 0; l < kLanes; ++l) row(b)[l] = 0;
      }
    }
    auto* const to = reinterpret_cast<Register*>(seen);
    transpose([&](std::size_t k) { return groups[k]; },
              [&](std::size_t k, Register r) { to[k] = r; }, (end - from + size - 1) / size);
  }

  void take_role(std::uint32_t role, const Register* s, Register lanes) {
    const std::uint32_t from = job_.first_block[role], end = job_.first_block[role + 1];
    for (std::uint32_t b = from; b < end; ++b) any_[b] = any_move(job_.blocks[b], s);
    take_many(from, end, lanes, seen_ + role * kStride,
              [=, this](std::uint32_t b) { turn(job_.blocks[b], s, lanes, row(b)); });
    if (role + 1 < job_.roles) {
      for (std::size_t k = 0; k < 64; ++k) ends(role)[k] = counts_[k];
    }
  }

  void list_many() const {
    const Expansion job = job_;
    std::uint32_t* to = job.moves + *job.begin;
    for (std::uint32_t l = 0; l < job.count; ++l) {
      for (std::uint32_t r = 0; r < job.roles; ++r) {
        const std::uint32_t from = job.first_block[r];
        to = list_seen(to, seen_[r * kStride + l], job.blocks + from, job.first_block[r + 1] - from,
                       row(from) + l);
      }
    }
  }

  // Lists the moves of a lane in some of these blocks; `bits`: those of the first one.
  static std::uint32_t* list_seen(std::uint32_t* to, Word seen, const MoveBlock* blocks,
                                  std::uint32_t count, const Word* bits) {
    const std::uint32_t size = group_size(count);
    for (; seen != 0; seen &= seen - 1) {
      const std::uint32_t first = static_cast<std::uint32_t>(__builtin_ctzll(seen)) * size;
      for (std::uint32_t b = first; b < first + size && b < count; ++b) {
        to = IdList(blocks[b]).write(to, bits[b * kStride]);
      }
    }
    return to;
  }

  // --- two roles in turn

  // Whether in each lane one role can only wait, and the other can't wait but move.
  bool one_waits(const Register* s, Register lanes) {
    const TurnBlocks& turns = job_.turns;
    if (turns.block_count == 0) return false;
    Register moves[2] = {zeros(), zeros()};
    for (std::uint32_t b = 0; b < turns.block_count; ++b) {
      any_[b] = zeros();
      for (int r = 0; r < 2; ++r) {
        const Register some = any_move(turns.of[r][b], s);
        moves[r] |= some;
        any_[b] |= some;
      }
    }
    const Register bad = ~(moves[0] ^ moves[1]) | (moves[0] ^ value(s, turns.waits[1])) |
                         (moves[1] ^ value(s, turns.waits[0]));
    if (any(bad & lanes)) return false;
    write_bits(moves[1] & lanes, kLanes, second_moves_);
    return true;
  }

  void turn_both(std::uint32_t b, const Register* s, Register lanes) const {
    const MoveBlock &block = job_.turns.of[0][b], &other = job_.turns.of[1][b];
    const Edge *const x = block.legal, *const y = other.legal;
    if ((block.mixed | other.mixed) != 0) {
      turn(block.moves, lanes, row(b),
           [=](std::size_t k) { return value(s, x[k]) | value(s, y[k]); });
    } else {
      turn(block.moves, lanes, row(b), [=](std::size_t k) { return s[x[k].slot] | s[y[k].slot]; });
    }
  }

  void take_turns(const Register* s, Register lanes) {
    const TurnBlocks& turns = job_.turns;
    if (turns.block_count <= Expansion::kFewBlocks) {
      for (std::uint32_t b = 0; b < turns.block_count; ++b) turn_both(b, s, lanes);
    } else {
      take_many(0, turns.block_count, lanes, seen_,
                [=, this](std::uint32_t b) { turn_both(b, s, lanes); });
    }
    for (std::size_t k = 0; k < 64; ++k) {
      const Register n = counts_[k], second = load_bytes(second_moves_ + k * kWords);
      ends(0)[k] = n ^ ((n ^ fill(1)) & (zeros() - second));
      ends(1)[k] = n + not_zero(n);
    }
  }

  // A role's waiting move is always written, and overwritten where it does not belong.
  void list_turns() const {
    const Expansion job = job_;
    const std::uint32_t blocks = job.turns.block_count;
    const bool few = blocks <= Expansion::kFewBlocks;
    IdList ids[2][Expansion::kFewBlocks];
    for (std::uint32_t b = 0; few && b < blocks; ++b) {
      for (int r = 0; r < 2; ++r) ids[r][b] = IdList(job.turns.of[r][b]);
    }
    const Word* row = rows_;
    for (std::uint32_t l = 0; l < job.count; ++l, ++row) {
      const std::uint32_t second = second_moves_[l];
      std::uint32_t* to = job.moves + job.begin[2 * l];
      *to = job.turns.waiting[0];
      to += second;
      if (few) {
        for (std::uint32_t b = 0; b < blocks; ++b) {
          to = ids[second][b].write(to, row[b * kStride]);
        }
      } else {
        to = list_seen(to, seen_[l], job.turns.of[second], blocks, row);
      }
      *to = job.turns.waiting[1];
    }
  }

  // --- all

  void write_begins() const {
    const std::uint32_t roles = job_.roles, count = job_.count;
    std::uint32_t* begin = job_.begin;
    const Word* const all = ends_ + (roles - 1) * kStride;
#if LUDENS_KERNEL_WORDS == 8
    if (roles == 2) {
      Register before = fill(*begin++);
      for (std::uint32_t l = 0; l < count; l += kWords, begin += 2 * kWords) {
        const Register of_both = load(all + l), from = sums_before(of_both, before);
        const Register pair = (from + load(ends_ + l)) | (from + of_both) << 32;
        const auto some = count - l < kWords ? (1U << (count - l)) - 1 : 0xffU;
        _mm512_mask_storeu_epi64(begin, static_cast<__mmask8>(some), (__m512i)pair);
      }
      return;
    }
#endif
    Word before = *begin;
    for (std::uint32_t l = 0; l < count; ++l) {
      for (std::uint32_t r = 0; r < roles; ++r) {
        *++begin = static_cast<std::uint32_t>(before + ends_[r * kStride + l]);
      }
      before += all[l];
    }
  }

  const Expansion& job_;
  Word* in_turns_;              // not 0: rows are those of `job.turns`
  std::uint8_t* second_moves_;  // [lane]: 1 where the second role moves, and the first waits
  Word* ends_;                  // [role][lane]: moves of this role and those before
  Register* counts_;            // the last role's: while moves are taken, those so far
  Word* seen_;                  // [role][lane]: groups of blocks with a legal move
  Word* rows_;                  // [block][lane]
  Register* any_;               // [block]: lanes that have one of its moves
};

}  // namespace
}  // namespace ludens::gdl::kernel
