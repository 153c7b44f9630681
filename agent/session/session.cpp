#include "agent/session/session.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <exception>
#include <tuple>

#include "agent/message/moves.h"
#include "agent/session/match_log.h"
#include "gdl/interpreter/interpreter.h"

namespace ludens::agent {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::string_view kReady = "ready";
constexpr std::string_view kBusy = "busy";
constexpr std::string_view kNoMove = "nil";

long long ms(Margin::Duration duration) {
  return duration_cast<milliseconds>(duration).count();
}

/// The rules are followed on the interpreter: it is ready at once and keeps every fluent. Faster
/// machines are for the strategy.
Referee::MakeMachine machine_maker(const PlayerOptions& options) {
  if (!options.make_machine) return gdl::make_interpreter;
  return [make = options.make_machine](std::shared_ptr<gdl::Vocabulary> vocabulary,
                                       const gdl::Limits&) { return make(std::move(vocabulary)); };
}

/// Limits on counts or time would mean nothing if thinking went on while the others think.
bool limited(const search::StrategySpec& spec) {
  return spec.options.contains("seconds") || spec.options.contains("playouts");
}

}  // namespace

Session::Session(Surroundings& surroundings, Start start, Changed changed)
    : surroundings_(surroundings),
      start_(std::move(start)),
      changed_(std::move(changed)),
      match_(printable(start_.match_id)) {}

// ---- START

void Session::begin(TimePoint first_byte, Reply reply, std::unique_ptr<Journal> journal,
                    std::vector<JournalledTurn> past) {
  const PlayerOptions& options = surroundings_.options;
  const MatchMemory memory(surroundings_.memory_for_a_match(), surroundings_.memory);
  if (const auto cap = search::thinking_cap(options.strategy)) {
    think_at_most_ = duration_cast<Margin::Duration>(*cap);
  }
  ponders_ = options.ponder && !limited(options.strategy);
  journal_ = std::move(journal);
  game_ = std::make_unique<GameThread>(memory, machine_maker(options), surroundings_.line,
                                       weak_from_this());
  deliberation_ = std::make_shared<Deliberation>(surroundings_, match_, memory.search);
  std::vector<Part> moves;
  for (const JournalledTurn& turn : past) moves.push_back(part_of(turn.moves));
  auto first = journal_writer(past);
  recall(past);
  heard();
  turn_.first_byte = first_byte;
  if (reply) {
    turn_.waiting.push_back(std::move(reply));
    arm(first_byte);
  } else if (turn_.number == 0) {
    turn_.answer = kReady;
  }
  game_->prepare(start_, std::move(moves), std::move(first));
}

/// The START's rules may be long: they are printed and written in the game thread.
std::function<void()> Session::journal_writer(std::vector<JournalledTurn> past) const {
  if (journal_ == nullptr) return {};
  return [journal = journal_, start = start_, past = std::move(past)]() mutable {
    std::string rules;
    if (start.description.tree != nullptr && start.description.node != gdl::kNoNode) {
      rules = start.description.tree->print(start.description.node);
    }
    JournalledMatch match;
    match.match_id = start.match_id;
    match.role = start.role;
    match.start_clock_seconds = start.start_clock_seconds;
    match.play_clock_seconds = start.play_clock_seconds;
    match.description = std::move(rules);
    match.turns = std::move(past);
    journal->begin(std::move(match));
  };
}

/// Takes up the last turn of a match that another process has played.
void Session::recall(const std::vector<JournalledTurn>& past) {
  if (past.empty()) return;
  turn_.number = past.size();
  turn_.key = gdl::fold_case(past.back().moves);
  turn_.answer = past.back().reply;
  for (const JournalledTurn& turn : past) {
    if (!turn.reply) continue;
    move_before_ = std::exchange(last_move_, *turn.reply);
  }
}

void Session::start_again(Reply reply) {
  heard();
  surroundings_.log->info("match={} START again", match_);
  if (turn_.number == 0 && !turn_.answer) {
    turn_.waiting.push_back(std::move(reply));
  } else {
    reply(std::string(kReady));
  }
}

