// SPDX-License-Identifier: MIT
#include "search/mcts/rating.h"

#include <algorithm>
#include <bit>
#include <cmath>

// There are two versions of each function: four edges at a time, with instructions that any x86-64
// has and WebAssembly's compiler translates, and eight for processors with AVX-512. The wide
// functions have no lambdas and only call intrinsics, since only functions with the attribute may
// use the wide registers.
#if defined(__x86_64__)
#include <immintrin.h>
#define LUDENS_WIDE [[gnu::target("avx512f,avx512vl,avx512dq")]]
#else
#include <emmintrin.h>
#endif

namespace ludens::search::mcts {

namespace {

constexpr std::uint32_t kRatedAtATime = 8;  // scores are in blocks of this many

// ---- Four edges

/// Four edges, a field of all of them in each register.
struct FourEdges {
  __m128 mean;
  __m128i visits, rest;  // `rest`: in flight, low and high, from the lowest bits up
};

FourEdges load(const Edge* edges, std::uint32_t count) {
  static constexpr Edge kNobody{kNeverChosen, 1, {kNoNode}, 0, {}};
  const auto row = [&](std::uint32_t i) {
    return _mm_loadu_ps(reinterpret_cast<const float*>(i < count ? edges + i : &kNobody));
  };
  const __m128 a = row(0), b = row(1), c = row(2), d = row(3);
  const __m128 ab = _mm_unpacklo_ps(a, b), cd = _mm_unpacklo_ps(c, d);
  const __m128 rest = _mm_movehl_ps(_mm_unpackhi_ps(c, d), _mm_unpackhi_ps(a, b));
  return {_mm_movelh_ps(ab, cd), _mm_castps_si128(_mm_movehl_ps(cd, ab)), _mm_castps_si128(rest)};
}

__m128 select(__m128 mask, __m128 yes, __m128 no) {
  return _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no));
}

__m128 four_scores(const FourEdges& edges, const UcbTerms& measure) {
  const __m128i in_flight = _mm_and_si128(edges.rest, _mm_set1_epi32(0xffff));
  const __m128 one = _mm_set1_ps(1);
  const __m128 tried = _mm_cvtepi32_ps(_mm_add_epi32(edges.visits, in_flight));
  const __m128 share = _mm_div_ps(one, _mm_max_ps(tried, one));
  const __m128 won = _mm_mul_ps(edges.mean, _mm_cvtepi32_ps(edges.visits));
  const __m128 fresh = _mm_castsi128_ps(_mm_cmpeq_epi32(edges.visits, _mm_setzero_si128()));
  const __m128 value = select(fresh, _mm_set1_ps(measure.node_mean), _mm_mul_ps(won, share));
  const __m128 exploration = _mm_set1_ps(measure.exploration);
  const __m128 score = _mm_add_ps(value, _mm_sqrt_ps(_mm_mul_ps(exploration, share)));
  if (!measure.by_bounds) return score;
  const __m128i low = _mm_and_si128(_mm_srli_epi32(edges.rest, 16), _mm_set1_epi32(0xff));
  const __m128i high = _mm_srli_epi32(edges.rest, 24);
  const __m128i best = _mm_set1_epi32(measure.candidates.bar());
  const __m128i admitted = measure.candidates.open() ? _mm_and_si128(_mm_cmpgt_epi32(high, best),
                                                                     _mm_cmpgt_epi32(high, low))
                                                     : _mm_cmpeq_epi32(low, best);
  return select(_mm_castsi128_ps(admitted), score, _mm_set1_ps(kNeverChosen));
}

/// In blocks of `kRatedAtATime`.
void rate_by_fours(std::span<const Edge> edges, const UcbTerms& measure, float* scores) {
  const auto count = static_cast<std::uint32_t>(edges.size());
  for (std::uint32_t i = 0; i < count; i += kRatedAtATime) {
    for (std::uint32_t j = i; j < i + kRatedAtATime; j += 4) {
      const std::uint32_t left = j < count ? count - j : 0;
      _mm_storeu_ps(scores + j,
                    four_scores(load(edges.data() + std::min(j, count), left), measure));
    }
  }
}

