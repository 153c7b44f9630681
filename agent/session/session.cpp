// SPDX-License-Identifier: MIT
#include "agent/session/session.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <new>
#include <utility>

#include "agent/message/moves.h"
#include "agent/runtime/match_log.h"
#include "agent/runtime/thought.h"
#include "gdl/memory/hash.h"

namespace ludens::agent {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::string_view kReady = "ready";
constexpr std::string_view kBusy = "busy";
constexpr std::string_view kNoMove = "nil";
constexpr std::string_view kInterrupted = "interrupted";
/// What hosts add to a clock, at most, before they give up an answer (Tiltyard), and a second.
constexpr seconds kSlack{6};

/// Of a reply, in the log.
constexpr std::size_t kLoggedReply = 4000;

/// How long a reply waits for a slow disk: this long, but not beyond one part in so many of the
/// margin.
constexpr milliseconds kJournalWait{250};
constexpr int kMarginShare = 4;

/// Whether a host asks for more time than a match may take (`--max-clock`).
bool is_too_long(const PlayerOptions& options, const Start& start) {
  return std::max(start.start_clock_seconds, start.play_clock_seconds) > options.max_clock_seconds;
}

long long ms(Margin::Duration duration) {
  return duration_cast<milliseconds>(duration).count();
}

/// A role of a match has a seed of its own, unless the text of the strategy gives one: otherwise an
/// opponent who has met us once would know our choices by chance.
ThinkingOptions thinking_of(const PlayerEnvironment& environment, const Start& start) {
  ThinkingOptions thinking = environment.thinking;
  std::uint64_t seed = gdl::mix(gdl::kHashStart, environment.options.seed);
  seed = gdl::mix(seed, gdl::hash_of_text(start.match_id));
  seed = gdl::mix(seed, gdl::hash_of_text(gdl::fold_case(start.role)));
  thinking.strategy.options.try_emplace("seed",
                                        std::to_string(std::max(seed >> 1, std::uint64_t{1})));
  if (is_too_long(environment.options, start)) thinking.ponder = thinking.ponder_at_start = false;
  return thinking;
}

}  // namespace

Session::Session(PlayerEnvironment& environment, Start start, Sender from, Changed changed)
    : environment_(environment),
      start_(std::move(start)),
      thinking_(thinking_of(environment, start_)),
      hidden_(hides_information(start_.description)),
      changed_(std::move(changed)),
      match_(printable(start_.match_id)),
      from_(std::move(from)),
      runtime_(std::make_shared<MatchRuntime>(environment, thinking_, match_, *this, from_.peer)) {}

// ---- START

void Session::begin(TimePoint first_byte, TimePoint last_heard, Reply reply,
                    std::unique_ptr<Journal> journal, const Past& past) {
  const MatchMemory memory(environment_.memory_for_a_match(), environment_.memory);
  memory_ = memory.rules;
  journal_ = std::move(journal);
  auto turns = reported(past.turns);
  begin_journal(past);
  recall(past);
  runtime_->begin(memory, start_.description, start_.role, std::move(turns));
  heard(last_heard);
  turn_.first_byte = first_byte;
  if (reply) {
    turn_.waiting.push_back(std::move(reply));
    start_clock(first_byte, start_.start_clock_seconds);
    runtime_->ask(turn_.due);
    return;
  }
  // What a host that plays two roles with us makes of our answers says nothing.
  if (past.copies == 1) gap_ = Gap::Possible;
  if (past.turns.empty()) turn_.answer = kReady;
}

/// The START's rules may be long: they are printed in the thread that writes them.
void Session::begin_journal(const Past& past) const {
  if (journal_ == nullptr) return;
  const auto& tree = start_.description.tree;
  std::size_t bytes = tree == nullptr ? 0 : tree->text().size();
  for (const JournalledTurn& turn : past.turns) bytes += turn.moves.size();
  journal_->begin(
      [start = start_, from = from_, past] {
        JournalledMatch match;
        match.match_id = start.match_id;
        match.role = start.role;
        match.start_clock_seconds = start.start_clock_seconds;
        match.play_clock_seconds = start.play_clock_seconds;
        const Part& rules = start.description;
        const bool given = rules.tree != nullptr && rules.node != gdl::kNoNode;
        if (given) match.description = rules.tree->print(rules.node);
        match.one_mover = start.one_mover;
        match.from = from;
        match.turns = past.turns;
        match.copies = past.copies;
        return match;
      },
      bytes);
}

