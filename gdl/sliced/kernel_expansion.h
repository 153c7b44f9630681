// Expansion of as many (state, joint move) pairs as there are lanes. Under the rules of
// kernel_registers.h.
#pragma once

#include "gdl/sliced/kernel_step.h"
#include "gdl/sliced/kernel_transpose.h"

namespace ludens::gdl::kernel {
namespace {

#if LUDENS_KERNEL_WORDS == 8
/// Eight ids. Whole registers would cross a line of the cache at nearly every store.
inline void list_ids(std::uint32_t* to, __m256i first, __m128i past) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                      _mm256_add_epi32(first, _mm256_cvtepu8_epi32(past)));
}
#endif

/// Writes the ids of the moves whose bit is set, and up to kListSlack more; returns where they end.
inline std::uint32_t* list_block(std::uint32_t* to, const MoveBlock& block, Word bits) {
#if LUDENS_KERNEL_WORDS == 8
  if (bits == 0) return to;
  const __m256i first = _mm256_set1_epi32(static_cast<int>(block.first_id));
  const __m512i past = _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(block.past));
  const int n = __builtin_popcountll(bits);
  // The mask says nothing; GCC 12 warns of its own header without it.
  list_ids(to, first, _mm512_maskz_extracti32x4_epi32(0xf, past, 0));
  if (n > 8) {
    alignas(64) std::uint8_t rest[64];
    _mm512_store_si512(rest, past);
    for (int i = 8; i < n; i += 8) {
      list_ids(to + i, first, _mm_loadl_epi64(reinterpret_cast<const __m128i*>(rest + i)));
    }
  }
  return to + n;
#else
  for (; bits != 0; bits &= bits - 1) *to++ = block.first_id + block.past[__builtin_ctzll(bits)];
  return to;
#endif
}

class ExpansionRun {
 public:
  explicit ExpansionRun(Expansion& job)
      : job_(job), s_(static_cast<Register*>(job.slots)), rows_(static_cast<Word*>(job.scratch)) {
    seen_ = rows_ + static_cast<std::size_t>(job.first_block[job.roles]) * kLanes;
    copies_ = reinterpret_cast<Register*>(seen_ + job.roles * kLanes);
  }

  static std::size_t scratch(std::uint32_t blocks, std::uint32_t roles, std::uint32_t crossed) {
    return (static_cast<std::size_t>(blocks) + roles) * kLanes * sizeof(Word) +
           crossed * sizeof(Register);
  }

  std::uint64_t evaluate_all() {
    pack(job_.states, job_.count, job_.fluents, s_);
    make_moves();
    evaluate(job_.step->status, s_);
    advance(*job_.step, ones(), copies_, s_);
    write_states();
    clear_moves();
    evaluate(job_.step->status, s_);
    const Register over = value(s_, job_.step->terminal);
    write_terminal(over);
    if (any(over)) write_goals(over);
    std::uint64_t listed = 0;
    for (std::uint32_t r = 0; r < job_.roles; ++r) listed += find_legal(r, ~over & lanes_in_use());
    return listed;
  }

  void list_moves() {
    const Expansion job = job_;  // what is written could be `job_`, for all that the compiler knows
    const Word* row = rows_;
    std::uint32_t* const first = job.listed - job.begin[0];
    std::uint32_t* to = job.listed;
    std::uint32_t* begin = job.begin;
    for (std::uint32_t l = 0; l < job.count; ++l, ++row) {
      for (std::uint32_t r = 0; r < job.roles; ++r) {
        const std::uint32_t from = job.first_block[r], blocks = job.first_block[r + 1] - from;
        if (blocks == 1) {
          to = list_block(to, job.blocks[from], row[from * kLanes]);
        } else if (blocks > 1) {
          for (Word seen = seen_[r * kLanes + l]; seen != 0; seen &= seen - 1) {
            to = list_group(to, r, static_cast<std::uint32_t>(__builtin_ctzll(seen)), l);
          }
        }
        *++begin = static_cast<std::uint32_t>(to - first);
      }
    }
  }

 private:
  // Blocks are seen in at most 64 groups.
  [[nodiscard]] std::uint32_t group_size(std::uint32_t role) const {
    return (job_.first_block[role + 1] - job_.first_block[role] + 63) / 64;
  }

