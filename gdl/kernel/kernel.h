// SPDX-License-Identifier: MIT
// The inner loops over many states at once, one bit of a vector register each, for several
// instruction sets. Plain data only: these functions are compiled with other flags than the rest,
// so they must not contain anything that the linker could merge with code for every processor.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ludens::gdl::kernel {

/// `count` gates of `plain` + `complemented` inputs; each is `destination, plain...,
/// complemented...` in the code: the AND of the plain slots and of the complements of the others.
struct Run {
  std::uint32_t plain, complemented, count;
};

struct Edge {
  std::uint32_t slot;
  std::uint32_t inverted;  // 0 or 1
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

/// Gates that are evaluated together, in the order of their runs; loops are ascending and disjoint
/// (most games have none). Machine code for this width, if there is any, leaves the same values in
/// all slots that are read afterwards.
struct Phase {
  const Run* runs;
  std::size_t run_count;
  const std::uint32_t* code;
  void (*native)(void* slots) = nullptr;  // or null
  const Loop* loops = nullptr;
  std::size_t loop_count = 0;
  const Feedback* feedbacks = nullptr;
};

struct Goal {
  std::uint32_t role, value;
  Edge edge;
};

/// How the moves of a choice are counted: leaves, and above them a tree of sums of pairs, all in
/// sliced form: bit k of all lanes in one register. Leaves are blocks of 8 moves; groups of 64
/// where there are many moves; or moves with their weights.
struct CountTree {
  static constexpr std::uint32_t kBlock = 8, kLeafBits = 4, kMaxLevels = 22;
  std::uint32_t moves, leaves, levels;
  std::uint32_t leaf_bits;           // kLeafBits for blocks, LegalLeaf::kBits for 64 moves,
                                     // FamilyLeaf::kLeafBits for families
  std::uint32_t width[kMaxLevels];   // nodes of a level; a node has leaf_bits + level bits
  std::uint32_t offset[kMaxLevels];  // first register of a level
  std::uint32_t registers;
};
/// The most moves that a choice may have.
inline constexpr std::uint32_t kMostMoves = std::uint32_t{1} << (CountTree::kMaxLevels - 1);
CountTree count_tree(std::uint32_t moves);
/// This many moves, and those that are missing in the last leaf of their tree.
std::uint32_t padded_moves(std::uint32_t moves);
/// The tree for moves as leaves, with weights of this many bits, kLeafBits to 8.
CountTree weight_tree(std::uint32_t moves, std::uint32_t bits);

/// One role's choice: its moves' legal bits, and where the chosen move's bit goes.
struct Chooser {
  CountTree tree;
  const Edge* legal;          // [move]; then edges that are never true, up to `padded_moves`
  const std::uint8_t* mixed;  // [block]: whether one of its legal bits is stored complemented
  std::uint32_t first_move;   // slot of the first move; the others follow
  void* scratch;              // `chooser_scratch` bytes, all zero at first, aligned to the register
};

/// Up to 64 moves of a choice among many, which evaluates their conditions itself: for each move,
/// `plain` slots that must hold and `complemented` slots that must not. The code of the moves is
/// contiguous, starting at `code`, and is padded to 64 moves.
struct LegalLeaf {
  static constexpr std::uint32_t kMoves = 64, kBits = 7;  // of a count
  static constexpr std::uint32_t kBlocks = kMoves / CountTree::kBlock;
  std::uint32_t plain, complemented, moves, code;
};

/// Moves of a choice among many whose conditions have a part in common, eight families of them. A
/// move is legal where its family's `common` slot and a slot of its own hold. Own slots are
/// contiguous, in blocks of 8 of which the last is filled with a slot that never holds; those that
/// all eight families have come first, and are counted once.
struct FamilyLeaf {
  static constexpr std::uint32_t kFamilies = 8, kBlock = 8;
  static constexpr std::uint32_t kMoves = 48, kBits = 6;  // of a family
  static constexpr std::uint32_t kLeafBits = kBits + 3;
  struct Family {
    std::uint32_t common;
    std::uint32_t own, blocks;  // those that not all have
    std::uint32_t first_move;   // the moves of shared slots, then those of the others
  };
  std::uint32_t shared, shared_blocks;
  Family families[kFamilies];
};
/// The tree for such leaves, first those of moves and then those of families.
CountTree leaf_tree(std::uint32_t leaves, std::uint32_t family_leaves);

/// One role's choice among many moves. No move has a slot of its own: a chosen one is added to the
/// slots of the sets that it is in.
struct SparseChooser {
  CountTree tree;
  const LegalLeaf* leaves;
  const std::uint32_t* code;
  std::uint32_t leaf_count;
  const FamilyLeaf* families;  // the other leaves of the tree
  const std::uint32_t* own;    // slots of families
  // [64 * leaf + move], then those of families, one more at the end
  const std::uint32_t* first_set;
  const std::uint32_t* sets;  // slots
  void* scratch;              // `sparse_scratch` bytes, aligned to the register
};

/// The weights of a chooser's moves.
struct Weighting {
  CountTree tree;
  const std::uint8_t* weight;  // [move]: not 0
  void* scratch;               // `weighting_scratch` bytes, aligned to the register
};

/// A fluent gets the value of a slot.
struct Update {
  std::uint32_t fluent, slot;
};

/// Fluents, by slot.
struct FluentGroup {
  const std::uint32_t* fluents;
  std::uint32_t count;
};

/// A way to make one step in many lanes. There may be several, which differ in what they assume: in
/// all lanes that play, `guard` must hold, and of each group `apart` at most one fluent.
struct Step {
  Phase status, next;
  Edge terminal;
  const Chooser* choosers;  // of the roles that have a choice
  std::uint32_t chooser_count;
  const SparseChooser* sparse;  // of those that have many moves to choose among
  std::uint32_t sparse_count;
  std::uint32_t first_set, set_count;  // slots of the sets of their moves
  bool stuck;                          // some role never has a legal move: no lane moves
  const Edge* guard;                   // fluents
  std::uint32_t guard_count;
  const FluentGroup* apart;
  std::uint32_t apart_count;
  // A fluent gets the value of a gate, its complement, or the value of another input. The inputs
  // are all read before any is written.
  const Update* plain;
  const Update* complemented;
  const Update* crossed;
  const std::uint32_t* crossed_inverted;  // 0 or 1
  std::uint32_t plain_count, complemented_count, crossed_count;
  /// Machine code for all of Next and the fluents, in the lanes that `moving_slot` has; or null.
  void (*native)(void* slots) = nullptr;
  std::uint32_t moving_slot = 0;
};

/// The most groups of the starts of one job.
inline constexpr std::uint32_t kMostGroups = 64;

/// Starts for which a step can be used, in the order in which they are played.
struct StartGroup {
  std::uint32_t step;          // 0: any
  std::uint32_t first, count;  // starts
};

/// Playouts in which a move was made, and those of them that its role won or lost.
struct MoveTally {
  std::uint64_t made, won, lost;
};

/// Which moves are made in playouts.
struct Counting {
  std::uint32_t first_move, move_count;  // slots
  const std::uint32_t* first_of_role;    // [role], one more at the end: moves from 0 on
  std::uint32_t won_from, lost_to;       // goals
  bool per_start;                        // a tally for each start, or one for all
  void* scratch;                         // move_count + 2 * roles registers, all zero
  MoveTally* tallies;                    // [start * move_count + move], added to
};

/// Playouts from many starts, `per_start` each. Finished lanes wait until enough of them can be
/// counted and refilled together.
struct Playouts {
  // The program.
  const Step* steps;  // the first has no guard
  std::uint32_t step_count;
  Phase goals;
  std::uint32_t fluents, roles;
  /// The slot after those of the fluents is drawn at random before each step.
  bool coin = false;
  const Goal* goal;  // roles ascending, values descending: the largest counts
  std::uint32_t goal_count;
  double turnover;  // cost of counting and refilling, in passes
  /// `weights` is null or [chooser]; `counting` may be null. With either of them there is only one
  /// step, which has all moves.
  const Weighting* weights = nullptr;
  const Counting* counting = nullptr;
  void* slots;
  void* scratch;  // `playout_scratch` bytes
  // The question.
  const std::uint64_t* const* starts;  // [start]: words of the state
  const StartGroup* groups;
  std::uint32_t group_count;  // at most kMostGroups
  std::uint32_t start_count, per_start, step_cap;
  std::uint32_t poll_every;   // passes between two polls of `stop`
  std::uint64_t* random;      // generator state, `lanes / 64 * 2` words, not all 0
  bool (*stop)(const void*);  // called every few hundred microseconds
  const void* stop_argument;
  // The answer, added to what is there.
  std::uint64_t* goal_sums;  // [start * roles + role]
  std::uint32_t* finished;   // [start]
  std::uint64_t steps_made, cut;
  bool stopped;
};

/// Up to 64 moves, in the order in which they are listed: by role, then ascending id.
struct MoveBlock {
  const Edge* legal;         // [move]
  const std::uint8_t* past;  // [64]: id - base; entries after the moves do not matter
  std::uint32_t base, moves;
  std::uint32_t ends;   // roles whose last move is in this block, or which have none
  std::uint32_t mixed;  // whether one of its legal bits is stored complemented
};

/// Two roles of which one waits while the other moves. They share columns, so that there are fewer
/// blocks. Each batch tests whether this is the case.
struct TurnBlocks {
  const MoveBlock* of[2];         // [role]: all moves but the one of waiting; both have as many
                                  // columns, of which some may never be legal
  std::uint32_t block_count = 0;  // 0: not tried
  Edge waits[2];                  // [role]: whether it may wait
  std::uint32_t waiting[2];       // [role]: id of that move
};

/// A role's move as a number within a word: 0 is no move, 1 is the role's first move.
struct MoveNumber {
  static constexpr std::uint32_t kMostBits = 12;
  std::uint32_t first_bit, bits;  // at most kMostBits of them
  std::uint32_t slot, moves;      // the first move's, and how many there are
};

/// How joint moves are represented.
enum class JointForm : std::uint8_t {
  Bits,     // one word per lane with a bit for each move, of which there are at most 64
  Numbers,  // one word per lane with a number for each role
  Slots,    // a slot for each lane and role
};

/// What follows from one joint move in each of up to `lanes` states.
struct Expansion {
  // The program.
  const Step* step;
  Phase goals;
  std::uint32_t fluents, roles;
  const Goal* goal;  // roles ascending, values descending: the largest counts
  std::uint32_t goal_count;
  const MoveBlock* blocks;
  const std::uint64_t* below;  // [role]: its moves in its last block, and those of roles before
  const std::uint32_t* first_block;  // [role], one more at the end, where there are more blocks
                                     // than kFewBlocks: these have moves of one role each
  std::uint32_t block_count;         // at least 1
  TurnBlocks turns;
  const Edge* told;                      // [i]: the value of fluent first_told + i after the move,
  std::uint32_t first_told, told_count;  // which no phase computes; 0 at the end of the game
  std::uint32_t first_move, move_count;  // slots
  JointForm form;
  const MoveNumber* numbers;  // [role], where moves are numbers
  void* slots;                // those of moves are all zero before and after a call
  void* scratch;              // `expansion_scratch` bytes
  // The question.
  std::uint32_t count;
  const std::uint64_t* const* states;  // [lane]
  const std::uint64_t* chosen_words;   // [lane], up to a full register, aligned to the register
  const std::uint32_t* chosen_slots;   // [lane * roles + role]: kNoMove if it is not a move
  // The answer.
  std::uint64_t* next;        // [lane]: rows of (fluents + 63) / 64 words
  std::uint8_t* terminal;     // [lane]
  std::uint8_t* goal_values;  // [lane * roles + role], all 0 before
  /// [lane * roles + role], one more at the end: where in `moves` a role's legal moves begin. The
  /// first is given.
  std::uint32_t* begin;
  /// For `list_moves`: room for all legal moves that `begin` counts, and kListSlack more.
  std::uint32_t* moves;

