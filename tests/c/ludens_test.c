/* SPDX-License-Identifier: MIT */
/* The C interface in C99: environments against single states, searches, and every kind of misuse.
 */
#include "ludens.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int failures = 0;

#define EXPECT(condition)                                                                 \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      printf("%s:%d: not so: %s (%s)\n", __FILE__, __LINE__, #condition, ludens_error()); \
      ++failures;                                                                         \
    }                                                                                     \
  } while (0)

enum { kSlots = 70, kSteps = 60 };

static ludens_game* open_game(const char* name) {
  ludens_game* game = NULL;
  if (ludens_game_open(name, &game) != LUDENS_OK) {
    printf("%s: %s\n", name, ludens_error());
    exit(1);
  }
  return game;
}

static int is_legal(const ludens_game* game, const uint64_t* mask, size_t player, int32_t action) {
  const size_t bit = ludens_mask_begin(game, player) + (size_t)action;
  return (int)(mask[bit / 64] >> (bit % 64) & 1);
}

/* A random legal action by the mask. */
static int32_t choose(const ludens_game* game, const uint64_t* mask, size_t player) {
  const size_t count = ludens_action_count(game, player);
  const size_t start = (size_t)rand() % count;
  for (size_t i = 0; i < count; ++i) {
    const int32_t action = (int32_t)((start + i) % count);
    if (is_legal(game, mask, player, action)) return action;
  }
  return -1;
}

static void test_environments(const char* name) {
  ludens_game* game = open_game(name);
  const size_t words = ludens_state_words(game), mask_words = ludens_mask_words(game);
  const size_t players = ludens_player_count(game), roles = ludens_role_count(game);
  uint64_t* states = calloc(kSlots * words, sizeof *states);
  uint64_t* masks = calloc(kSlots * mask_words, sizeof *masks);
  uint64_t* expected = calloc(kSlots * words, sizeof *expected);
  uint64_t* expected_masks = calloc(kSlots * mask_words, sizeof *expected_masks);
  float* rewards = calloc(kSlots * players, sizeof *rewards);
  int32_t* actions = calloc(kSlots * players, sizeof *actions);
  int32_t* goals = calloc(kSlots * roles, sizeof *goals);
  uint8_t over[kSlots], cut[kSlots], expected_over[kSlots];
  ludens_environment_options options = ludens_default_options();
  options.slots = kSlots;
  options.reset = LUDENS_NO_RESET;
  ludens_environment* environment = NULL;
  EXPECT(ludens_environment_open(game, &options, &environment) == LUDENS_OK);
  const ludens_results results = {states, masks, rewards, over, cut};
  EXPECT(ludens_reset(environment, 1, &results) == LUDENS_OK);
  EXPECT(ludens_initial(game, expected) == LUDENS_OK);
  EXPECT(memcmp(states, expected, words * sizeof *states) == 0);
  memset(over, 0, sizeof over);
  for (int step = 0; step < kSteps; ++step) {
    for (size_t s = 0; s < kSlots; ++s) {
      for (size_t p = 0; p < players; ++p) {
        actions[s * players + p] = choose(game, masks + s * mask_words, p);
      }
      if (over[s]) {
        memcpy(expected + s * words, states + s * words, words * sizeof *states);
        continue;
      }
      EXPECT(ludens_next(game, 1, states + s * words, actions + s * players, 1,
                         expected + s * words) == LUDENS_OK);
    }
    EXPECT(ludens_step(environment, actions, &results) == LUDENS_OK);
    EXPECT(memcmp(states, expected, kSlots * words * sizeof *states) == 0);
    EXPECT(ludens_look(game, kSlots, states, expected_over, goals) == LUDENS_OK);
    EXPECT(memcmp(over, expected_over, sizeof over) == 0);
    EXPECT(ludens_legal(game, kSlots, states, expected_masks) == LUDENS_OK);
    EXPECT(memcmp(masks, expected_masks, kSlots * mask_words * sizeof *masks) == 0);
  }
  const uint64_t made = ludens_steps(environment);
  EXPECT(made > kSlots && made <= (uint64_t)kSlots * kSteps);
  ludens_game_close(game); /* the environment keeps what it needs */
  options.reset = LUDENS_SAME_STEP;
  EXPECT(ludens_reset(environment, 2, &results) == LUDENS_OK);
  EXPECT(ludens_roll(environment, 10, NULL) == LUDENS_OK);
  ludens_environment_close(environment);
  free(states), free(masks), free(expected), free(expected_masks);
  free(rewards), free(actions), free(goals);
}