/// Resumes the last turn of a match that another process has played. All copies of its PLAY have
/// arrived: a host sends them at the same time.
void Session::recall(const Past& past) {
  copies_ = turn_.copies = past.copies;
  if (past.turns.empty()) return;
  const JournalledTurn& last = past.turns.back();
  turn_.number = last.number;
  turn_.answer = last.reply;
  for (const JournalledTurn& turn : past.turns) {
    heard_plays_.add(turn.id, turn.moves);
    if (!turn.reply) continue;
    move_before_ = std::exchange(last_move_, *turn.reply);
  }
}

void Session::belong_to(const Sender& from) {
  if (from_.address.empty()) from_.address = from.address;
  if (!from_.peer.empty() || from.peer.empty()) return;
  from_.peer = from.peer;
  runtime_->belong_to(from.peer);
}

void Session::start_again(Reply reply) {
  heard();
  environment_.log->info("match={} START again", match_);
  if (runtime_->turn() == 0 && !turn_.answer) {
    turn_.waiting.push_back(std::move(reply));
    return;
  }
  started_again_ = runtime_->turn() > 0;
  // If another match begins, it needs the memory of the strategy.
  if (started_again_ && !runtime_->asked()) runtime_->rest();
  reply(std::string(kReady));
}

bool Session::starts_over(const Play& play) const {
  if (!started_again_) return false;
  if (play.own) return play.own->number == 0 && turn_.number.value_or(0) > 0;
  const bool atom = play.moves.tree == nullptr || play.moves.tree->is_atom(play.moves.node);
  const std::string moves = moves_text(play.moves, start_.one_mover);
  if (hidden_ ? !atom : !moves.empty()) return false;
  // After the first PLAY, the same text again is a repeat of it and gets the same answer.
  return runtime_->turn() > 1 || heard_plays_.kind_of(play.id, moves) == HeardPlays::Kind::New;
}

void Session::on_prepared(const std::optional<std::string>& refusal, gdl::NormalisedRules rules) {
  if (rules.rules != nullptr) {
    try {
      environment_.retired.take_ending(
          log_findings(environment_.log, match_, std::move(rules), memory_, checking_.get_token(),
                       environment_.line),
          {0, from_.peer});
    } catch (const std::exception& problem) {  // no thread, no memory
      environment_.log->warn("match={} the rules are not checked: {}", match_, problem.what());
    }
  }
  if (!refusal) return;
  environment_.log->warn("match={} not played: {}", match_, printable(*refusal, 400));
  for (const Reply& reply : std::exchange(turn_.waiting, {})) reply(std::string(kBusy));
  for (const Doubtful& doubtful : std::exchange(doubtful_, {})) doubtful.reply(std::string(kBusy));
  if (journal_ != nullptr) journal_->remove();
  end();
}

// ---- Time

void Session::heard(TimePoint at) {
  last_heard_ = at;
  if (silent_) environment_.scheduler.cancel(*silent_);
  const auto longest = std::min<Margin::Duration>(dead_after(), length_of(INT_MAX));
  silent_ = environment_.scheduler.at(last_heard_ + longest, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self == nullptr || self->over()) return;
    self->silent_.reset();
    self->environment_.log->info("match={} silent, no more pondering", self->match_);
    self->runtime_->rest();
  });
}

/// The clock of a message. One of 0 leaves no time at all: hosts that send it can't mean it. A very
/// long one is cut.
seconds Session::length_of(int clock_seconds) const {
  return seconds(std::clamp(clock_seconds, 1, std::max(environment_.options.max_clock_seconds, 1)));
}

/// The clock that runs now: of START or of a turn.
seconds Session::clock() const {
  return length_of(runtime_->turn() == 0 ? start_.start_clock_seconds : start_.play_clock_seconds);
}

Margin::Duration Session::dead_after() const {
  if (runtime_->turn() == 0) return clock() + seconds(60);
  return std::max<Margin::Duration>(seconds(60), 3 * clock() + seconds(30));
}

bool Session::dead() const {
  return silence() >= dead_after();
}

bool Session::overdue() const {
  return !waiting() &&
         silence() >= std::min<Margin::Duration>(dead_after(), 2 * clock() + seconds(10));
}

