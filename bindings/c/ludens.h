/* SPDX-License-Identifier: MIT */
/*
 * Ludens from C, and from any language that calls C: games, states, environments, searches,
 * records.
 *
 *     ludens_game* game;
 *     if (ludens_game_open("connect_four", &game) != LUDENS_OK) puts(ludens_error());
 *
 * Every call that can fail returns a status; ludens_error() is the reason, a line for people, valid
 * until the next failing call of the same thread. No C++ exception leaves the library.
 *
 * A state is a row of ludens_state_words() words: bit i of word w says whether fluent 64 * w + i
 * holds; ludens_fluents() and ludens_state_of() turn it into the numbers of its fluents and back.
 * Legal actions are a row of ludens_mask_words() words: those of player 0 by number, then those of
 * player 1, and so on. Players are the roles that choose: all but `random`, whose moves are drawn.
 * Numbers are stable for a rulesheet, and ludens_game_hash() tells whether they are those that
 * something was learned for.
 *
 * Threads: a game may be used by any number of threads. Environments, searches and
 * records are used by one thread at a time; ludens_search_cancel() alone may come from another one.
 * What was opened is closed once, by its own function; null is allowed there. A game lives as long
 * as what was made of it. Strings belong to the game and live as long.
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

/* Raised when something that was there changes; additions leave it as it is. */
#define LUDENS_INTERFACE 1