/// The largest of some numbers that come by four, and its place: the first of equals.
class Largest {
 public:
  void see(std::uint32_t first_place, __m128 four) {
    const __m128 larger = _mm_cmpgt_ps(four, most_);
    most_ = select(larger, four, most_);
    const __m128 places =
        _mm_add_ps(_mm_setr_ps(0, 1, 2, 3), _mm_set1_ps(static_cast<float>(first_place)));
    where_ = select(larger, places, where_);
  }
  [[nodiscard]] std::uint32_t place() const {
    const __m128 best = _mm_set1_ps(-least_of(_mm_sub_ps(_mm_setzero_ps(), most_)));
    const __m128 nowhere = _mm_set1_ps(kNowhere);
    return static_cast<std::uint32_t>(least_of(select(_mm_cmpeq_ps(most_, best), where_, nowhere)));
  }

 private:
  static constexpr float kNowhere = 1e9F;
  static float least_of(__m128 four) {
    const __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps(two, two, 1)));
  }
  __m128 most_ = _mm_set1_ps(2 * kNeverChosen);
  __m128 where_ = _mm_setzero_ps();
};

std::uint32_t largest_by_fours(std::span<const float> scores) {
  Largest largest;
  for (std::uint32_t i = 0; i < scores.size(); i += 4) largest.see(i, _mm_loadu_ps(&scores[i]));
  return largest.place();
}

// ---- Eight edges

#if defined(__x86_64__)

/// Two edges at a place, of the eight from `edges` on that `words` has a bit for each word of.
LUDENS_WIDE inline __m256i load_two(const Edge* edges, std::uint32_t words, std::uint32_t place) {
  const auto* const bytes = reinterpret_cast<const char*>(edges) + place * sizeof(Edge);
  return _mm256_maskz_loadu_epi32(static_cast<__mmask8>(words >> (4 * place)), bytes);
}

/// Edges after `count` are never chosen, and not read.
LUDENS_WIDE inline __m256 eight_scores(const Edge* edges, std::uint32_t count,
                                       const UcbTerms& measure) {
  const std::uint32_t words = count >= 8 ? ~0U : (1U << (4 * count)) - 1;
  const __m256i a = load_two(edges, words, 0), b = load_two(edges, words, 2);
  const __m256i c = load_two(edges, words, 4), d = load_two(edges, words, 6);
  const __m256i first_words = _mm256_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13);
  const __m256i last_words = _mm256_setr_epi32(3, 7, 11, 15, 3, 7, 11, 15);
  const __m256i ab = _mm256_permutex2var_epi32(a, first_words, b);
  const __m256i cd = _mm256_permutex2var_epi32(c, first_words, d);
  const __m256 mean = _mm256_castsi256_ps(_mm256_permute2x128_si256(ab, cd, 0x20));
  const __m256i visits = _mm256_permute2x128_si256(ab, cd, 0x31);
  const __m256i rest = _mm256_permute2x128_si256(_mm256_permutex2var_epi32(a, last_words, b),
                                                 _mm256_permutex2var_epi32(c, last_words, d), 0x20);

  const __m256i in_flight = _mm256_and_si256(rest, _mm256_set1_epi32(0xffff));
  const __m256 one = _mm256_set1_ps(1);
  const __m256 tried = _mm256_cvtepi32_ps(_mm256_add_epi32(visits, in_flight));
  const __m256 share = _mm256_div_ps(one, _mm256_max_ps(tried, one));
  const __m256 won = _mm256_mul_ps(mean, _mm256_cvtepi32_ps(visits));
  const __mmask8 fresh = _mm256_cmpeq_epi32_mask(visits, _mm256_setzero_si256());
  const __m256 value =
      _mm256_mask_mov_ps(_mm256_mul_ps(won, share), fresh, _mm256_set1_ps(measure.node_mean));
  const __m256 exploration = _mm256_set1_ps(measure.exploration);
  const __m256 score = _mm256_add_ps(value, _mm256_sqrt_ps(_mm256_mul_ps(exploration, share)));
  auto candidates = static_cast<__mmask8>(count >= 8 ? 0xff : (1U << count) - 1);
  if (measure.by_bounds) {
    const __m256i low = _mm256_and_si256(_mm256_srli_epi32(rest, 16), _mm256_set1_epi32(0xff));
    const __m256i high = _mm256_srli_epi32(rest, 24);
    const __m256i best = _mm256_set1_epi32(measure.candidates.bar());
    const int admitted = measure.candidates.open() ? _mm256_cmpgt_epi32_mask(high, best) &
                                                         _mm256_cmpgt_epi32_mask(high, low)
                                                   : _mm256_cmpeq_epi32_mask(low, best);
    candidates = static_cast<__mmask8>(candidates & admitted);
  }
  return _mm256_mask_mov_ps(_mm256_set1_ps(kNeverChosen), candidates, score);
}