  std::uint32_t* list_group(std::uint32_t* to, std::uint32_t role, std::uint32_t group,
                            std::size_t lane) const {
    const std::uint32_t size = group_size(role), from = job_.first_block[role] + group * size;
    for (std::uint32_t b = from; b < from + size && b < job_.first_block[role + 1]; ++b) {
      to = list_block(to, job_.blocks[b], rows_[b * kLanes + lane]);
    }
    return to;
  }

  void clear_moves() {
    for (std::uint32_t m = 0; m < job_.moves; ++m) s_[job_.first_move + m] = zeros();
  }

  void make_moves() {
    clear_moves();
    const std::uint32_t* chosen = job_.chosen;
    Word* const slots = words(s_);
    const std::uint32_t count = job_.count, roles = job_.roles;
    for (std::uint32_t l = 0; l < count; ++l) {
      Word* const column = slots + l % kWords;
      for (std::uint32_t r = 0; r < roles; ++r) {
        const std::uint32_t slot = *chosen++;
        if (slot != Expansion::kNoMove)
          column[static_cast<std::size_t>(slot) * kWords] |= Word{1} << (l / kWords);
      }
    }
  }

  void write_states() {
    const std::size_t row_words = (job_.fluents + 63) / 64;
    Register x[64];
    for (std::uint32_t first = 0; first < job_.fluents; first += 64) {
      for (std::uint32_t b = 0; b < 64; ++b)
        x[b] = first + b < job_.fluents ? s_[first + b] : zeros();
      transpose(x);
      Word* to = job_.next + first / 64;
      const std::uint32_t count = job_.count;
      for (std::uint32_t l = 0; l < count; ++l, to += row_words) *to = words(x)[l];
    }
  }

  [[nodiscard]] Register lanes_in_use() const {
    if (job_.count == kLanes) return ones();
    Register lanes = zeros();
    for (std::size_t l = 0; l < job_.count; ++l) set_lane(lanes, l);
    return lanes;
  }

  void write_terminal(Register over) {
    for (std::size_t l = 0; l < job_.count; ++l) {
      job_.terminal[l] = words(&over)[l % kWords] >> (l / kWords) & 1;
    }
  }

  void write_goals(Register over) {
    evaluate(job_.goals, s_);
    const Register ended = over & lanes_in_use();
    for (std::uint32_t g = job_.goal_count; g-- > 0;) {  // ascending: the largest stays
      const Goal& goal = job_.goal[g];
      for_lanes(value(s_, goal.edge) & ended, [&](std::size_t l) {
        job_.goal_values[l * job_.roles + goal.role] = static_cast<std::uint8_t>(goal.value);
      });
    }
  }

  // Rows of a role's legal moves, and which groups of blocks have any; returns how many there are.
  std::uint64_t find_legal(std::uint32_t role, Register lanes) {
    const std::uint32_t from = job_.first_block[role], end = job_.first_block[role + 1];
    Register seen[64] = {};
    Register total = zeros();
    for (std::uint32_t b = from; b < end; ++b) {
      auto* x = reinterpret_cast<Register*>(rows_ + b * kLanes);
      Register some = zeros();
      const std::uint32_t moves = job_.blocks[b].moves;
      for (std::uint32_t k = moves; k < 64; ++k) x[k] = zeros();
      for (std::uint32_t k = 0; k < moves; ++k) {
        x[k] = value(s_, job_.blocks[b].legal[k]) & lanes;
        some |= x[k];
        total += count_words(x[k]);
      }
      if (any(some)) transpose(x);
      seen[(b - from) / group_size(role)] |= some;
    }
    if (end - from > 1) {
      transpose(seen);
      for (std::size_t l = 0; l < kLanes; ++l) seen_[role * kLanes + l] = words(seen)[l];
    }
    return sum_words(total);
  }

  Expansion& job_;
  Register* s_;
  Word* rows_;        // [block * lanes + lane]
  Word* seen_;        // [role * lanes + lane]: groups of blocks with a legal move
  Register* copies_;  // for `advance`
};

std::uint64_t expand(Expansion& job) {
  return ExpansionRun(job).evaluate_all();
}
void list_moves(Expansion& job) {
  ExpansionRun(job).list_moves();
}

}  // namespace
}  // namespace ludens::gdl::kernel