typedef enum ludens_status {
  LUDENS_OK = 0,
  LUDENS_BAD_ARGUMENT = 1, /* null, an index or an option that can't be */
  LUDENS_BAD_GAME = 2,     /* not there, broken rules, or no finite states */
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
/* The text of a rulesheet in prefix GDL or HRF; `name` stands in messages. */
LUDENS_API ludens_status ludens_game_from_text(const char* text, const char* name,
                                               ludens_game** out);
/* The same on a machine of choice: "auto", "interpreter", "scalar" or "sliced"; `memory_mb` is for
 * all that the game and its environments hold. When it returns the machine is ready. */
LUDENS_API ludens_status ludens_game_open_on(const char* game, const char* machine,
                                             uint32_t memory_mb, ludens_game** out);
LUDENS_API void ludens_game_close(ludens_game* game);
LUDENS_API const char* ludens_machine_name(const ludens_game* game); /* what evaluates the rules */

LUDENS_API size_t ludens_role_count(const ludens_game* game);
LUDENS_API const char* ludens_role_name(const ludens_game* game, size_t role); /* null: no such */
LUDENS_API size_t ludens_player_count(const ludens_game* game);
LUDENS_API size_t ludens_player_role(const ludens_game* game, size_t player);
LUDENS_API size_t ludens_action_count(const ludens_game* game, size_t player);
LUDENS_API const char* ludens_action_name(const ludens_game* game, size_t player, size_t action);
/* By its name without regard to case; -1: no such. */
LUDENS_API int32_t ludens_find_action(const ludens_game* game, size_t player, const char* name);
LUDENS_API size_t ludens_fluent_count(const ludens_game* game);
LUDENS_API const char* ludens_fluent_name(const ludens_game* game, size_t fluent);
LUDENS_API uint64_t ludens_game_hash(const ludens_game* game);
LUDENS_API size_t ludens_state_words(const ludens_game* game);
LUDENS_API size_t ludens_mask_words(const ludens_game* game);
/* The bit of a player's first action in a mask. */
LUDENS_API size_t ludens_mask_begin(const ludens_game* game, size_t player);

/* --- states, `count` rows behind one another */

LUDENS_API ludens_status ludens_initial(const ludens_game* game, uint64_t* state);
/* `terminal` [count] of 0 and 1; `goals` [count][role], 0 to 100; either may be null. */
LUDENS_API ludens_status ludens_look(ludens_game* game, size_t count, const uint64_t* states,
                                     uint8_t* terminal, int32_t* goals);
LUDENS_API ludens_status ludens_legal(ludens_game* game, size_t count, const uint64_t* states,
                                      uint64_t* masks);
/* `actions` [count][player]; `next` may be `states`. Moves of `random` are drawn from `seed` on. */
LUDENS_API ludens_status ludens_next(ludens_game* game, size_t count, const uint64_t* states,
                                     const int32_t* actions, uint64_t seed, uint64_t* next);
/* The facts of one state, `( f1 f2 ... )`. Writes at most `size` bytes with the final 0; `needed`
 * (may be null) gets what the whole text needs. */
LUDENS_API ludens_status ludens_print(ludens_game* game, const uint64_t* state, char* text,
                                      size_t size, size_t* needed);
/* A state as numbers: of the fluents that hold in it, ascending. Writes at most `size` of them;
 * `count` gets how many there are. */
LUDENS_API ludens_status ludens_fluents(const ludens_game* game, const uint64_t* state,
                                        uint32_t* fluents, size_t size, size_t* count);
/* The state in which these fluents hold, in any order, and no other ones. */
LUDENS_API ludens_status ludens_state_of(const ludens_game* game, const uint32_t* fluents,
                                         size_t count, uint64_t* state);
/* The legal actions of one player in one state, ascending; none at the end. As ludens_fluents(). */
LUDENS_API ludens_status ludens_actions(ludens_game* game, const uint64_t* state, size_t player,
                                        int32_t* actions, size_t size, size_t* count);
/* Random games from each state to their ends. `goals` [count][role]: sums; `steps` (may be null):
 * joint moves made. */
LUDENS_API ludens_status ludens_playouts(ludens_game* game, size_t count, const uint64_t* states,
                                         uint32_t per_state, uint64_t seed, uint64_t* goals,
                                         uint64_t* steps);

/* --- environments: many episodes at once */

enum { LUDENS_SAME_STEP = 0, LUDENS_NEXT_STEP = 1, LUDENS_NO_RESET = 2 };

typedef struct ludens_environment_options {
  uint32_t slots;
  uint32_t threads;
  uint64_t seed;         /* of random actions, and of the role `random` */
  uint32_t max_steps;    /* episodes are truncated there; 0: never */
  int32_t reset;         /* when a slot that has ended begins anew */
  int32_t end_illegal;   /* 0: illegal actions are refused; 1: they end the episode */
  float least_reward;    /* for a goal of 0 */
  float greatest_reward; /* for one of 100 */
} ludens_environment_options;

/* Where a step writes: [slot] behind one another; any may be null. */
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
/* Each slot at the initial state; of the results, states and masks are written. */
LUDENS_API ludens_status ludens_reset(ludens_environment* environment, uint64_t seed,
                                      const ludens_results* results);
/* `actions` [slot][player]; -1 is any legal one. */
LUDENS_API ludens_status ludens_step(ludens_environment* environment, const int32_t* actions,
                                     const ludens_results* results);
/* So many steps with random legal actions. */
LUDENS_API ludens_status ludens_roll(ludens_environment* environment, uint32_t steps,
                                     const ludens_results* results);
/* Joint moves made so far, in all slots. */
LUDENS_API uint64_t ludens_steps(const ludens_environment* environment);

/* --- searches */

typedef struct ludens_choice {
  int32_t action; /* of the player */
  double value;   /* goal of the player, 0 to 100 */
  int32_t exact;  /* 1: the value is proved */
  uint32_t depth; /* deepest ply looked at */
  uint64_t iterations, nodes;
} ludens_choice;

typedef struct ludens_move_value {
  int32_t action;
  double value, low, high; /* the value is proved to lie from low to high */
  uint64_t visits;
} ludens_move_value;

/* A strategy with its options, "mcts:playouts=2000,seed=7"; "auto" chooses. `memory_mb` is for each
 * search. */
LUDENS_API ludens_status ludens_search_open(const char* strategy, uint32_t threads,
                                            uint32_t memory_mb, ludens_search** out);
LUDENS_API void ludens_search_close(ludens_search* search);
/* Thinks for `seconds` at most. What was found before counts where the state is that of the last
 * search, or the one that ludens_search_follow() has led to; elsewhere it begins anew. */
LUDENS_API ludens_status ludens_search_run(ludens_search* search, ludens_game* game,
                                           const uint64_t* state, size_t player, double seconds,
                                           ludens_choice* choice);
/* The match goes on: `actions` [player], made in the state of the last search or of the last call,
 * led to `next`. Nothing is searched. */
LUDENS_API ludens_status ludens_search_follow(ludens_search* search, ludens_game* game,
                                              const int32_t* actions, const uint64_t* next);
/* Ends the search that runs, which returns the best it has; does nothing if none does. Any thread.
 */
LUDENS_API void ludens_search_cancel(ludens_search* search);
/* What is known of each move after a search: at most `size` entries; returns how many there are. */
LUDENS_API size_t ludens_search_moves(const ludens_search* search, ludens_move_value* moves,
                                      size_t size);

/* --- records: matches as hosts keep them */

/* A match that begins at the initial state. `players` [role] are names for the record; null, or
 * null for a role: the role's name. */
LUDENS_API ludens_status ludens_record_begin(ludens_game* game, const char* const* players,
                                             ludens_record** out);
/* A joint move was made: `actions` [player]. `next` is the state that it led to, which tells what
 * `random` did; it may be null in a game without chance. */
LUDENS_API ludens_status ludens_record_play(ludens_record* record, const int32_t* actions,
                                            const uint64_t* next);
/* Match number `index`, from 0, of a file or folder in any form that `ludens replay` reads: JSON,
 * archives of JSON lines, XML. Its moves are followed as far as they are legal. */
LUDENS_API ludens_status ludens_record_load(ludens_game* game, const char* path, size_t index,
                                            ludens_record** out);
LUDENS_API void ludens_record_close(ludens_record* record);

LUDENS_API size_t ludens_record_steps(const ludens_record* record); /* joint moves that it holds */
LUDENS_API const char* ludens_record_player(const ludens_record* record, size_t role);
/* The state after `step` joint moves. */
LUDENS_API ludens_status ludens_record_state(const ludens_record* record, size_t step,
                                             uint64_t* state);
/* The actions [player] of joint move `step`, from 0. */
LUDENS_API ludens_status ludens_record_actions(const ludens_record* record, size_t step,
                                               int32_t* actions);
/* `completed`: whether the match came to its end; then `goals` [role], which may be null, are its.
 */
LUDENS_API ludens_status ludens_record_end(const ludens_record* record, int32_t* completed,
                                           int32_t* goals);
/* Derives the match again by the rules: `agrees` gets 1 where all states, moves and goals are
 * theirs. Otherwise 0, and `text` a line on where they part; at most `size` bytes with the final 0.
 */
LUDENS_API ludens_status ludens_record_replay(const ludens_record* record, int32_t* agrees,
                                              char* text, size_t size);
/* One object of JSON on one line, as ggp.org keeps matches. As ludens_print(). */
LUDENS_API ludens_status ludens_record_print(const ludens_record* record, char* text, size_t size,
                                             size_t* needed);
/* The same into a file, which is there whole or not at all. */
LUDENS_API ludens_status ludens_record_save(const ludens_record* record, const char* path);

#ifdef __cplusplus
}
#endif