LUDENS_WIDE void rate_by_eights(const Edge* edges, std::uint32_t count, const UcbTerms& measure,
                                float* scores) {
  for (std::uint32_t i = 0; i < count; i += 8) {
    _mm256_storeu_ps(scores + i, eight_scores(edges + i, count - i, measure));
  }
}

LUDENS_WIDE inline float most_of(__m256 eight) {
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}

LUDENS_WIDE inline std::uint32_t first_of(__m256 eight, float most) {
  const __mmask8 equal = _mm256_cmp_ps_mask(eight, _mm256_set1_ps(most), _CMP_EQ_OQ);
  return static_cast<std::uint32_t>(__builtin_ctz(equal));
}

LUDENS_WIDE std::uint32_t best_by_eights(const Edge* edges, std::uint32_t count,
                                         const UcbTerms& measure) {
  std::uint32_t best = 0;
  float most = 2 * kNeverChosen;
  for (std::uint32_t i = 0; i < count; i += 8) {
    const __m256 eight = eight_scores(edges + i, count - i, measure);
    const float here = most_of(eight);
    if (here <= most) continue;
    most = here;
    best = i + first_of(eight, here);
  }
  return best;
}

LUDENS_WIDE std::uint32_t largest_by_eights(const float* scores, std::uint32_t count) {
  std::uint32_t best = 0;
  float most = 2 * kNeverChosen;
  for (std::uint32_t i = 0; i < count; i += 8) {
    const __m256 eight = _mm256_loadu_ps(scores + i);
    const float here = most_of(eight);
    if (here <= most) continue;
    most = here;
    best = i + first_of(eight, here);
  }
  return best;
}

/// The scores of an edge after it was taken once, twice, up to eight times more.
LUDENS_WIDE inline __m256 next_scores(const Edge& edge, const UcbTerms& measure) {
  const auto tried = static_cast<float>(edge.visits + edge.in_flight);
  const __m256 more = _mm256_setr_ps(1, 2, 3, 4, 5, 6, 7, 8);
  const __m256 share = _mm256_div_ps(_mm256_set1_ps(1), _mm256_add_ps(_mm256_set1_ps(tried), more));
  const float won = edge.mean * static_cast<float>(edge.visits);
  const __m256 value = edge.visits == 0 ? _mm256_set1_ps(measure.node_mean)
                                        : _mm256_mul_ps(_mm256_set1_ps(won), share);
  const __m256 exploration = _mm256_set1_ps(measure.exploration);
  return _mm256_add_ps(value, _mm256_sqrt_ps(_mm256_mul_ps(exploration, share)));
}