static void test_names(void) {
  ludens_game* game = open_game("tic_tac_toe");
  EXPECT(ludens_interface() == LUDENS_INTERFACE);
  EXPECT(strlen(ludens_version()) >= 5);
  EXPECT(strcmp(ludens_role_name(game, 1), "o") == 0);
  EXPECT(ludens_role_name(game, 2) == NULL);
  EXPECT(ludens_action_count(game, 0) == 10 && ludens_action_count(game, 2) == 0);
  const int32_t mark = ludens_find_action(game, 0, "( MARK 2 3 )");
  EXPECT(mark >= 0 && strcmp(ludens_action_name(game, 0, (size_t)mark), "( mark 2 3 )") == 0);
  EXPECT(ludens_find_action(game, 0, "( mark 4 4 )") == -1);
  EXPECT(ludens_fluent_name(game, ludens_fluent_count(game)) == NULL);
  ludens_game* nim = open_game("nim");
  EXPECT(ludens_game_hash(game) != ludens_game_hash(nim));
  ludens_game_close(nim);
  uint64_t state[4];
  char text[8];
  size_t needed = 0;
  EXPECT(ludens_initial(game, state) == LUDENS_OK);
  EXPECT(ludens_print(game, state, text, sizeof text, &needed) == LUDENS_OK);
  EXPECT(strlen(text) == sizeof text - 1 && needed > sizeof text && text[0] == '(');
  uint64_t goals[2], steps = 0;
  EXPECT(ludens_playouts(game, 1, state, 1000, 7, goals, &steps) == LUDENS_OK);
  EXPECT(goals[0] + goals[1] == 100000 && goals[0] > goals[1] && steps > 5000);
  ludens_game_close(game);
}

/* Maybe before the search has begun. */
static void* cancel(void* search) {
  ludens_search_cancel(search);
  return NULL;
}

static void test_searches(void) {
  ludens_game* game = open_game("tic_tac_toe");
  const char* moves[4] = {"( mark 1 1 )", "( mark 2 1 )", "( mark 1 2 )", "( mark 2 2 )"};
  uint64_t state[4];
  EXPECT(ludens_initial(game, state) == LUDENS_OK);
  for (size_t i = 0; i < 4; ++i) {
    int32_t joint[2];
    joint[i % 2] = ludens_find_action(game, i % 2, moves[i]);
    joint[1 - i % 2] = ludens_find_action(game, 1 - i % 2, "noop");
    EXPECT(ludens_next(game, 1, state, joint, 1, state) == LUDENS_OK);
  }
  ludens_search* search = NULL;
  ludens_choice choice;
  EXPECT(ludens_search_open("alphabeta", 1, 64, &search) == LUDENS_OK);
  EXPECT(ludens_search_run(search, game, state, 0, 60, &choice) == LUDENS_OK);
  EXPECT(choice.action == ludens_find_action(game, 0, "( mark 1 3 )"));
  EXPECT(choice.exact && choice.value == 100);
  EXPECT(ludens_search_run(search, game, state, 2, 1, &choice) == LUDENS_BAD_ARGUMENT);
  ludens_search_close(search);
  ludens_game_close(game);

  /* Longer than the test may take, if it were not ended. */
  game = open_game("breakthrough");
  uint64_t* start = calloc(ludens_state_words(game), sizeof *start);
  EXPECT(ludens_initial(game, start) == LUDENS_OK);
  EXPECT(ludens_search_open("mcts", 1, 64, &search) == LUDENS_OK);
  pthread_t thread;
  EXPECT(pthread_create(&thread, NULL, cancel, search) == 0);
  EXPECT(ludens_search_run(search, game, start, 0, 10000, &choice) == LUDENS_OK);
  pthread_join(thread, NULL);
  ludens_search_cancel(search);
  EXPECT(ludens_search_run(search, game, start, 0, 10000, &choice) == LUDENS_OK);
  EXPECT(choice.action >= 0);
  ludens_move_value values[200];
  const size_t count = ludens_search_moves(search, values, 200);
  EXPECT(count == 0 || (count < 200 && values[0].low <= values[0].high));
  ludens_search_close(search);
  /* A search that was ended does not end the next one. */
  EXPECT(ludens_search_open("mcts:playouts=2000", 1, 64, &search) == LUDENS_OK);
  ludens_search_cancel(search);
  EXPECT(ludens_search_run(search, game, start, 0, 10000, &choice) == LUDENS_OK);
  EXPECT(ludens_search_run(search, game, start, 0, 10000, &choice) == LUDENS_OK);
  EXPECT(choice.iterations >= 100);
  ludens_search_close(search);
  EXPECT(ludens_search_open("mcts:seconds=0.05", 1, 64, &search) == LUDENS_OK);
  EXPECT(ludens_search_run(search, game, start, 0, 10000, &choice) == LUDENS_OK);
  ludens_search_close(search);
  free(start);
  ludens_game_close(game);
}