void Session::on_prepared(std::optional<std::string> refusal, gdl::NormalisedRules rules) {
  if (over_) return;
  if (rules.rules != nullptr) {
    surroundings_.leavers.take_ending(
        log_findings(surroundings_.log, match_, std::move(rules), surroundings_.line));
  }
  if (!refusal) return;
  surroundings_.log->warn("match={} not played: {}", match_, printable(*refusal, 400));
  for (const Reply& reply : std::exchange(turn_.waiting, {})) reply(std::string(kBusy));
  for (const Doubtful& doubtful : std::exchange(doubtful_, {})) doubtful.reply(std::string(kBusy));
  if (journal_ != nullptr) journal_->remove();
  end();
}

// ---- Time

void Session::heard() {
  last_heard_ = surroundings_.clock.now();
  if (death_) surroundings_.scheduler.cancel(*death_);
  death_ = surroundings_.scheduler.at(last_heard_ + dead_after(), [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self == nullptr || self->over_) return;
    self->death_.reset();
    self->surroundings_.log->info("match={} silent, no more pondering", self->match_);
    self->deliberation_->stop();
  });
}

Margin::Duration Session::dead_after() const {
  if (turn_.number == 0) return seconds(start_.start_clock_seconds) + seconds(60);
  return std::max<Margin::Duration>(seconds(60),
                                    3 * seconds(start_.play_clock_seconds) + seconds(30));
}

bool Session::dead() const {
  return surroundings_.clock.now() - last_heard_ >= dead_after();
}

void Session::arm(TimePoint first_byte) {
  turn_.first_byte = first_byte;
  turn_.clock = seconds(turn_.number == 0 ? start_.start_clock_seconds : start_.play_clock_seconds);
  const Margin::Span margin = surroundings_.margin.of(turn_.clock);
  if (margin.halved && !std::exchange(warned_of_margin_, true)) {
    surroundings_.log->warn("match={} margin_ms={}: the clock of {} s leaves no more", match_,
                            ms(margin.length), duration_cast<seconds>(turn_.clock).count());
  }
  turn_.margin = margin.length;
  turn_.due = first_byte + turn_.clock - margin.length;
  set_timer(turn_.due);
}

void Session::set_timer(TimePoint due) {
  if (turn_.timer) surroundings_.scheduler.cancel(*turn_.timer);
  const TimePoint expected = std::max(due, surroundings_.clock.now());
  turn_.timer =
      surroundings_.scheduler.at(due, [weak = weak_from_this(), number = turn_.number, expected] {
        const auto self = weak.lock();
        if (self == nullptr || self->turn_.number != number || self->turn_.answer) return;
        self->on_time(expected);
      });
}

void Session::on_time(TimePoint expected) {
  turn_.timer.reset();
  surroundings_.margin.measured(surroundings_.clock.now() - expected);
  if (turn_.number == 0) {
    answer(std::string(kReady), "time");
  } else {
    answer_best("time");
  }
}

// ---- PLAY

void Session::play(const Play& play, TimePoint first_byte, Reply reply) {
  heard();
  std::string key = moves_key(play.moves);
  if (turn_.number == 0 || (!key.empty() && key != turn_.key)) {
    begin_turn(play, std::move(key), first_byte, std::move(reply));
  } else if (key.empty() || turn_.copies < copies_) {
    ++turn_.copies;
    join(first_byte, std::move(reply));
  } else {
    doubt(play, first_byte, std::move(reply));
  }
}

void Session::begin_turn(const Play& play, std::string key, TimePoint first_byte, Reply reply) {
  if (!turn_.waiting.empty()) {
    surroundings_.log->warn("match={} the host has gone on without waiting", match_);
    answer_turn();
  }
  const std::optional<gdl::MoveId> sent = turn_.sent;
  const std::size_t number = turn_.number + 1;
  if (turn_.timer) surroundings_.scheduler.cancel(*turn_.timer);
  turn_ = Turn{};
  turn_.number = number;
  turn_.key = std::move(key);
  turn_.sent_before = sent;
  turn_.waiting.push_back(std::move(reply));
  if (journal_ != nullptr) {
    journal_->moves(number, turn_.key.empty() ? "" : play.moves.tree->print(play.moves.node));
  }
  arm(first_byte);
  heard();
  deliberation_->stop(turn_.due);
  game_->play(number, play.moves, sent);
}