bool Session::gives_way() const {
  return is_too_long(environment_.options, start_);
}

/// Computes when the answer to the current turn is due.
void Session::start_clock(TimePoint first_byte, int clock_seconds) {
  turn_.first_byte = first_byte;
  const seconds clock = length_of(clock_seconds);
  const Margin::Span margin = environment_.margin.of(clock);
  if (margin.halved && !std::exchange(warned_of_margin_, true)) {
    environment_.log->warn("match={} margin_ms={}: the clock of {} s leaves no more", match_,
                           ms(margin.length), clock.count());
  }
  turn_.margin = margin.length;
  turn_.due = due(first_byte, clock);
}

/// When the answer to a message that came then must leave.
TimePoint Session::due(TimePoint first_byte, Margin::Duration clock) const {
  return std::min(first_byte + clock - environment_.margin.of(clock).length, latest_);
}

// ---- PLAY

void Session::play(const Play& play, TimePoint first_byte, Reply reply) {
  note_gap();
  heard();
  started_again_ = false;
  if (play.own && !hidden_) {
    environment_.log->warn("match={} PLAY with percepts, and the rules have no sees", match_);
    return reply(std::string(kBusy));
  }
  const std::string moves = moves_text(play.moves, start_.one_mover);
  const HeardPlays::Kind kind = heard_plays_.kind_of(play.id, moves);
  if (is_next(play, kind, moves)) {
    begin_turn(play, first_byte, std::move(reply));
  } else if (hidden_ || kind != HeardPlays::Kind::Doubtful || turn_.copies < copies_) {
    ++turn_.copies;
    join(first_byte, std::move(reply));
  } else {
    doubt(play, first_byte, std::move(reply));
  }
}

/// Whether the PLAY is certainly that of the next turn.
bool Session::is_next(const Play& play, HeardPlays::Kind kind, const std::string& moves) const {
  if (runtime_->turn() == 0) return true;
  const bool is_new = kind == HeardPlays::Kind::New;
  if (!hidden_) return is_new && (play.id || !moves.empty());
  if (play.own) return !turn_.number || play.own->number > *turn_.number;
  // The copy for our other role tells what that role perceives.
  if (turn_.copies < copies_) return false;
  // A turn with the same percepts as the one before looks like a repeat. But a host waits for our
  // answer before it continues, so only a PLAY that arrives before the answer is a repeat. A second
  // NIL is a repeat, too: after the first turn, such a host writes a list, even an empty one.
  const bool nil = play.moves.tree == nullptr || play.moves.tree->is_atom(play.moves.node);
  if (nil && runtime_->turn() == 1) return false;
  return is_new || turn_.waiting.empty();
}

/// Turns were likely missed if the host, which goes on at the end of a clock, was silent for
/// longer.
void Session::note_gap() {
  if (gap_ != Gap::Possible) return;
  if (silence() > clock() + kSlack) gap_ = Gap::Likely;
}

/// `first`: whether it is the first PLAY.
ReportedMoves Session::reported(const Part& moves, const std::optional<OwnTurn>& own,
                                bool first) const {
  if (start_.one_mover) return OneMove{moves};
  if (!hidden_) return own ? Part{} : moves;
  Perceived told;
  const auto percepts = moves_of(moves);
  if (own) {
    told.turn = own->number;
    const bool nil = moves_text(own->move).empty() && own->move.tree != nullptr &&
                     gdl::fold_case(own->move.tree->atom(own->move.node)) == "nil";
    if (own->number > 0 && !nil) told.own = own->move;
  } else if (first && percepts.empty()) {
    told.turn = 0;
  }
  for (const gdl::NodeIndex percept : percepts)
    told.percepts.emplace_back(Part{moves.tree, percept});
  return told;
}

std::vector<PastTurn> Session::reported(const std::vector<JournalledTurn>& past) const {
  std::vector<PastTurn> all;
  for (const JournalledTurn& turn : past) {
    std::optional<OwnTurn> own;
    if (turn.number) own = OwnTurn{*turn.number, part_of(turn.own)};
    all.push_back({reported(part_of(turn.moves), own, all.empty()),
                   part_of(turn.reply.value_or("")), turn.gap});
  }
  return all;
}