/// An edge is taken repeatedly as long as its score stays above the others.
LUDENS_WIDE void take_of_eight(std::span<Edge> edges, const UcbTerms& measure,
                               std::span<std::uint32_t> places) {
  __m256 scores = eight_scores(edges.data(), static_cast<std::uint32_t>(edges.size()), measure);
  for (std::size_t taken = 0; taken < places.size();) {
    const std::uint32_t place = first_of(scores, most_of(scores));
    const auto its_lane = static_cast<__mmask8>(1U << place);
    const float others =
        most_of(_mm256_mask_mov_ps(scores, its_lane, _mm256_set1_ps(kNeverChosen)));
    Edge& edge = edges[place];
    const __m256 after = next_scores(edge, measure);
    const auto lower =
        static_cast<std::uint32_t>(_mm256_cmp_ps_mask(after, _mm256_set1_ps(others), _CMP_NGT_UQ));
    const auto in_a_row = static_cast<std::uint32_t>(__builtin_ctz(lower | (1U << 7))) + 1;
    const auto run = std::min(std::size_t{in_a_row}, places.size() - taken);
    for (std::size_t i = 0; i < run; ++i) places[taken++] = place;
    edge.in_flight = static_cast<std::uint16_t>(edge.in_flight + run);
    const __m256i last = _mm256_set1_epi32(static_cast<int>(run) - 1);
    scores = _mm256_mask_mov_ps(scores, its_lane, _mm256_permutevar8x32_ps(after, last));
  }
}

#endif

}  // namespace

float score_of(const Edge& edge, const UcbTerms& measure) {
  const auto tried = static_cast<float>(edge.visits + edge.in_flight);
  const float share = 1 / std::max(tried, 1.0F);
  const float won = edge.mean * static_cast<float>(edge.visits);
  const float value = edge.visits == 0 ? measure.node_mean : won * share;
  return value + std::sqrt(measure.exploration * share);
}

namespace {

void take(std::span<Edge> edges, const UcbTerms& measure, std::vector<float>& scores,
          std::uint32_t place) {
  ++edges[place].in_flight;
  scores[place] = score_of(edges[place], measure);
}

}  // namespace

RatingWidth widest_rating() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq")) {
    return RatingWidth::Eight;
  }
#endif
  return RatingWidth::Four;
}

std::uint32_t best_of(std::span<const Edge> edges, const UcbTerms& measure,
                      [[maybe_unused]] RatingWidth width) {
  const auto count = static_cast<std::uint32_t>(edges.size());
#if defined(__x86_64__)
  if (width == RatingWidth::Eight) return best_by_eights(edges.data(), count, measure);
#endif
  Largest largest;
  for (std::uint32_t i = 0; i < count; i += 4) {
    largest.see(i, four_scores(load(edges.data() + i, count - i), measure));
  }
  return largest.place();
}

void take_best(std::span<Edge> edges, const UcbTerms& measure, std::vector<float>& scores,
               std::span<std::uint32_t> places, [[maybe_unused]] RatingWidth width) {
  const auto blocks = (edges.size() + kRatedAtATime - 1) / kRatedAtATime;
#if defined(__x86_64__)
  const auto count = static_cast<std::uint32_t>(edges.size());
  if (width == RatingWidth::Eight) {
    if (count <= kRatedAtATime) return take_of_eight(edges, measure, places);
    scores.resize(blocks * kRatedAtATime);
    rate_by_eights(edges.data(), count, measure, scores.data());
    for (std::uint32_t& place : places) {
      place = largest_by_eights(scores.data(), count);
      take(edges, measure, scores, place);
    }
    return;
  }
#endif
  scores.resize(blocks * kRatedAtATime);
  rate_by_fours(edges, measure, scores.data());
  for (std::uint32_t& place : places) {
    place = largest_by_fours(scores);
    take(edges, measure, scores, place);
  }
}

}  // namespace ludens::search::mcts