/* Plays a game of two to its end by searches that are kept, and searches that begin anew. */
static void test_searches_that_follow(const char* name) {
  ludens_game* game = open_game(name);
  const size_t words = ludens_state_words(game), players = ludens_player_count(game);
  uint64_t* state = calloc(words, sizeof *state);
  uint64_t* next = calloc(words, sizeof *next);
  uint64_t* mask = calloc(ludens_mask_words(game), sizeof *mask);
  int32_t* joint = calloc(players, sizeof *joint);
  ludens_search* search = NULL;
  ludens_choice choice;
  EXPECT(ludens_initial(game, state) == LUDENS_OK);
  EXPECT(ludens_search_open("mcts:playouts=300,seed=1", 1, 64, &search) == LUDENS_OK);
  EXPECT(ludens_search_follow(search, game, joint, state) == LUDENS_BAD_ARGUMENT);
  uint64_t visits = 0, kept = 0;
  for (uint8_t over = 0; !over;) {
    EXPECT(ludens_search_run(search, game, state, 0, 60, &choice) == LUDENS_OK);
    ludens_move_value values[64];
    const size_t count = ludens_search_moves(search, values, 64);
    uint64_t sum = 0;
    for (size_t i = 0; i < count && i < 64; ++i) sum += values[i].visits;
    visits += choice.iterations;
    if (sum > choice.iterations) kept += sum - choice.iterations;
    EXPECT(ludens_legal(game, 1, state, mask) == LUDENS_OK);
    for (size_t p = 0; p < players; ++p) {
      const size_t begin = ludens_mask_begin(game, p);
      joint[p] = 0;
      while (!(mask[(begin + joint[p]) / 64] >> (begin + joint[p]) % 64 & 1)) ++joint[p];
    }
    joint[0] = choice.action;
    EXPECT(ludens_next(game, 1, state, joint, visits, next) == LUDENS_OK);
    EXPECT(ludens_search_follow(search, game, joint, state) == LUDENS_BAD_ARGUMENT);
    EXPECT(ludens_search_follow(search, game, joint, next) == LUDENS_OK);
    memcpy(state, next, words * sizeof *state);
    EXPECT(ludens_look(game, 1, state, &over, NULL) == LUDENS_OK);
  }
  EXPECT(visits > 0 && kept > 0);
  EXPECT(ludens_search_follow(search, game, joint, state) == LUDENS_ILLEGAL_ACTION);
  /* Somewhere else it begins anew. */
  EXPECT(ludens_initial(game, state) == LUDENS_OK);
  EXPECT(ludens_search_run(search, game, state, 0, 60, &choice) == LUDENS_OK);
  ludens_search_close(search);
  free(state);
  free(next);
  free(mask);
  free(joint);
  ludens_game_close(game);
}

/* What a search chooses for the first player of Kuhn poker, once the cards are dealt like this. */
static ludens_choice choose_after_deal(ludens_game* game, const char* strategy, const char* first,
                                       const char* second) {
  const int32_t wait[2] = {ludens_find_action(game, 0, "noop"),
                           ludens_find_action(game, 1, "noop")};
  uint64_t start[4], state[4];
  char facts[400];
  ludens_search* search = NULL;
  ludens_choice choice = {0};
  EXPECT(ludens_state_words(game) <= 4);
  EXPECT(ludens_initial(game, start) == LUDENS_OK);
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    EXPECT(ludens_next(game, 1, start, wait, seed, state) == LUDENS_OK);
    EXPECT(ludens_print(game, state, facts, sizeof facts, NULL) == LUDENS_OK);
    if (strstr(facts, first) != NULL && strstr(facts, second) != NULL) break;
  }
  EXPECT(strstr(facts, first) != NULL && strstr(facts, second) != NULL);
  EXPECT(ludens_search_open(strategy, 1, 64, &search) == LUDENS_OK);
  /* The moves up to here are not known. */
  EXPECT(ludens_search_run(search, game, state, 0, 60, &choice) == LUDENS_BAD_ARGUMENT);
  EXPECT(strstr(ludens_error(), "ludens_search_follow") != NULL);
  EXPECT(ludens_search_run(search, game, start, 0, 0, &choice) == LUDENS_OK);
  EXPECT(ludens_search_follow(search, game, wait, state) == LUDENS_OK);
  EXPECT(ludens_search_run(search, game, state, 0, 10000, &choice) == LUDENS_OK);
  ludens_search_close(search);
  return choice;
}

/* Who holds the queen can't know whether the other holds the jack or the king. */
static void test_searches_know_no_more_than_players(void) {
  ludens_game* game = open_game("kuhn_poker");
  const char* strategies[2] = {"ismcts:playouts=1000,seed=1", "mcts:playouts=1000,seed=1"};
  for (size_t i = 0; i < 2; ++i) {
    const char* own = "( holds first queen )";
    const ludens_choice one = choose_after_deal(game, strategies[i], own, "( holds second jack )");
    const ludens_choice two = choose_after_deal(game, strategies[i], own, "( holds second king )");
    EXPECT(one.iterations > 0);
    EXPECT(one.action == two.action && one.value == two.value);
    EXPECT(one.iterations == two.iterations && one.nodes == two.nodes);
  }
  ludens_game_close(game);
}

static ludens_game* game_of(const char* text) {
  ludens_game* game = NULL;
  if (ludens_game_from_text(text, "text", &game) != LUDENS_OK) {
    printf("%s\n", ludens_error());
    exit(1);
  }
  return game;
}