/// The present PLAY has come again.
void Session::join(TimePoint first_byte, Reply reply) {
  if (turn_.answer) {
    surroundings_.log->info("match={} PLAY again reply=\"{}\"", match_, *turn_.answer);
    reply(*turn_.answer);
    return;
  }
  turn_.waiting.push_back(std::move(reply));
  if (turn_.timer) return;
  arm(first_byte);  // it was left unanswered by an earlier process
  decide();
}

void Session::doubt(const Play& play, TimePoint first_byte, Reply reply) {
  const unsigned number = ++doubts_;
  const Margin::Duration clock = seconds(start_.play_clock_seconds);
  const TimePoint due = first_byte + clock - surroundings_.margin.of(clock).length;
  const auto weak = weak_from_this();
  const auto timer = surroundings_.scheduler.at(due, [weak, number] {
    if (const auto self = weak.lock()) self->on_undecided(number);
  });
  doubtful_.push_back({number, play, first_byte, std::move(reply), timer});
  game_->judge(play.moves, [weak, number, turn = turn_.number](std::optional<bool> legal) {
    if (const auto self = weak.lock()) self->on_judged(number, turn, legal);
  });
}

std::optional<Session::Doubtful> Session::take_doubtful(unsigned number) {
  const auto found =
      std::find_if(doubtful_.begin(), doubtful_.end(),
                   [number](const Doubtful& doubtful) { return doubtful.number == number; });
  if (found == doubtful_.end()) return std::nullopt;
  Doubtful doubtful = std::move(*found);
  doubtful_.erase(found);
  surroundings_.scheduler.cancel(doubtful.timer);
  return doubtful;
}

void Session::on_undecided(unsigned number) {
  const auto doubtful = take_doubtful(number);
  if (!doubtful) return;
  surroundings_.log->warn("match={} PLAY again, or not: not known in time", match_);
  doubtful->reply(turn_.answer ? *turn_.answer : text_of(best_move()));
  changed_();
}

void Session::on_judged(unsigned number, std::size_t turn, std::optional<bool> legal) {
  auto doubtful = take_doubtful(number);
  if (!doubtful) return;
  if (turn_.number != turn) {
    play(doubtful->play, doubtful->first_byte, std::move(doubtful->reply));
  } else if (legal.value_or(false)) {
    begin_turn(doubtful->play, turn_.key, doubtful->first_byte, std::move(doubtful->reply));
  } else {
    join(doubtful->first_byte, std::move(doubtful->reply));
    changed_();
  }
}

// ---- What the rules say

void Session::on_legal(std::size_t turn, LegalReport report) {
  if (over_) return;
  names_ = report.names;
  note_adoption(report.adoption, turn);
  if (turn != turn_.number) return;
  turn_.report = std::move(report);
  // Of a turn that an earlier process has answered only the text is known.
  if (turn > 0 && turn_.answer && !turn_.sent) turn_.sent = names_->find_move(*turn_.answer);
  decide();
}

void Session::on_position(std::size_t turn, bool terminal, search::Position position) {
  if (over_ || turn != turn_.number) return;
  turn_.terminal = terminal;
  turn_.position = std::move(position);
  decide();
  go_on();
}

void Session::note_adoption(const Adoption& adoption, std::size_t turn) {
  auto& log = *surroundings_.log;
  const std::string problem = printable(adoption.problem, 400);
  if (adoption.kind == Adoption::Kind::Illegal) {
    log.warn("match={} illegal joint move: {}; answering from the last good state", match_,
             problem);
  } else if (adoption.kind == Adoption::Kind::Recovered) {
    log.warn("match={} {}: a PLAY must have been missed, its moves are guessed", match_, problem);
  }
  if (turn != turn_.number || !adoption.own || !turn_.sent_before) return;
  if (*adoption.own == *turn_.sent_before) return;
  log.warn("match={} the host replaced our {} by {}", match_, names_->move_name(*turn_.sent_before),
           names_->move_name(*adoption.own));
}