JournalledTurn Session::journalled(const Play& play, Gap gap) const {
  JournalledTurn turn;
  turn.gap = gap;
  turn.moves = moves_text(play.moves, start_.one_mover);
  turn.id = play.id.value_or("");
  if (!play.own) return turn;
  turn.number = play.own->number;
  const Part& move = play.own->move;
  if (move.tree != nullptr && move.node != gdl::kNoNode) turn.own = move.tree->print(move.node);
  return turn;
}

void Session::begin_turn(const Play& play, TimePoint first_byte, Reply reply) {
  if (!turn_.waiting.empty()) {
    environment_.log->warn("match={} the host continued without waiting", match_);
    runtime_->answer_now(kInterrupted);
  }
  // The host continues with other moves, so PLAYs that are still in doubt repeat the last turn.
  const std::string moves = moves_text(play.moves, start_.one_mover);
  if (heard_plays_.kind_of(play.id, moves) == HeardPlays::Kind::New) answer_doubtful();
  heard_plays_.add(play.id, moves);
  turn_ = Turn{};
  if (play.own) turn_.number = play.own->number;
  turn_.waiting.push_back(std::move(reply));
  const Gap gap = std::exchange(gap_, Gap::None);
  if (journal_ != nullptr) journal_->play(runtime_->turn() + 1, journalled(play, gap));
  start_clock(first_byte, start_.play_clock_seconds);
  runtime_->play(reported(play.moves, play.own, runtime_->turn() == 0), turn_.due, gap);
  heard();
}

/// Handles a repeat of the current PLAY.
void Session::join(TimePoint first_byte, Reply reply) {
  gap_ = Gap::None;  // the host is where we are
  if (turn_.answer) {
    environment_.log->info("match={} PLAY again reply=\"{}\"", match_, *turn_.answer);
    const bool leaving = !leaving_.empty() && leaving_.back().number == left_;
    if (leaving) return leaving_.back().replies.push_back(std::move(reply));
    reply(*turn_.answer);
    return;
  }
  turn_.waiting.push_back(std::move(reply));
  if (runtime_->asked()) return;
  start_clock(first_byte, start_.play_clock_seconds);
  runtime_->ask(turn_.due);  // an earlier process left it unanswered
}