/* Something is hidden, and then the seeker is told the truth about it, or nothing. */
static const char* const kVague =
    "(role seeker) (role random) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
    "(place left) (place right)"
    "(<= (legal random (hide ?p)) (place ?p) (true (step 0)))"
    "(<= (legal random (speak vaguely)) (true (step 1)))"
    "(<= (legal random (speak truly)) (true (step 1)))"
    "(<= (legal random noop) (true (step 2)))"
    "(<= (legal seeker noop) (not (true (step 2))))"
    "(<= (legal seeker (open ?p)) (place ?p) (true (step 2)))"
    "(<= (next (at ?p)) (does random (hide ?p))) (<= (next (at ?p)) (true (at ?p)))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= (sees seeker (told ?p)) (true (at ?p)) (does random (speak truly)))"
    "(<= (next won) (does seeker (open ?p)) (true (at ?p)))"
    "(<= terminal (true (step 3)))"
    "(<= (goal seeker 100) (true won)) (<= (goal seeker 0) (not (true won))) (goal random 0)";

/* States of the game above after each of its first two moves, with something in this place. */
static void vague_states(ludens_game* game, const char* place, uint64_t states[3]) {
  const int32_t wait = ludens_find_action(game, 0, "noop");
  char facts[200] = "";
  EXPECT(ludens_state_words(game) == 1);
  EXPECT(ludens_initial(game, states) == LUDENS_OK);
  for (uint64_t seed = 0; seed < 1000 && strstr(facts, place) == NULL; ++seed) {
    EXPECT(ludens_next(game, 1, states, &wait, seed, states + 1) == LUDENS_OK);
    EXPECT(ludens_print(game, states + 1, facts, sizeof facts, NULL) == LUDENS_OK);
  }
  EXPECT(strstr(facts, place) != NULL);
  EXPECT(ludens_next(game, 1, states + 1, &wait, 1, states + 2) == LUDENS_OK);
}

/* States don't show what chance said: it is as likely to have been one thing as another. */
static void test_moves_of_chance_that_states_do_not_show(void) {
  ludens_game* game = game_of(kVague);
  const int32_t wait = ludens_find_action(game, 0, "noop");
  const char* places[2] = {"( at left )", "( at right )"};
  int right = 0, wrong = 0;
  for (size_t i = 0; i < 2; ++i) {
    uint64_t states[3];
    vague_states(game, places[i], states);
    const int32_t there = ludens_find_action(game, 0, i == 0 ? "( open left )" : "( open right )");
    for (int seed = 1; seed <= 20; ++seed) {
      char strategy[60];
      snprintf(strategy, sizeof strategy, "alphabeta:depth=1,ties=first,seed=%d", seed);
      ludens_choice choice[2], none;
      for (size_t again = 0; again < 2; ++again) {
        ludens_search* search = NULL;
        EXPECT(ludens_search_open(strategy, 1, 64, &search) == LUDENS_OK);
        EXPECT(ludens_search_run(search, game, states, 0, 0, &none) == LUDENS_OK);
        EXPECT(ludens_search_follow(search, game, &wait, states + 1) == LUDENS_OK);
        EXPECT(ludens_search_follow(search, game, &wait, states + 2) == LUDENS_OK);
        EXPECT(ludens_search_run(search, game, states + 2, 0, 10000, choice + again) == LUDENS_OK);
        ludens_search_close(search);
      }
      EXPECT(choice[0].action == choice[1].action);
      if (choice[0].action == there) {
        ++right;
      } else {
        ++wrong;
      }
    }
  }
  EXPECT(right > 20 && wrong > 0); /* always where it was told, and by chance elsewhere */

  uint64_t states[3];
  vague_states(game, places[0], states);
  int told = 0, untold = 0;
  for (int i = 0; i < 100; ++i) {
    char text[1 << 14];
    ludens_record* record = NULL;
    EXPECT(ludens_record_begin(game, NULL, &record) == LUDENS_OK);
    EXPECT(ludens_record_play(record, &wait, states + 1) == LUDENS_OK);
    EXPECT(ludens_record_play(record, &wait, states + 2) == LUDENS_OK);
    EXPECT(ludens_record_print(record, text, sizeof text, NULL) == LUDENS_OK);
    if (strstr(text, "( told left )") != NULL) {
      ++told;
    } else {
      ++untold;
    }
    ludens_record_close(record);
  }
  EXPECT(told > 0 && untold > 0);
  ludens_game_close(game);
}