void Session::on_flaws(std::vector<gdl::Flaw> flaws) {
  for (const gdl::Flaw& flaw : flaws) {
    if (flaws_.emplace(flaw.kind, flaw.role).second) log_flaw(*surroundings_.log, match_, flaw);
  }
}

void Session::on_trouble(std::string what) {
  surroundings_.log->error("match={} the rules could not be followed: {}", match_, what);
}

// ---- The answer

/// Looks at what is known of the present turn: answers if nothing is gained by waiting, else lets
/// the strategy think.
void Session::decide() {
  if (over_ || turn_.answer || turn_.waiting.empty() || !turn_.report) return;
  const LegalReport& report = *turn_.report;
  if (turn_.number == 0) {
    if (!report.derived || report.legal.empty()) return answer(std::string(kReady), "no choice");
  } else {
    if (!report.derived) return answer_best("legal moves could not be derived");
    if (report.legal.empty()) return answer(std::string(kNoMove), "no legal move");
    const bool forced = report.legal.size() == 1;
    if (forced && surroundings_.options.answer_forced_at_once) return answer_best("forced");
  }
  if (!turn_.position || turn_.thinking) return;
  if (turn_.terminal) return on_enough(turn_.number, "terminal");
  turn_.thinking = true;
  TimePoint until = turn_.due;
  if (think_at_most_) until = std::min(until, surroundings_.clock.now() + *think_at_most_);
  deliberation_->think(*turn_.position, until, [weak = weak_from_this(), number = turn_.number] {
    if (const auto self = weak.lock()) self->on_enough(number, "search ended");
  });
}

void Session::on_enough(std::size_t turn, std::string_view why) {
  if (over_ || turn != turn_.number || turn_.answer) return;
  if (turn_.number == 0) {
    answer(std::string(kReady), why);
  } else {
    answer_best(why);
  }
}

std::optional<gdl::MoveId> Session::best_move() const {
  if (!turn_.report || !turn_.report->derived || turn_.report->legal.empty()) return std::nullopt;
  const auto& legal = turn_.report->legal;
  if (turn_.thinking) {
    const auto choice = deliberation_->choice();
    const bool usable =
        choice && std::find(legal.begin(), legal.end(), choice->move) != legal.end();
    if (usable) return choice->move;
    if (choice) surroundings_.log->error("match={} the strategy chose an illegal move", match_);
  }
  return legal.front();
}

/// The text of a move; without one the best guess: what was answered two turns ago, for most games
/// take turns.
std::string Session::text_of(std::optional<gdl::MoveId> move) const {
  if (move) return names_->move_name(*move);
  if (!move_before_.empty()) return move_before_;
  return last_move_.empty() ? std::string(kNoMove) : last_move_;
}

void Session::answer_best(std::string_view why) {
  const auto move = best_move();
  turn_.sent = move;
  if (!move) surroundings_.log->error("match={} no legal move known: guessing", match_);
  answer(text_of(move), why);
}

void Session::answer(const std::string& text, std::string_view why) {
  if (turn_.timer) surroundings_.scheduler.cancel(*turn_.timer);
  turn_.timer.reset();
  turn_.answer = text;
  if (turn_.number > 0) {
    if (journal_ != nullptr) journal_->reply(turn_.number, text);
    if (turn_.sent) move_before_ = std::exchange(last_move_, text);
  }
  const auto used = surroundings_.clock.now() - turn_.first_byte;
  for (const Reply& reply : std::exchange(turn_.waiting, {})) reply(text);
  surroundings_.log->info(
      "match={} {} step={} reply=\"{}\" used_ms={} margin_ms={} why=\"{}\" thought=\"{}\"", match_,
      turn_.number == 0 ? "START" : "PLAY", step(), text, ms(used), ms(turn_.margin), why,
      thinking());
  changed_();
  go_on();
}

