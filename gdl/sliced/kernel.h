// The inner loops over many states at once, one bit of a vector register each, for several
// instruction sets. Plain data only: these functions are compiled with other flags than the rest,
// so nothing that the linker could merge with code for every processor may be in them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ludens::gdl::kernel {

struct Edge {
  std::uint32_t slot;
  std::uint32_t inverted;
};

/// `count` gates of `plain` + `complemented` inputs; each is `destination, plain...,
/// complemented...` in the code: the AND of the plain slots and of the complements of the others.
struct Run {
  std::uint32_t plain, complemented, count;
};

/// One role's choice: its moves' legal bits, and where the chosen move's bit goes.
struct Chooser {
  std::uint32_t moves;
  const std::uint32_t* legal_slot;      // [move]
  const std::uint64_t* legal_inverted;  // [move]: 0 or ~0
  const std::uint32_t* move_slot;       // [move]
  void* scratch;                        // `chooser_scratch` bytes, aligned to the register
};

struct Goal {
  std::uint32_t role, value;
  Edge edge;
};

/// Holds what `update` was in the round before, and false in the first.
struct Feedback {
  std::uint32_t slot;
  Edge update;
};

/// Runs [first_run, end_run) are evaluated in rounds, until no feedback changes in any lane.
struct Loop {
  std::uint32_t first_run, end_run;
  std::uint32_t first_feedback, end_feedback;
};

/// Gates that are evaluated together, in the order of their runs; loops ascending and apart (most
/// games have none). Machine code for the width at hand, where there is any, leaves the same values
/// in all slots that are read afterwards.
struct Phase {
  const Run* runs;
  std::size_t run_count;
  const std::uint32_t* code;
  void (*native)(void* slots) = nullptr;  // or null
  const Loop* loops = nullptr;
  std::size_t loop_count = 0;
  const Feedback* feedbacks = nullptr;
};

/// Playouts from many starts: job j starts at `starts[j / per_start]`. Jobs are taken in order by
/// whichever lane is free; finished lanes wait until `hold` of them can be counted and refilled
/// together.
struct Playouts {
  // The program.
  Phase status, goals, next;
  std::uint32_t fluents, roles;
  const Edge* next_edge;  // [fluent]
  const std::uint32_t*
      moved;  // fluents whose next edge is another input's slot, to be read before writing
  std::uint32_t moved_count;
  Edge terminal;
  const Goal* goal;  // roles ascending, values descending: the largest counts
  std::uint32_t goal_count;
  const Chooser* chooser;  // [role]
  void* slots;
  void* scratch;  // `playout_scratch` bytes
  // The question.
  const std::uint64_t* const* starts;  // [start]: words of the state
  std::uint32_t start_count, per_start, step_cap, hold;
  std::uint32_t poll_every;   // passes between two looks at `stop`
  std::uint64_t* random;      // generator state, `lanes / 64 * 2` words, not all 0
  bool (*stop)(const void*);  // asked every few hundred microseconds
  const void* stop_argument;
  // The answer, added to what is there.
  std::uint64_t* goal_sums;  // [start * roles + role]
  std::uint32_t* finished;   // [start]
  std::uint64_t steps, cut;
  bool stopped;
};

/// One instruction set.
struct Kernel {
  const char* name;
  std::size_t lanes;
  /// Evaluates a phase over `slots` (an array of registers, aligned).
  void (*evaluate)(const Phase& phase, void* slots);
  /// States to slots: lane l gets the state at `states[l]`, for l < count; other lanes get zeros.
  void (*pack)(const std::uint64_t* const* states, std::size_t count, std::uint32_t bits,
               void* slots);
  /// Edges to rows of bits: bit b of lane l goes to word b / 64 of row l. `rows` has `lanes` rows
  /// of (bits + 63) / 64 words.
  void (*unpack)(const Edge* edges, std::uint32_t bits, const void* slots, std::uint64_t* rows);
  std::size_t (*chooser_scratch)(std::uint32_t moves);
  std::size_t (*playout_scratch)(std::uint32_t fluents);
  void (*playouts)(Playouts& job);
};

/// By number of lanes: 64 (any processor), 256 (AVX2), 512 (AVX-512); null where this processor
/// can't.
const Kernel* find(std::size_t lanes);
/// The widest that this processor has.
const Kernel& widest();

// One a translation unit.
extern const Kernel kLanes64, kLanes256, kLanes512;

}  // namespace ludens::gdl::kernel