/* By flawed rules, what is legal depends on what is hidden: the choice is legal all the same. */
static void test_choices_are_legal(void) {
  ludens_game* game = game_of(
      "(role seeker) (role random) (init (step 0)) (place left) (place right) (way in) (way out)"
      "(<= (legal random (hide ?p)) (place ?p) (true (step 0)))"
      "(<= (legal seeker noop) (true (step 0))) (<= (legal random noop) (true (step 1)))"
      "(<= (legal seeker (open ?p ?w)) (true (step 1)) (true (at ?p)) (way ?w))"
      "(<= (next (at ?p)) (does random (hide ?p)))"
      "(<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))"
      "(<= (next won) (does seeker (open ?p in))) (<= (sees seeker began) (true (step 0)))"
      "(<= terminal (true (step 2)))"
      "(<= (goal seeker 100) (true won)) (<= (goal seeker 0) (not (true won))) (goal random 0)");
  const int32_t wait = ludens_find_action(game, 0, "noop");
  const char* places[2] = {"( at left )", "( at right )"};
  EXPECT(ludens_state_words(game) == 1 && ludens_mask_words(game) == 1);
  for (uint64_t seed = 0, seen = 0; seen != 3 && seed < 1000; ++seed) {
    uint64_t start = 0, state = 0, mask = 0;
    char facts[200];
    EXPECT(ludens_initial(game, &start) == LUDENS_OK);
    EXPECT(ludens_next(game, 1, &start, &wait, seed, &state) == LUDENS_OK);
    EXPECT(ludens_print(game, &state, facts, sizeof facts, NULL) == LUDENS_OK);
    for (size_t i = 0; i < 2; ++i) seen |= strstr(facts, places[i]) ? (uint64_t)1 << i : 0;
    EXPECT(ludens_legal(game, 1, &state, &mask) == LUDENS_OK);
    ludens_search* search = NULL;
    ludens_choice choice;
    EXPECT(ludens_search_open("alphabeta:seed=1", 1, 64, &search) == LUDENS_OK);
    EXPECT(ludens_search_run(search, game, &start, 0, 0, &choice) == LUDENS_OK);
    EXPECT(ludens_search_follow(search, game, &wait, &state) == LUDENS_OK);
    EXPECT(ludens_search_run(search, game, &state, 0, 10000, &choice) == LUDENS_OK);
    EXPECT(choice.action >= 0 && is_legal(game, &mask, 0, choice.action));
    EXPECT(!choice.exact); /* it was proved for one of the places */
    ludens_move_value value = {0, 0, 0, 100, 0};
    EXPECT(ludens_search_moves(search, &value, 1) <= 2);
    EXPECT(value.low == 0 && value.high == 100);
    ludens_search_close(search);
    EXPECT(seed < 999);
  }
  ludens_game_close(game);
}

/* States as numbers of fluents, and legal actions as numbers, beside rows of bits. */
static void test_numbers(const char* name) {
  ludens_game* game = open_game(name);
  const size_t fluents = ludens_fluent_count(game), words = ludens_state_words(game);
  const size_t actions = ludens_action_count(game, 0);
  uint64_t* state = calloc(words, sizeof *state);
  uint64_t* again = calloc(words, sizeof *again);
  uint64_t* mask = calloc(ludens_mask_words(game), sizeof *mask);
  uint32_t* held = calloc(fluents, sizeof *held);
  int32_t* legal = calloc(actions, sizeof *legal);
  size_t count = 0, few = 0;
  EXPECT(ludens_initial(game, state) == LUDENS_OK);
  EXPECT(ludens_fluents(game, state, held, fluents, &count) == LUDENS_OK);
  EXPECT(count > 0 && count <= fluents);
  for (size_t i = 0; i < count; ++i) {
    EXPECT(state[held[i] / 64] >> (held[i] % 64) & 1);
    EXPECT(i == 0 || held[i - 1] < held[i]);
  }
  EXPECT(ludens_state_of(game, held, count, again) == LUDENS_OK);
  EXPECT(memcmp(state, again, words * sizeof *state) == 0);
  EXPECT(ludens_fluents(game, state, NULL, 0, &few) == LUDENS_OK && few == count);
  held[0] = (uint32_t)fluents;
  EXPECT(ludens_state_of(game, held, count, again) == LUDENS_BAD_ARGUMENT);
  EXPECT(memcmp(state, again, words * sizeof *state) == 0);
  EXPECT(ludens_legal(game, 1, state, mask) == LUDENS_OK);
  EXPECT(ludens_actions(game, state, 0, legal, actions, &count) == LUDENS_OK);
  for (size_t a = 0, i = 0; a < actions; ++a) {
    const int listed = i < count && legal[i] == (int32_t)a;
    EXPECT(listed == is_legal(game, mask, 0, (int32_t)a));
    i += (size_t)listed;
  }
  EXPECT(ludens_actions(game, state, 9, legal, actions, &count) == LUDENS_BAD_ARGUMENT);
  free(state), free(again), free(mask), free(held), free(legal);
  ludens_game_close(game);
}