/// After the answer: thinks on until the next PLAY, after START in any case.
void Session::go_on() {
  if (over_ || !turn_.waiting.empty() || turn_.pondering || !turn_.position) return;
  turn_.pondering = true;
  const bool first = turn_.number == 0;
  const bool wanted = first ? !limited(surroundings_.options.strategy) : ponders_;
  if (!wanted || turn_.terminal || turn_.report->legal.empty()) {
    if (!first) deliberation_->stop();
    return;
  }
  if (first || !turn_.sent) return deliberation_->ponder(*turn_.position);
  game_->foresee(*turn_.sent, [weak = weak_from_this(),
                               number = turn_.number](std::optional<search::Position> position) {
    const auto self = weak.lock();
    if (self == nullptr || self->over_ || self->turn_.number != number || self->dead()) return;
    self->deliberation_->ponder(position ? std::move(*position) : *self->turn_.position);
  });
}

// ---- The end

void Session::answer_turn() {
  if (turn_.waiting.empty()) return;
  if (turn_.number == 0) {
    answer(std::string(kReady), "interrupted");
  } else {
    answer_best("interrupted");
  }
}

void Session::answer_all() {
  answer_turn();
  while (!doubtful_.empty()) {
    const auto doubtful = take_doubtful(doubtful_.front().number);
    doubtful->reply(turn_.answer ? *turn_.answer : text_of(best_move()));
  }
}

void Session::stop(const Part& moves) {
  answer_all();
  game_->finish(moves, turn_.sent, [log = surroundings_.log, match = match_](FinalReport report) {
    log_end(*log, match, report);
  });
  if (journal_ != nullptr) journal_->remove();
  end();
}

void Session::abort() {
  answer_all();
  game_->interrupt();
  if (journal_ != nullptr) journal_->remove();
  end();
}

void Session::leave() {
  answer_all();
  game_->interrupt();
  end();
}

void Session::expect_twins() {
  heard();
  copies_ = 2;
}

void Session::hurry(TimePoint latest) {
  for (Doubtful& doubtful : doubtful_) {
    surroundings_.scheduler.cancel(doubtful.timer);
    doubtful.timer =
        surroundings_.scheduler.at(latest, [weak = weak_from_this(), number = doubtful.number] {
          if (const auto self = weak.lock()) self->on_undecided(number);
        });
  }
  if (turn_.waiting.empty()) return;
  if (turn_.number > 0) {
    if (latest < turn_.due) set_timer(latest);
    return;
  }
  if (journal_ != nullptr) return answer(std::string(kReady), "the program ends");
  answer(std::string(kBusy), "the program ends");
  abort();
}

void Session::end() {
  over_ = true;
  if (turn_.timer) surroundings_.scheduler.cancel(*turn_.timer);
  if (death_) surroundings_.scheduler.cancel(*death_);
  deliberation_->leave();
  // What belongs to the game is large, and not freed on this thread.
  auto rest = std::make_shared<
      std::tuple<decltype(names_), std::optional<LegalReport>, std::optional<search::Position>>>(
      std::move(names_), std::exchange(turn_.report, {}), std::exchange(turn_.position, {}));
  names_ = nullptr;
  surroundings_.leavers.take_ending(game_->release(std::move(rest)));
  changed_();
}

// ---- What pages show

std::size_t Session::step() const {
  const std::size_t roles = names_ == nullptr ? 0 : names_->rules().roles.size();
  if (turn_.position && roles > 0) return turn_.position->history.size() / roles;
  return turn_.number == 0 ? 0 : turn_.number - 1;
}

std::string Session::thinking() const {
  const auto choice = turn_.thinking ? deliberation_->choice() : std::nullopt;
  if (!choice || names_ == nullptr || choice->move >= names_->move_count()) return {};
  std::string text = names_->move_name(choice->move) + " value " +
                     fmt::format("{:.1f}", choice->value) + (choice->exact ? " exact" : "");
  if (choice->depth > 0) text += fmt::format(" depth {}", choice->depth);
  if (choice->iterations > 0) text += fmt::format(" iterations {}", choice->iterations);
  if (choice->nodes > 0) text += fmt::format(" nodes {}", choice->nodes);
  const std::string& why = deliberation_->explanation();
  return why.empty() ? text : text + "; " + printable(why, 400);
}

MatchStatus Session::status() const {
  std::optional<std::size_t> legal;
  if (turn_.report && turn_.report->derived) legal = turn_.report->legal.size();
  return {start_.match_id, start_.role, step(), thinking(), legal, dead()};
}

}  // namespace ludens::agent