void Session::doubt(const Play& play, TimePoint first_byte, Reply reply) {
  const unsigned number = ++doubts_;
  const auto weak = weak_from_this();
  const TimePoint latest = due(first_byte, clock());
  const auto timer = environment_.scheduler.at(latest, [weak, number] {
    if (const auto self = weak.lock()) self->on_undecided(number);
  });
  doubtful_.push_back({number, play, first_byte, std::move(reply), timer});
  runtime_->judge(reported(play.moves, play.own, false),
                  [weak, number, turn = runtime_->turn()](std::optional<bool> legal) {
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
  environment_.scheduler.cancel(doubtful.timer);
  return doubtful;
}

void Session::on_undecided(unsigned number) {
  const auto doubtful = take_doubtful(number);
  if (!doubtful) return;
  environment_.log->warn("match={} PLAY again, or not: not known in time", match_);
  doubtful->reply(turn_.answer ? *turn_.answer : best_text());
  changed_();
}

void Session::on_judged(unsigned number, std::size_t turn, std::optional<bool> legal) {
  auto doubtful = take_doubtful(number);
  if (!doubtful) return;
  if (runtime_->turn() != turn) {
    play(doubtful->play, doubtful->first_byte, std::move(doubtful->reply));
  } else if (legal.value_or(false)) {
    begin_turn(doubtful->play, doubtful->first_byte, std::move(doubtful->reply));
  } else {
    join(doubtful->first_byte, std::move(doubtful->reply));
    changed_();
  }
}

// ---- What the rules say

void Session::on_report(std::size_t turn, const LegalReport& report) {
  for (std::size_t i = 0; i < report.past.size(); ++i) note_adoption(report.past[i], i + 1);
  note_adoption(report.adoption, turn);
  if (turn == 0 || turn != runtime_->turn() || !turn_.answer || runtime_->sent()) return;
  // Only the text is known of a turn that an earlier process has answered.
  if (const auto sent = report.names->find_move(*turn_.answer)) runtime_->recall(*sent);
}

void Session::note_adoption(const Adoption& adoption, std::size_t turn) {
  auto& log = *environment_.log;
  const std::string problem = printable(adoption.problem, 400);
  if (adoption.kind == Adoption::Kind::Illegal) {
    log.warn("match={} illegal joint move: {}; answering from the last good state", match_,
             problem);
  } else if (adoption.kind == Adoption::Kind::Recovered) {
    log.warn("match={} {}: a PLAY must have been missed, its moves are guessed", match_, problem);
  } else if (adoption.kind == Adoption::Kind::Replaced) {
    log.warn("match={} {}; going on as if it were another turn that could be", match_, problem);
  }
  // The move of a turn that was guessed belongs to another turn than our last answer.
  if (adoption.kind == Adoption::Kind::Recovered) return;
  const auto before = runtime_->sent_before();
  if (turn != runtime_->turn() || !adoption.own || !before || *adoption.own == *before) return;
  const gdl::Vocabulary& names = *runtime_->names();
  log.warn("match={} the host replaced our {} by {}", match_, names.move_name(*before),
           names.move_name(*adoption.own));
}

void Session::on_flaws(const std::vector<gdl::Flaw>& flaws) {
  for (const gdl::Flaw& flaw : flaws) {
    if (flaws_.emplace(flaw.kind, flaw.role).second) log_flaw(*environment_.log, match_, flaw);
  }
}

void Session::on_trouble(const std::string& what) {
  environment_.log->error("match={} the rules could not be followed: {}", match_, what);
}

// ---- The answer

/// The best guess at a move: what was answered two turns ago, because in most games roles take
/// turns.
std::string Session::guess() const {
  if (!move_before_.empty()) return move_before_;
  return last_move_.empty() ? std::string(kNoMove) : last_move_;
}

std::string Session::text_of(const TurnAnswer& answer) const {
  switch (answer.kind) {
    case TurnAnswer::Kind::Ready:
      return std::string(kReady);
    case TurnAnswer::Kind::Move:
      return runtime_->names()->move_name(*answer.move);
    case TurnAnswer::Kind::Waits:
      return {};
    case TurnAnswer::Kind::NoLegalMove:
      return std::string(kNoMove);
    case TurnAnswer::Kind::Followed:  // does not occur here
    case TurnAnswer::Kind::Unknown:
      break;
  }
  environment_.log->error("match={} no legal move known: guessing", match_);
  return guess();
}

/// What would be answered now.
std::string Session::best_text() const {
  const auto move = runtime_->best_move();
  return move ? runtime_->names()->move_name(*move) : guess();
}

void Session::on_answer(const TurnAnswer& answer) {
  environment_.margin.measured(answer.lateness);
  reply_with(text_of(answer), answer.why);
}

void Session::reply_with(const std::string& text, std::string_view why) {
  turn_.answer = text;
  const std::size_t turn = runtime_->turn();
  if (turn > 0) {
    if (journal_ != nullptr) journal_->reply(turn, text);
    if (runtime_->sent()) move_before_ = std::exchange(last_move_, text);
  }
  Leaving reply{++left_, std::exchange(turn_.waiting, {}), text, turn_.first_byte, {}, {}, {}};
  try {
    reply.question = fmt::format("{} step={}", turn == 0 ? "START" : "PLAY", step());
    reply.thoughts = fmt::format("margin_ms={} why=\"{}\" thought=\"{}\"", ms(turn_.margin), why,
                                 printable(thinking(), kLoggedReply));
    if (journal_ != nullptr) return wait_for_journal(reply);
  } catch (const std::bad_alloc&) {  // there is memory enough to reply
  }
  leave_now(reply);
  changed_();
}

/// The disk usually takes what is written within microseconds, but nothing is late because of it.
/// Takes the reply as its last step that could fail.
void Session::wait_for_journal(Leaving& reply) {
  const TimePoint latest = std::min(
      {environment_.clock.now() + kJournalWait, turn_.due + turn_.margin / kMarginShare, latest_});
  const auto left = [weak = weak_from_this(), number = reply.number](bool written) {
    if (const auto self = weak.lock()) self->on_written(number, written);
  };
  std::function<void()> written = [line = environment_.line, left] {
    line->post([left] { left(true); });
  };
  reply.timer = environment_.scheduler.at(latest, [left] { left(false); });
  leaving_.push_back(std::move(reply));
  journal_->when_written(std::move(written));
}

void Session::on_written(unsigned number, bool written) {
  const auto found = std::ranges::find(leaving_, number, &Leaving::number);
  if (found == leaving_.end()) return;
  const Leaving reply = std::move(*found);
  leaving_.erase(found);
  environment_.scheduler.cancel(reply.timer);
  if (!written) {
    environment_.log->warn("match={} the disk is slow: a reply leaves that the journal lacks",
                           match_);
  }
  leave_now(reply);
  changed_();
}

void Session::leave_now(const Leaving& reply) const {
  const auto used = environment_.clock.now() - reply.first_byte;
  for (const Reply& send : reply.replies) send(reply.text);
  environment_.log->info("match={} {} reply=\"{}\" used_ms={} {}", match_, reply.question,
                         printable(reply.text, kLoggedReply), ms(used), reply.thoughts);
}

// ---- The end

void Session::answer_doubtful() {
  while (!doubtful_.empty()) {
    const auto doubtful = take_doubtful(doubtful_.front().number);
    doubtful->reply(turn_.answer ? *turn_.answer : best_text());
  }
}

void Session::answer_all() {
  runtime_->answer_now(kInterrupted);
  answer_doubtful();
}

void Session::stop(const Stop& stop) {
  answer_all();
  runtime_->finish(reported(stop.moves, stop.own, false),
                   [log = environment_.log, match = match_](const FinalReport& report) {
                     log_end(*log, match, report);
                   });
  if (journal_ != nullptr) journal_->remove();
  end();
}

void Session::abort() {
  answer_all();
  runtime_->interrupt();
  if (journal_ != nullptr) journal_->remove();
  end();
}

void Session::leave() {
  answer_all();
  runtime_->interrupt();
  end();
}

void Session::expect_duplicates() {
  heard();
  copies_ = 2;
  if (journal_ != nullptr) journal_->copies(copies_);
}

void Session::hurry(TimePoint latest) {
  latest_ = latest;
  for (Doubtful& doubtful : doubtful_) {
    environment_.scheduler.cancel(doubtful.timer);
    doubtful.timer =
        environment_.scheduler.at(latest, [weak = weak_from_this(), number = doubtful.number] {
          if (const auto self = weak.lock()) self->on_undecided(number);
        });
  }
  if (turn_.waiting.empty()) return;
  if (runtime_->turn() > 0) {
    if (latest < turn_.due) runtime_->reschedule(latest);
    return;
  }
  if (journal_ != nullptr) return runtime_->answer_now("the program ends");
  reply_with(std::string(kBusy), "the program ends");
  runtime_->interrupt();
  end();
}

void Session::end() {
  for (const Leaving& reply : std::exchange(leaving_, {})) {
    environment_.scheduler.cancel(reply.timer);
    leave_now(reply);
  }
  if (silent_) environment_.scheduler.cancel(*silent_);
  checking_.request_stop();
  runtime_->end();
  changed_();
}

// ---- What pages show

std::size_t Session::step() const {
  const auto& names = runtime_->names();
  const std::size_t roles = names == nullptr ? 0 : names->rules().roles.size();
  const auto& position = runtime_->position();
  if (position && roles > 0) return position->history.size() / roles;
  return runtime_->turn() == 0 ? 0 : runtime_->turn() - 1;
}

std::string Session::thinking() const {
  const auto choice = runtime_->choice();
  const auto& names = runtime_->names();
  if (!choice || names == nullptr) return {};
  std::string text = thought_text(*choice, *names, runtime_->explanation());
  if (runtime_->report() && runtime_->report()->guessed) text += " in a guessed position";
  return text;
}

MatchStatus Session::status() const {
  std::optional<std::size_t> legal;
  const auto& report = runtime_->report();
  if (report && report->derived) legal = report->legal.size();
  return {start_.match_id, start_.role, step(), thinking(), legal, dead()};
}

MatchView Session::view() const {
  MatchView view;
  view.asked = waiting() && runtime_->asked();
  view.position = runtime_->position();
  const auto& report = runtime_->report();
  const auto move = runtime_->best_move();
  if (!move || report->waits) return view;
  view.move = runtime_->names()->move_name(*move);
  if (const auto choice = runtime_->choice()) {
    view.goal = choice->value;
    view.exact = choice->exact;
  }
  return view;
}

}  // namespace ludens::agent