/* A match by chance that is recorded; read again, it is the same. */
static void test_records(const char* name) {
  ludens_game* game = open_game(name);
  const size_t words = ludens_state_words(game), players = ludens_player_count(game);
  const size_t roles = ludens_role_count(game);
  enum { kMost = 500 };
  uint64_t* states = calloc((kMost + 1) * words, sizeof *states);
  uint64_t* state = calloc(words, sizeof *state);
  uint64_t* mask = calloc(ludens_mask_words(game), sizeof *mask);
  int32_t* joints = calloc(kMost * players, sizeof *joints);
  int32_t* joint = calloc(players, sizeof *joint);
  int32_t* goals = calloc(roles, sizeof *goals);
  int32_t* kept = calloc(roles, sizeof *kept);
  const char** called = calloc(roles, sizeof *called);
  called[0] = "the test";
  ludens_record* record = NULL;
  int32_t agrees = 0, completed = 1;
  char text[200];
  EXPECT(ludens_record_begin(game, called, &record) == LUDENS_OK);
  EXPECT(ludens_initial(game, states) == LUDENS_OK);
  size_t steps = 0;
  for (uint8_t over = 0; !over && steps < kMost; ++steps) {
    uint64_t* from = states + steps * words;
    EXPECT(ludens_record_end(record, &completed, goals) == LUDENS_OK && !completed);
    EXPECT(ludens_legal(game, 1, from, mask) == LUDENS_OK);
    for (size_t p = 0; p < players; ++p) joints[steps * players + p] = choose(game, mask, p);
    EXPECT(ludens_next(game, 1, from, joints + steps * players, steps, from + words) == LUDENS_OK);
    if (roles == players) { /* else `random` might have done what leads there */
      EXPECT(ludens_record_play(record, joints + steps * players, from) == LUDENS_BAD_ARGUMENT);
    }
    EXPECT(ludens_record_play(record, joints + steps * players, from + words) == LUDENS_OK);
    EXPECT(ludens_look(game, 1, from + words, &over, goals) == LUDENS_OK);
  }
  EXPECT(ludens_record_play(record, joints, states) == LUDENS_ILLEGAL_ACTION);
  EXPECT(ludens_record_replay(record, &agrees, text, sizeof text) == LUDENS_OK && agrees);

  char path[] = "/tmp/ludens_record_XXXXXX";
  const int file = mkstemp(path);
  EXPECT(file != -1 && close(file) == 0);
  EXPECT(ludens_record_save(record, path) == LUDENS_OK);
  size_t needed = 0;
  EXPECT(ludens_record_print(record, text, sizeof text, &needed) == LUDENS_OK);
  EXPECT(needed > sizeof text && strlen(text) == sizeof text - 1 && text[0] == '{');
  ludens_record_close(record);
  EXPECT(ludens_record_load(game, path, 1, &record) == LUDENS_FAILED);
  EXPECT(ludens_record_load(game, path, 0, &record) == LUDENS_OK);
  EXPECT(ludens_record_steps(record) == steps);
  EXPECT(strcmp(ludens_record_player(record, 0), "the test") == 0);
  EXPECT(ludens_record_player(record, roles) == NULL);
  for (size_t step = 0; step <= steps; ++step) {
    EXPECT(ludens_record_state(record, step, state) == LUDENS_OK);
    EXPECT(memcmp(state, states + step * words, words * sizeof *state) == 0);
    if (step == steps) break;
    EXPECT(ludens_record_actions(record, step, joint) == LUDENS_OK);
    EXPECT(memcmp(joint, joints + step * players, players * sizeof *joint) == 0);
  }
  EXPECT(ludens_record_state(record, steps + 1, state) == LUDENS_BAD_ARGUMENT);
  EXPECT(ludens_record_actions(record, steps, joint) == LUDENS_BAD_ARGUMENT);
  EXPECT(ludens_record_actions(record, (size_t)-1, joint) == LUDENS_BAD_ARGUMENT);
  EXPECT(ludens_record_end(record, &completed, kept) == LUDENS_OK && completed);
  EXPECT(memcmp(kept, goals, roles * sizeof *kept) == 0);
  EXPECT(ludens_record_replay(record, &agrees, NULL, 0) == LUDENS_OK && agrees);
  ludens_record_close(record);

  /* By the rules of another game it is no match. */
  ludens_game* other = open_game("nim");
  EXPECT(ludens_record_load(other, path, 0, &record) == LUDENS_OK);
  EXPECT(ludens_record_replay(record, &agrees, text, sizeof text) == LUDENS_OK && !agrees);
  EXPECT(strstr(text, "the roles are") != NULL);
  EXPECT(ludens_record_steps(record) == steps);
  uint64_t* start = calloc(ludens_state_words(other), sizeof *start);
  EXPECT(ludens_record_state(record, 0, start) == LUDENS_OK);
  EXPECT(ludens_record_state(record, steps, start) == LUDENS_BAD_ARGUMENT);
  EXPECT(ludens_record_play(record, joints, NULL) == LUDENS_BAD_ARGUMENT);
  ludens_record_close(record);
  ludens_game_close(other);
  EXPECT(remove(path) == 0);
  EXPECT(ludens_record_load(game, path, 0, &record) == LUDENS_FAILED);
  EXPECT(strstr(ludens_error(), path) != NULL);
  EXPECT(ludens_record_begin(NULL, NULL, &record) == LUDENS_BAD_ARGUMENT);
  ludens_record_close(NULL);
  free(start), free(states), free(state), free(mask), free(joints), free(joint);
  free(goals), free(kept), free((void*)called);
  ludens_game_close(game);
}

