/* SPDX-License-Identifier: MIT */
/*
 * Ludens from C, and from any language that calls C: games, states, environments, searches,
 * records.
 *
 *     ludens_game* game;
 *     if (ludens_game_open("connect_four", &game) != LUDENS_OK) puts(ludens_error());
 *
 * Every call that can fail returns a status; ludens_error() is the reason for people, one line, or
 * one for each error of broken rules, valid until the next failing call of the same thread. No C++
 * exception leaves the library.
 *
 * A state is a row of ludens_state_words() words: bit i of word w says whether fluent 64 * w + i
 * holds; ludens_fluents() and ludens_state_of() turn it into the numbers of its fluents and back.
 * Legal actions are a row of ludens_mask_words() words: those of player 0 by number, then those of
 * player 1, and so on. Players are the roles that choose: all but `random`, whose moves are drawn.
 * Numbers are stable for a rulesheet, and ludens_game_hash() shows whether they are those for which
 * something was learned.
 *
 * Threads: any number of threads may use a game. One thread at a time may use an environment, a
 * search or a record; only ludens_search_cancel() may come from another one. Every object must be
 * closed once, by its own function, which accepts null. A game lives as long as the objects that
 * were made from it. Strings belong to the game and live as long, except those of a record, which
 * live as long as the record.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LUDENS_API __attribute__((visibility("default")))
#else
#define LUDENS_API
#endif

/* Incremented when something existing changes; additions don't change it. */
#define LUDENS_INTERFACE 1

typedef enum ludens_status {
  LUDENS_OK = 0,
  LUDENS_BAD_ARGUMENT = 1, /* null, or an impossible index or option */
  LUDENS_BAD_GAME = 2,     /* not found, broken rules, or no finite states */
  LUDENS_NO_MEMORY = 3,
  LUDENS_ILLEGAL_ACTION = 4, /* nothing has moved */
  LUDENS_FAILED = 5
} ludens_status;

typedef struct ludens_game ludens_game;
typedef struct ludens_environment ludens_environment;
typedef struct ludens_search ludens_search;
typedef struct ludens_record ludens_record;

LUDENS_API int ludens_interface(void);       /* LUDENS_INTERFACE of the library */
LUDENS_API const char* ludens_version(void); /* "0.2.0" */
LUDENS_API const char* ludens_error(void);

/* --- games */

/* The name of a bundled game, or a path to a rulesheet. */
LUDENS_API ludens_status ludens_game_open(const char* game, ludens_game** out);
/* The text of a rulesheet in any language that Ludens reads; `name` appears in messages. */
LUDENS_API ludens_status ludens_game_from_text(const char* text, const char* name,
                                               ludens_game** out);
/* The same on a chosen machine: "auto", "interpreter", "scalar" or "sliced"; `memory_mb` limits the
 * game and its environments together. The machine is ready when the call returns. */
LUDENS_API ludens_status ludens_game_open_on(const char* game, const char* machine,
                                             uint32_t memory_mb, ludens_game** out);
LUDENS_API void ludens_game_close(ludens_game* game);
LUDENS_API const char* ludens_machine_name(const ludens_game* game); /* what evaluates the rules */

LUDENS_API size_t ludens_role_count(const ludens_game* game);
LUDENS_API const char* ludens_role_name(const ludens_game* game,
                                        size_t role); /* null if there is none */
LUDENS_API size_t ludens_player_count(const ludens_game* game);
LUDENS_API size_t ludens_player_role(const ludens_game* game, size_t player);
LUDENS_API size_t ludens_action_count(const ludens_game* game, size_t player);
LUDENS_API const char* ludens_action_name(const ludens_game* game, size_t player, size_t action);
/* Finds an action by its name; case does not matter. -1 if there is none, or out of memory. */
LUDENS_API int32_t ludens_find_action(const ludens_game* game, size_t player, const char* name);
LUDENS_API size_t ludens_fluent_count(const ludens_game* game);
LUDENS_API const char* ludens_fluent_name(const ludens_game* game, size_t fluent);
LUDENS_API uint64_t ludens_game_hash(const ludens_game* game); /* 0: out of memory */
LUDENS_API size_t ludens_state_words(const ludens_game* game);
LUDENS_API size_t ludens_mask_words(const ludens_game* game);
/* The bit of a player's first action in a mask. */
LUDENS_API size_t ludens_mask_begin(const ludens_game* game, size_t player);

/* --- states, `count` contiguous rows */