  static constexpr std::uint32_t kNoMove = 0xffffffff, kWord = 64, kListSlack = 64, kFewBlocks = 8;
};

/// The form in which the values of a row are written.
enum class RowForm : std::uint8_t {
  Bits,   // words: bit i of word w is value 64 * w + i, and those after the last value are 0
  Bytes,  // of 0 or 1
  Floats,
};

/// Values of all lanes, a row each.
struct Rows {
  const Edge* edges;    // [value]
  std::uint32_t count;  // of values
  RowForm form;
  void* to;           // the rows, stored contiguously
  const void* among;  // a register: rows of other lanes are 0; null: all lanes
};

/// The actions of a player, by number.
struct ActionTable {
  std::uint32_t count;        // at least 1
  const std::uint32_t* slot;  // [action]: of its move
  const Edge* legal;          // [action]
  std::uint32_t chooser;      // of the step
  // Used if joint actions fit into a lane's word: the bits that hold `action + 1`. 0 stands for any
  // action, `count + 1` for a number that is not an action.
  std::uint32_t first_bit, bits;
};

/// Bits of the number of moves that an episode has made.
inline constexpr std::uint32_t kAgeBits = 24;

/// The registers of `Episodes::lanes` that other code may read.
enum class EpisodeColumn : std::uint32_t {
  Playing,  // in use, and neither of the following
  Terminated,
  Truncated,
  Age,  // the first of kAgeBits
  Illegal = Age + kAgeBits,
};

/// Episodes in all lanes: their states, their status, and the arguments and results of a call.
struct Episodes {
  // The program.
  const Step* step;  // of all moves, without a guard
  Phase goals;
  const Goal* goal;     // by player instead of role; ascending, values descending
  const float* reward;  // [goal]
  std::uint32_t goal_count;
  float least_reward;  // of players without a goal, and of all players if a move was illegal
  std::uint32_t fluents;
  const std::uint64_t* initial;  // words of the initial state
  const ActionTable* players;
  std::uint32_t player_count;            // at least 1
  std::uint32_t chance;                  // chooser of the role that moves at random, or kNoChooser
  bool numbered;                         // joint actions fit into words
  bool shared_slots;                     // slots may hold other states between two calls
  bool restart_later;                    // ended lanes restart in the following step
  std::uint32_t step_cap;                // episodes are cut there; 0: never
  std::uint32_t first_move, move_count;  // slots
  // The lanes.
  void* slots;    // fluents, and the results of Status
  void* scratch;  // registers, as many as the step has crossed inputs
  void* lanes;    // `episode_lanes` bytes, all zero before the first call, aligned to the register
  std::uint64_t* random;  // generator state, `lanes / 64 * 2` words, not all 0
  std::uint32_t count;    // lanes in use
  // The question: [lane * player_count + player], -1 for any legal action.
  const std::int32_t* actions;
  // The answer.
  float* rewards;            // [lane * player_count + player]
  std::uint8_t* terminated;  // [lane]
  std::uint8_t* truncated;   // [lane]
  std::uint64_t steps_made;  // added to