/* A record that others made, and that ends after two steps, goes on. */
static void test_records_go_on(const char* name, const char* moves, const char* members) {
  ludens_game* game = open_game(name);
  const size_t words = ludens_state_words(game), players = ludens_player_count(game);
  uint64_t* state = calloc(words, sizeof *state);
  uint64_t* mask = calloc(ludens_mask_words(game), sizeof *mask);
  int32_t* joint = calloc(players, sizeof *joint);
  static char text[1 << 18];
  snprintf(text, sizeof text, "{\"matchId\":\"m\",\"states\":[\"\",\"\",\"\"],\"moves\":%s%s}\n",
           moves, members);
  char path[] = "/tmp/ludens_record_XXXXXX";
  const int file = mkstemp(path);
  EXPECT(file != -1 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
  EXPECT(close(file) == 0);
  ludens_record* record = NULL;
  EXPECT(ludens_record_load(game, path, 0, &record) == LUDENS_OK);
  EXPECT(ludens_record_steps(record) == 2);
  uint8_t over = 0;
  size_t steps = 2;
  for (; steps < 20; ++steps) {
    EXPECT(ludens_record_state(record, steps, state) == LUDENS_OK);
    EXPECT(ludens_look(game, 1, state, &over, NULL) == LUDENS_OK);
    if (over) break;
    EXPECT(ludens_legal(game, 1, state, mask) == LUDENS_OK);
    for (size_t p = 0; p < players; ++p) joint[p] = choose(game, mask, p);
    EXPECT(ludens_record_play(record, joint, NULL) == LUDENS_OK);
  }
  EXPECT(steps > 2);
  EXPECT(ludens_record_save(record, path) == LUDENS_OK);
  ludens_record_close(record);
  record = NULL;
  EXPECT(ludens_record_load(game, path, 0, &record) == LUDENS_OK);
  if (record != NULL) {
    int32_t completed = 0;
    EXPECT(ludens_record_steps(record) == steps);
    EXPECT(ludens_record_end(record, &completed, NULL) == LUDENS_OK && completed == over);
    EXPECT(ludens_record_print(record, text, sizeof text, NULL) == LUDENS_OK);
    EXPECT(strstr(text, "\"isAborted\":false") != NULL && strstr(text, "x-endReason") == NULL);
    ludens_record_close(record);
  }
  EXPECT(remove(path) == 0);
  free(state), free(mask), free(joint);
  ludens_game_close(game);
}

/* An environment keeps its game, and with it the game's strings. */
static void test_strings_of_a_game_that_was_closed(void) {
  ludens_game* game = NULL;
  EXPECT(ludens_game_open_on("tic_tac_toe", "scalar", 256, &game) == LUDENS_OK);
  const char* role = ludens_role_name(game, 1);
  const char* machine = ludens_machine_name(game);
  const char* action = ludens_action_name(game, 0, 0);
  const char* fluent = ludens_fluent_name(game, 0);
  const ludens_environment_options options = ludens_default_options();
  ludens_environment* environment = NULL;
  EXPECT(ludens_environment_open(game, &options, &environment) == LUDENS_OK);
  ludens_game_close(game);
  game = open_game("connect_four"); /* takes the place of what is free now */
  EXPECT(strcmp(role, "o") == 0);
  EXPECT(strcmp(machine, "scalar") == 0);
  EXPECT(action[0] != 0 && fluent[0] == '(');
  ludens_game_close(game);
  ludens_environment_close(environment);
}

static void test_machines(void) {
  const char* machines[3] = {"interpreter", "scalar", "sliced"};
  for (size_t i = 0; i < 3; ++i) {
    ludens_game* game = NULL;
    EXPECT(ludens_game_open_on("tic_tac_toe", machines[i], 256, &game) == LUDENS_OK);
    EXPECT(strcmp(ludens_machine_name(game), machines[i]) == 0);
    uint64_t state[4];
    const int32_t joint[2] = {ludens_find_action(game, 0, "( mark 2 2 )"),
                              ludens_find_action(game, 1, "noop")};
    EXPECT(ludens_initial(game, state) == LUDENS_OK);
    EXPECT(ludens_next(game, 1, state, joint, 1, state) == LUDENS_OK);
    ludens_game_close(game);
  }
  ludens_game* game = NULL;
  EXPECT(ludens_game_open_on("tic_tac_toe", "steam", 256, &game) != LUDENS_OK);
  EXPECT(ludens_game_open_on("tic_tac_toe", "auto", 0, &game) == LUDENS_BAD_ARGUMENT);
  EXPECT(game == NULL);
}

/* A row has no bit for `( wall a )`, which always holds. */
static void test_what_always_holds(void) {
  const char* rules =
      "(role r) (cell a) (cell b) (init (wall a)) (init (at s))"
      "(<= (next (wall ?x)) (true (wall ?x)))"
      "(<= (legal r (go ?x)) (cell ?x) (true (at s)) (not (true (wall ?x))))"
      "(<= (next (at ?x)) (does r (go ?x)))"
      "(<= terminal (true (at b))) (goal r 100)";
  char path[] = "/tmp/ludens_rules_XXXXXX";
  const int file = mkstemp(path);
  EXPECT(file != -1 && write(file, rules, strlen(rules)) == (ssize_t)strlen(rules));
  EXPECT(close(file) == 0);
  const char* machines[3] = {"interpreter", "scalar", "sliced"};
  for (size_t i = 0; i < 3; ++i) {
    ludens_game* game = NULL;
    EXPECT(ludens_game_open_on(path, machines[i], 256, &game) == LUDENS_OK);
    uint64_t state = 0, mask = 0;
    EXPECT(ludens_state_words(game) == 1 && ludens_mask_words(game) == 1);
    EXPECT(ludens_initial(game, &state) == LUDENS_OK);
    EXPECT(ludens_find_action(game, 0, "( go a )") == -1);
    EXPECT(ludens_find_action(game, 0, "( go b )") == 0);
    EXPECT(ludens_legal(game, 1, &state, &mask) == LUDENS_OK);
    EXPECT(mask == 1);
    ludens_game_close(game);
  }
  EXPECT(remove(path) == 0);
}

static void test_misuse(void) {
  ludens_game* game = NULL;
  EXPECT(ludens_game_open("tic_tac_to", &game) == LUDENS_BAD_GAME);
  EXPECT(strstr(ludens_error(), "did you mean 'tic_tac_toe'") != NULL);
  EXPECT(ludens_game_open(NULL, &game) == LUDENS_BAD_ARGUMENT);
  EXPECT(ludens_game_from_text("(role a", "mine", &game) == LUDENS_BAD_GAME);
  EXPECT(strstr(ludens_error(), "mine:1:") != NULL);
  EXPECT(game == NULL);
  game = open_game("tic_tac_toe");
  ludens_environment* environment = NULL;
  ludens_environment_options options = ludens_default_options();
  options.slots = 0;
  EXPECT(ludens_environment_open(game, &options, &environment) == LUDENS_BAD_ARGUMENT);
  options.slots = 2;
  options.reset = 7;
  EXPECT(ludens_environment_open(game, &options, &environment) == LUDENS_BAD_ARGUMENT);
  EXPECT(environment == NULL);
  options.reset = LUDENS_SAME_STEP;
  EXPECT(ludens_environment_open(game, &options, &environment) == LUDENS_OK);
  const int32_t actions[4] = {-1, -1, -1, 77};
  EXPECT(ludens_step(environment, actions, NULL) == LUDENS_ILLEGAL_ACTION);
  EXPECT(strcmp(ludens_error(), "slot 1: action 77 of player 1 is not legal") == 0);
  EXPECT(ludens_steps(environment) == 0);
  EXPECT(ludens_step(environment, NULL, NULL) == LUDENS_BAD_ARGUMENT);
  EXPECT(ludens_step(NULL, actions, NULL) == LUDENS_BAD_ARGUMENT);
  ludens_environment_close(environment);
  ludens_environment_close(NULL);
  ludens_search* search = NULL;
  EXPECT(ludens_search_open("mtcs", 1, 64, &search) == LUDENS_BAD_ARGUMENT);
  EXPECT(strstr(ludens_error(), "mcts") != NULL);
  EXPECT(ludens_search_open("value:knowledge=/no/such/file", 1, 64, &search) ==
         LUDENS_BAD_ARGUMENT);
  EXPECT(strstr(ludens_error(), "/no/such/file") != NULL);
  EXPECT(search == NULL);
  ludens_search_close(search);
  ludens_search_cancel(NULL);
  ludens_game_close(game);
  ludens_game_close(NULL);
}

int main(void) {
  test_names();
  test_environments("tic_tac_toe");
  test_environments("connect_four");
  test_environments("bidding_tic_tac_toe");
  test_environments("eight_puzzle");
  test_searches();
  test_searches_that_follow("connect_four_small");
  test_searches_that_follow("pig");
  test_searches_know_no_more_than_players();
  test_moves_of_chance_that_states_do_not_show();
  test_choices_are_legal();
  test_numbers("tic_tac_toe");
  test_numbers("bidding_tic_tac_toe");
  test_records("tic_tac_toe");
  test_records("pig");
  test_records("rock_paper_scissors");
  const char* marks = "[[\"( mark 1 1 )\",\"noop\"],[\"noop\",\"( mark 3 3 )\"]]";
  test_records_go_on("tic_tac_toe", marks, "");
  test_records_go_on("tic_tac_toe", marks,
                     ",\"isAborted\":true,\"x-endReason\":\"no time\",\"stateTimes\":[1,2,3],"
                     "\"x-roles\":[\"x\",\"o\"],\"x-values\":[{\"x\":50},{}],"
                     "\"x-claims\":[{},{\"o\":0}],\"x-risked\":[{\"x\":1},{}]");
  test_records_go_on("phantom_tic_tac_toe",
                     "[[\"( try 1 1 )\",\"noop\"],[\"noop\",\"( try 3 3 )\"]]", "");
  test_strings_of_a_game_that_was_closed();
  test_machines();
  test_what_always_holds();
  test_misuse();
  if (failures == 0) puts("all is as ludens.h says");
  return failures != 0;
}