LUDENS_API ludens_status ludens_initial(const ludens_game* game, uint64_t* state);
/* `terminal` [count] of 0 and 1; `goals` [count][role], as the rules state them; either may be
 * null. */
LUDENS_API ludens_status ludens_look(ludens_game* game, size_t count, const uint64_t* states,
                                     uint8_t* terminal, int32_t* goals);
LUDENS_API ludens_status ludens_legal(ludens_game* game, size_t count, const uint64_t* states,
                                      uint64_t* masks);
/* `actions` [count][player]; `next` may be `states`. Moves of `random` are drawn with `seed`. */
LUDENS_API ludens_status ludens_next(ludens_game* game, size_t count, const uint64_t* states,
                                     const int32_t* actions, uint64_t seed, uint64_t* next);
/* The facts of one state, `( f1 f2 ... )`. Writes at most `size` bytes with the final 0; `needed`
 * (may be null) gets the size of the whole text. */
LUDENS_API ludens_status ludens_print(ludens_game* game, const uint64_t* state, char* text,
                                      size_t size, size_t* needed);
/* A state as the numbers of the fluents that hold in it, ascending. Writes at most `size` of them;
 * `count` gets how many there are. */
LUDENS_API ludens_status ludens_fluents(const ludens_game* game, const uint64_t* state,
                                        uint32_t* fluents, size_t size, size_t* count);
/* The state in which exactly these fluents hold, given in any order. */
LUDENS_API ludens_status ludens_state_of(const ludens_game* game, const uint32_t* fluents,
                                         size_t count, uint64_t* state);
/* The legal actions of one player in one state, ascending; none at the end. Like ludens_fluents().
 */
LUDENS_API ludens_status ludens_actions(ludens_game* game, const uint64_t* state, size_t player,
                                        int32_t* actions, size_t size, size_t* count);
/* Plays random games from each state to their ends. `goals` [count][role]: sums of goals from 0 to
 * 100, to which others are scaled; `steps` (may be null): the number of joint moves. */
LUDENS_API ludens_status ludens_playouts(ludens_game* game, size_t count, const uint64_t* states,
                                         uint32_t per_state, uint64_t seed, uint64_t* goals,
                                         uint64_t* steps);

/* --- environments: many episodes at once */

enum { LUDENS_SAME_STEP = 0, LUDENS_NEXT_STEP = 1, LUDENS_NO_RESET = 2 };

typedef struct ludens_environment_options {
  uint32_t slots;
  uint32_t threads;
  uint64_t seed;         /* for random actions, and for the role `random` */
  uint32_t max_steps;    /* episodes are truncated there; 0: never */
  int32_t reset;         /* when a slot that has ended restarts */
  int32_t end_illegal;   /* 0: illegal actions are refused; 1: they end the episode */
  float least_reward;    /* for a goal of 0 */
  float greatest_reward; /* for one of 100 */
} ludens_environment_options;

/* Where a step writes, for all slots contiguously; any may be null. */
typedef struct ludens_results {
  uint64_t* states;    /* [slot][state word] */
  uint64_t* masks;     /* [slot][mask word]; 0 where the episode has ended */
  float* rewards;      /* [slot][player] */
  uint8_t* terminated; /* [slot] */
  uint8_t* truncated;  /* [slot] */
} ludens_results;

/* One slot, one thread, rewards from 0 to 1, everything else 0. */
LUDENS_API ludens_environment_options ludens_default_options(void);
LUDENS_API ludens_status ludens_environment_open(ludens_game* game,
                                                 const ludens_environment_options* options,
                                                 ludens_environment** out);
LUDENS_API void ludens_environment_close(ludens_environment* environment);
/* Puts each slot into the initial state; of the results, states and masks are written. */
LUDENS_API ludens_status ludens_reset(ludens_environment* environment, uint64_t seed,
                                      const ludens_results* results);
/* `actions` [slot][player]; -1 means any legal action. */
LUDENS_API ludens_status ludens_step(ludens_environment* environment, const int32_t* actions,
                                     const ludens_results* results);
/* Makes this many steps with random legal actions. */
LUDENS_API ludens_status ludens_roll(ludens_environment* environment, uint32_t steps,
                                     const ludens_results* results);
/* The number of joint moves made so far, in all slots. */
LUDENS_API uint64_t ludens_steps(const ludens_environment* environment);

/* --- searches */

typedef struct ludens_choice {
  int32_t action; /* of the player */
  double value;   /* goal of the player, 0 to 100 */
  int32_t exact;  /* 1: the value is proved; never if information is hidden */
  uint32_t depth; /* deepest joint move searched */
  uint64_t iterations, nodes;
} ludens_choice;