  static constexpr std::uint32_t kNoChooser = 0xffffffff;
};

/// What roles perceive of the pairs of an `Expansion`, of which only the question is used.
struct Perception {
  const Expansion* pairs;
  Phase phase;
  const Edge* percepts;
  std::uint32_t count;
  /// [lane]: rows of (count + 63) / 64 words, a bit for each percept; all 0 before.
  std::uint64_t* rows;
};

/// The functions for one instruction set.
struct Kernel {
  const char* name;
  std::size_t lanes;
  /// Evaluates a phase over `slots` (an array of registers, aligned).
  void (*evaluate)(const Phase& phase, void* slots);
  std::size_t (*chooser_scratch)(const CountTree& tree);
  std::size_t (*sparse_scratch)(const CountTree& tree);
  std::size_t (*weighting_scratch)(const CountTree& tree);
  /// `crossed`: the most of any step.
  std::size_t (*playout_scratch)(std::uint32_t crossed);
  void (*playouts)(Playouts& job);
  std::size_t (*expansion_scratch)(std::uint32_t blocks, std::uint32_t roles,
                                   std::uint32_t crossed);
  /// Computes everything except the lists of moves.
  void (*expand)(const Expansion& job);
  /// Writes the lists of moves of the last `expand` with the same scratch.
  void (*list_moves)(const Expansion& job);
  /// Uses slots and scratch like `expand`.
  void (*perceive)(const Perception& job);
  /// Writes the rows of the first `lanes` lanes.
  void (*write_rows)(const Rows& rows, const void* slots, std::uint32_t lanes);
  /// Bit k of a lane's row goes to slot[k], for lanes of the register `which`. `rows` has a pointer
  /// for each lane of the kernel; those of other lanes point to any row.
  void (*read_rows)(const std::uint64_t* const* rows, const std::uint32_t* slot,
                    std::uint32_t count, const void* which, void* slots);
  std::size_t (*episode_lanes)();
  /// Sets the moves of playing lanes. True if some lane was given an illegal move; such lanes are
  /// in EpisodeColumn::Illegal. Lanes where a role has no legal move at all are truncated.
  bool (*choose_moves)(Episodes& job);
  /// Makes these moves and reports the status of each lane's episode. Lanes with illegal moves end.
  /// True if some lane has ended.
  bool (*make_moves)(Episodes& job);
  /// Restarts lanes that don't play. Reports nothing about them.
  void (*restart_ended)(Episodes& job);
  /// To be called after fluents were written: evaluates them and determines which lanes play.
  void (*look_at_lanes)(Episodes& job);
  /// Draws a legal action for each lane and player, uniformly; -1 where there is none. [lane *
  /// player_count + player]
  void (*draw_actions)(Episodes& job, std::int32_t* actions);
};

/// By number of lanes: 64 and 128 (any processor), 256 (AVX2), 512 (AVX-512); null if this
/// processor can't run it.
const Kernel* find(std::size_t lanes);
/// The widest that this processor has.
const Kernel& widest();

// One per translation unit.
extern const Kernel kLanes64, kLanes128, kLanes256, kLanes512;

}  // namespace ludens::gdl::kernel