typedef struct ludens_move_value {
  int32_t action;
  double value, low, high; /* the value is proved to lie from low to high; 0 to 100 if information
                              is hidden */
  uint64_t visits;
} ludens_move_value;

/* A strategy with its options, "mcts:playouts=2000,seed=7"; "auto" chooses one. `memory_mb` is the
 * limit of each search. */
LUDENS_API ludens_status ludens_search_open(const char* strategy, uint32_t threads,
                                            uint32_t memory_mb, ludens_search** out);
LUDENS_API void ludens_search_close(ludens_search* search);
/* Thinks for at most `seconds`, or those of the strategy's option. Earlier results are used if the
 * state is that of the last search, or the one to which ludens_search_follow() has led; otherwise
 * the search starts from scratch. If the rules hide something (`sees`), the search gets no more of
 * the state than what the player knows, which follows from all moves: it must start at the initial
 * state (0 seconds are enough) and follow each move; LUDENS_BAD_ARGUMENT in any other state. */
LUDENS_API ludens_status ludens_search_run(ludens_search* search, ludens_game* game,
                                           const uint64_t* state, size_t player, double seconds,
                                           ludens_choice* choice);
/* Tells the search that the match continues: `actions` [player], made in the state of the last
 * search or of the last call, led to `next`. If several moves of `random` lead there, which the
 * player may perceive differently, one is drawn with the strategy's `seed`. Does not search. */
LUDENS_API ludens_status ludens_search_follow(ludens_search* search, ludens_game* game,
                                              const int32_t* actions, const uint64_t* next);
/* Ends the running search, which returns its best choice so far; if none runs, the next one as soon
 * as it begins, because another thread can't know whether it has begun. Any thread may call it. */
LUDENS_API void ludens_search_cancel(ludens_search* search);
/* What is known about each move after a search: writes at most `size` entries; returns how many
 * there are. */
LUDENS_API size_t ludens_search_moves(const ludens_search* search, ludens_move_value* moves,
                                      size_t size);

/* --- records: matches in the form in which hosts store them */

/* A new match at the initial state. `players` [role] are names for the record; null, or null for a
 * role, stands for the role's name. */
LUDENS_API ludens_status ludens_record_begin(ludens_game* game, const char* const* players,
                                             ludens_record** out);
/* Adds a joint move: `actions` [player]. `next` is the resulting state, which shows what `random`
 * did (one move is drawn if several lead there); it may be null in a game without chance. A match
 * that was loaded goes on, also if it was aborted. */
LUDENS_API ludens_status ludens_record_play(ludens_record* record, const int32_t* actions,
                                            const uint64_t* next);
/* Match number `index`, from 0, of a file or folder in any form that `ludens replay` reads: JSON,
 * archives of JSON lines, XML. Its moves are followed as far as they are legal. */
LUDENS_API ludens_status ludens_record_load(ludens_game* game, const char* path, size_t index,
                                            ludens_record** out);
LUDENS_API void ludens_record_close(ludens_record* record);

LUDENS_API size_t ludens_record_steps(const ludens_record* record); /* joint moves in it */
LUDENS_API const char* ludens_record_player(const ludens_record* record, size_t role);
/* The state after `step` joint moves. */
LUDENS_API ludens_status ludens_record_state(const ludens_record* record, size_t step,
                                             uint64_t* state);
/* The actions [player] of joint move `step`, from 0. */
LUDENS_API ludens_status ludens_record_actions(const ludens_record* record, size_t step,
                                               int32_t* actions);
/* `completed`: whether the match was finished; then `goals` [role], which may be null, receives its
 * goals. */
LUDENS_API ludens_status ludens_record_end(const ludens_record* record, int32_t* completed,
                                           int32_t* goals);
/* Derives the match again by the rules: `agrees` gets 1 if all states, moves and goals agree with
 * them. Otherwise it gets 0, and `text` gets a line that says where they differ; at most `size`
 * bytes with the final 0. */
LUDENS_API ludens_status ludens_record_replay(const ludens_record* record, int32_t* agrees,
                                              char* text, size_t size);
/* One JSON object on one line, in the form of ggp.org. Writes like ludens_print(). */
LUDENS_API ludens_status ludens_record_print(const ludens_record* record, char* text, size_t size,
                                             size_t* needed);
/* Writes the same to a file, completely or not at all. */
LUDENS_API ludens_status ludens_record_save(const ludens_record* record, const char* path);

#ifdef __cplusplus
}
#endif
