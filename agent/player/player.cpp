// SPDX-License-Identifier: MIT
#include "agent/player/player.h"

#include <spdlog/logger.h>

#include <algorithm>
#include <random>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "agent/journal/journal.h"
#include "agent/player/remembered_matches.h"
#include "agent/runtime/match_log.h"
#include "agent/session/player_environment.h"
#include "agent/session/session.h"
#include "search/registry/registry.h"

namespace ludens::agent {
namespace {

constexpr std::string_view kBusy = "busy";
constexpr std::string_view kReady = "ready";
constexpr std::string_view kProgramEnds = "the program ends";
constexpr std::string_view kAborted = "it was aborted";
constexpr std::string_view kNoCapacity = "no capacity";

/// No match continues after a day of silence.
constexpr double kKeepJournalSeconds = 24 * 60 * 60;
/// How long destruction waits for threads.
constexpr std::chrono::milliseconds kLeaveTime{700};
/// How long a search whose reply is open continues when the program must end.
constexpr std::chrono::milliseconds kLastReply{600};
/// A match begins only if one part in this many of its memory is free.
constexpr std::size_t kLeastShare = 2;
/// While threads of ended matches are about to free memory, a START waits as long as more than one
/// part in this many of its memory is missing, but not for longer than this part of its clock.
constexpr std::size_t kMissingShare = 16;
constexpr int kWaitingShare = 4;
constexpr std::chrono::milliseconds kWaitingPause{20};
/// How long a place is kept for a host that was refused while another one had all of them: hosts
/// that play one match after the other would never leave it one.
constexpr std::chrono::seconds kKept{30};
/// What waits for the disk takes one part in so many of the memory.
constexpr std::size_t kJournalShare = 64;

/// Limits on work or time would be pointless if thinking continued while the others think.
bool limited(const search::StrategySpec& spec) {
  return search::thinking_cap(spec) || search::limits_work(spec);
}

ThinkingOptions thinking(const PlayerOptions& options) {
  ThinkingOptions thinking;
  thinking.strategy = options.strategy;
  thinking.threads = std::max(1u, options.threads / options.capacity());
  thinking.think_at_most = search::thinking_cap(options.strategy);
  thinking.think_at_most_at_start = thinking.think_at_most;
  thinking.ponder_at_start = !limited(options.strategy);
  thinking.ponder = options.ponder && !limited(options.strategy);
  thinking.answer_forced_at_once = options.answer_forced_at_once;
  thinking.make_strategy = options.make_strategy;
  thinking.make_machine = options.make_machine;
  return thinking;
}

/// With a seed for all matches together.
PlayerOptions seeded(PlayerOptions options) {
  if (options.seed == 0) {
    std::random_device device;
    options.seed = (std::uint64_t{device()} << 32 | device()) >> 1;
  }
  return options;
}

/// The name as an atom.
std::string atom_of(const std::string& name) {
  std::string atom;
  for (const char c : name) {
    const bool plain = static_cast<unsigned char>(c) > 0x20 && c != '(' && c != ')' && c != ';';
    atom += plain ? c : '_';
  }
  return atom.empty() ? "Ludens" : atom;
}

Start start_of(const JournalledMatch& match) {
  auto tree = std::make_shared<gdl::SyntaxTree>(gdl::parse(match.description).tree);
  const gdl::NodeIndex node = tree->size() > 0 ? 0 : gdl::kNoNode;
  return {match.match_id,
          match.role,
          Part{std::move(tree), node},
          match.start_clock_seconds,
          match.play_clock_seconds,
          match.one_mover};
}

}  // namespace

class Player::Implementation : public std::enable_shared_from_this<Implementation> {
 public:
  Implementation(PlayerOptions options, Clock& clock, Scheduler& scheduler)
      : options_(seeded(std::move(options))),
        environment_{{clock, scheduler, std::make_shared<Line>(scheduler),
                      options_.log != nullptr ? options_.log : silent_log()},
                     options_,
                     thinking(options_),
                     Margin(std::chrono::milliseconds(options_.margin_ms)),
                     std::make_shared<gdl::MemoryBudget>(options_.memory_bytes)},
        journals_(options_.journal_dir, options_.memory_bytes / kJournalShare),
        remembered_(options_.memory_bytes) {}

  /// What arrives with a message.
  struct Request {
    TimePoint first_byte;
    Reply reply;
    Sender from;
  };

  /// Resumes the matches of an earlier process.
  void resume();
  void handle(const Message& message, Request request);
  void leave();
  void shut_down(std::function<void()> done);
  [[nodiscard]] std::vector<MatchStatus> matches() const;
  [[nodiscard]] bool available(const std::string& peer) const;
  [[nodiscard]] std::optional<std::string> owner(const std::string& match_id) const;
  [[nodiscard]] MatchView view(const std::string& match_id) const;

 private:
  /// A START that waits for memory.
  struct Waiting {
    Start start;
    Request request;
  };
  void on(const Info& info, const Request& request);
  void on(const Preview& preview, const Request& request);
  void on(const Start& start, Request request);
  void on(const Play& play, Request request);
  void on(const Stop& stop, const Request& request);
  void on(const Abort& abort, const Request& request);

  std::shared_ptr<Session> find(const std::string& match_id) const;
  std::shared_ptr<Session> open(RememberedMatch match, Request request, TimePoint last_heard);
  std::shared_ptr<Session> open_remembered(const std::string& match_id, const Sender& from);
  std::shared_ptr<Session> open_late(RememberedMatch match, const Sender& from);
  /// What one more match finds: a place, for which another match may have to end, or none.
  struct Room {
    std::optional<std::string_view> refusal;  // why there is none
    std::shared_ptr<Session> ends;            // null: a place is free
  };
  [[nodiscard]] Room room_for(const std::string& peer) const;
  [[nodiscard]] bool is_kept_from(const std::string& peer) const;
  void keep_for(const std::string& peer);
  [[nodiscard]] std::optional<std::string_view> make_room(const std::string& peer);
  template <class Wanted>
  [[nodiscard]] std::shared_ptr<Session> longest_silent(const Wanted& wanted) const;
  [[nodiscard]] std::optional<std::string_view> held_up() const;
  [[nodiscard]] bool should_wait(const Start& start, const Request& request) const;
  void wait(const Start& start, Request request);
  void try_again(const std::string& match_id);
  void refuse_waiting(const std::string& match_id, std::string_view why);
  void refuse_all_waiting(std::string_view why);
  void put_off(const Start& start, std::string_view why, const Request& request);
  void refuse(std::string_view kind, const std::string& match_id, std::string_view why,
              const Reply& reply);
  Journal::Failed journal_failed();
  void warn_of_journal(const std::string& reason);
  void tidy();
  void post_tidy();

  PlayerOptions options_;
  PlayerEnvironment environment_;
  JournalFolder journals_;
  std::unordered_map<std::string, std::shared_ptr<Session>> sessions_;  // by match id
  RememberedMatches remembered_;
  std::unordered_map<std::string, std::vector<Waiting>> waiting_;  // by match id, repeats included
  /// The next free place is kept for a host, as far as the one that has had all is concerned.
  struct Kept {
    std::string peer, from;
    TimePoint until;
  };
  std::optional<Kept> kept_;
  bool journal_warned_ = false;
  bool shutting_down_ = false;
  std::function<void()> shut_down_done_;
};

// ---- The table of behaviour

void Player::Implementation::handle(const Message& message, Request request) {
  tidy();
  environment_.retired.reap();
  std::visit([&](const auto& m) { on(m, std::move(request)); }, message);
}

bool Player::Implementation::available(const std::string& peer) const {
  return !shutting_down_ && !room_for(peer).refusal;
}

void Player::Implementation::on(const Info&, const Request& request) {
  const std::string status = available(request.from.peer) ? "available" : "busy";
  environment_.log->debug("INFO reply={}", status);
  request.reply("( ( name " + atom_of(options_.name) + " ) ( status " + status + " ) )");
}

void Player::Implementation::on(const Preview&, const Request& request) {
  const bool playing = std::any_of(sessions_.begin(), sessions_.end(), [](const auto& entry) {
    return !entry.second->over() && !entry.second->dead();
  });
  const std::string_view text = playing || shutting_down_ ? kBusy : kReady;
  environment_.log->debug("PREVIEW reply={}", text);
  request.reply(std::string(text));
}

void Player::Implementation::on(const Start& start, Request request) {
  if (shutting_down_) return refuse("START", start.match_id, kProgramEnds, request.reply);
  if (const auto waiting = waiting_.find(start.match_id); waiting != waiting_.end()) {
    waiting->second.push_back({start, std::move(request)});
    return;
  }
  if (const auto session = find(start.match_id)) {
    if (same_match(session->start(), start) && !session->dead()) {
      session->belong_to(request.from);
      return session->start_again(std::move(request.reply));
    }
    if (session->starting() && same_rules(session->start().description, start.description)) {
      session->expect_duplicates();
      return refuse("START", start.match_id, "another role of this match is played here",
                    request.reply);
    }
    environment_.log->warn("match={} START of another match under the same id: the old one ends",
                           printable(start.match_id));
    session->abort();
    tidy();
  }
  if (start.one_mover && hides_information(start.description)) {
    return refuse("START", start.match_id, "a host that tells moves can't hide them (sees)",
                  request.reply);
  }
  if (const auto why = make_room(request.from.peer)) return put_off(start, *why, request);
  if (should_wait(start, request)) return wait(start, std::move(request));
  if (const auto why = held_up()) return put_off(start, *why, request);
  remembered_.take(start.match_id);
  environment_.log->info("match={} START role={} start_clock_s={} play_clock_s={}",
                         printable(start.match_id), printable(start.role),
                         start.start_clock_seconds, start.play_clock_seconds);
  open({start, {}}, std::move(request), environment_.clock.now());
}

void Player::Implementation::on(const Play& play, Request request) {
  auto session = find(play.match_id);
  if (session != nullptr && !shutting_down_ && session->starts_over(play)) {
    const Start start = session->start();
    environment_.log->warn("match={} its host begins it again: the old one ends",
                           printable(start.match_id));
    session->abort();
    tidy();
    session = open_late({start, {}, request.from}, request.from);
  } else if (session == nullptr) {
    session = open_remembered(play.match_id, request.from);
  }
  if (session == nullptr) {
    return refuse("PLAY", play.match_id, "unknown match", request.reply);
  }
  session->belong_to(request.from);
  session->play(play, request.first_byte, std::move(request.reply));
}

void Player::Implementation::on(const Stop& stop, const Request& request) {
  remembered_.take(stop.match_id);
  refuse_waiting(stop.match_id, kAborted);
  const auto session = find(stop.match_id);
  if (session == nullptr) {
    return refuse("STOP", stop.match_id, "unknown match", request.reply);
  }
  environment_.log->info("match={} STOP reply=done", printable(stop.match_id));
  session->stop(stop);
  tidy();
  request.reply("done");
}

void Player::Implementation::on(const Abort& abort, const Request& request) {
  remembered_.take(abort.match_id);
  refuse_waiting(abort.match_id, kAborted);
  const auto session = find(abort.match_id);
  if (session == nullptr) {
    return refuse("ABORT", abort.match_id, "unknown match", request.reply);
  }
  environment_.log->info("match={} ABORT reply=aborted", printable(abort.match_id));
  session->abort();
  tidy();
  request.reply("aborted");
}

void Player::Implementation::refuse(std::string_view kind, const std::string& match_id,
                                    std::string_view why, const Reply& reply) {
  environment_.log->info("match={} {} reply=busy why=\"{}\"", printable(match_id), kind, why);
  reply(std::string(kBusy));
}

// ---- Matches

std::shared_ptr<Session> Player::Implementation::find(const std::string& match_id) const {
  const auto found = sessions_.find(match_id);
  return found == sessions_.end() || found->second->over() ? nullptr : found->second;
}

/// Why the memory that earlier matches still hold prevents another match; nullopt if it doesn't.
std::optional<std::string_view> Player::Implementation::held_up() const {
  if (environment_.memory_for_a_match() >= environment_.share() / kLeastShare) return std::nullopt;
  return "abandoned threads still hold the memory";
}

/// Whether the match would get more memory if it began a little later. A host begins its next match
/// as soon as the last one is over, and that one's threads need a moment to end.
bool Player::Implementation::should_wait(const Start& start, const Request& request) const {
  const std::size_t share = environment_.share();
  const std::chrono::milliseconds clock = std::chrono::seconds(start.start_clock_seconds);
  const auto patience = clock / kWaitingShare;
  return environment_.memory_for_a_match() < share - share / kMissingShare &&
         environment_.retired.some_end() &&
         environment_.clock.now() < request.first_byte + patience;
}

/// Handles the START a little later, together with others that arrive for its match until then.
void Player::Implementation::wait(const Start& start, Request request) {
  waiting_[start.match_id].push_back({start, std::move(request)});
  environment_.scheduler.at(environment_.clock.now() + kWaitingPause,
                            [weak = weak_from_this(), id = start.match_id] {
                              if (const auto self = weak.lock()) self->try_again(id);
                            });
}

void Player::Implementation::try_again(const std::string& match_id) {
  auto waiting = waiting_.extract(match_id);
  if (waiting.empty()) return;  // it was refused
  environment_.retired.reap();
  for (Waiting& one : waiting.mapped()) on(one.start, std::move(one.request));
}

void Player::Implementation::refuse_waiting(const std::string& match_id, std::string_view why) {
  const auto waiting = waiting_.extract(match_id);
  if (waiting.empty()) return;
  for (const Waiting& one : waiting.mapped()) refuse("START", match_id, why, one.request.reply);
}

void Player::Implementation::refuse_all_waiting(std::string_view why) {
  while (!waiting_.empty()) refuse_waiting(std::string(waiting_.begin()->first), why);
}

/// The match that has been silent for longest among those for which `wanted` holds; null if it
/// holds for none.
template <class Wanted>
std::shared_ptr<Session> Player::Implementation::longest_silent(const Wanted& wanted) const {
  std::shared_ptr<Session> longest;
  for (const auto& [id, session] : sessions_) {
    if (!wanted(*session)) continue;
    if (longest == nullptr || session->last_heard() < longest->last_heard()) longest = session;
  }
  return longest;
}

/// The place for one more match of that peer: a free one, that of a match that gives way or is dead
/// or, if the peer has no match, of one whose host is overdue. A peer that has as many as it may
/// have gets the place of one of its own. There is none while too many threads do not end. A START
/// that waits has a place already.
Player::Implementation::Room Player::Implementation::room_for(const std::string& peer) const {
  const RetiredThreads& retired = environment_.retired;
  if (!peer.empty() && retired.abandoned_of(peer) >= RetiredThreads::kMostOfPeer) {
    return {"too many abandoned threads of this host's matches still run", nullptr};
  }
  if (retired.overdue() >= RetiredThreads::kMostAbandoned) {
    return {"too many abandoned threads still run", nullptr};
  }
  const auto own = [&](const Session& session) {
    return !peer.empty() && session.from().peer == peer;
  };
  const auto waits = [&](const auto& entry) {
    return !peer.empty() && entry.second.front().request.from.peer == peer;
  };
  const auto count = static_cast<std::size_t>(
      std::count_if(sessions_.begin(), sessions_.end(),
                    [&](const auto& entry) { return own(*entry.second); }) +
      std::count_if(waiting_.begin(), waiting_.end(), waits));
  if (options_.peer_matches != 0 && count >= options_.peer_matches) {
    auto ends =
        longest_silent([&](const Session& s) { return own(s) && (s.overdue() || s.gives_way()); });
    if (ends != nullptr) return {std::nullopt, std::move(ends)};
    return {"this host has as many matches as one may have (--peer-matches)", nullptr};
  }
  if (sessions_.size() + waiting_.size() < options_.capacity()) {
    if (is_kept_from(peer)) return {"another host waits for the place", nullptr};
    return {};
  }
  const bool patient = peer.empty() || count > 0;
  auto silent = longest_silent(
      [&](const Session& s) { return s.gives_way() || s.dead() || (!patient && s.overdue()); });
  if (silent != nullptr) return {std::nullopt, std::move(silent)};
  return {kNoCapacity, nullptr};
}

bool Player::Implementation::is_kept_from(const std::string& peer) const {
  return kept_ && kept_->from == peer && environment_.clock.now() < kept_->until;
}

/// To be called when a peer is refused for lack of places. If another one has them all, it does not
/// get the next one before this one has had a chance.
void Player::Implementation::keep_for(const std::string& peer) {
  if (peer.empty() || sessions_.empty()) return;
  const std::string& holder = sessions_.begin()->second->from().peer;
  const bool all = std::all_of(sessions_.begin(), sessions_.end(), [&](const auto& entry) {
    return entry.second->from().peer == holder;
  });
  const TimePoint now = environment_.clock.now();
  const bool free = !kept_ || now >= kept_->until || kept_->peer == peer;
  if (all && free && !holder.empty() && holder != peer) kept_ = Kept{peer, holder, now + kKept};
}

/// Ends the match that gives way to one more of that peer, if one must. Returns why there is no
/// room, if so.
std::optional<std::string_view> Player::Implementation::make_room(const std::string& peer) {
  tidy();
  const Room room = room_for(peer);
  if (room.ends != nullptr) {
    environment_.log->info("match={} gives way to another", printable(room.ends->start().match_id));
    room.ends->abort();
    tidy();
  }
  if (room.refusal == kNoCapacity) keep_for(peer);
  if (!room.refusal && kept_ && kept_->peer == peer) kept_.reset();
  return room.refusal;
}

std::shared_ptr<Session> Player::Implementation::open(RememberedMatch match, Request request,
                                                      TimePoint last_heard) {
  const std::string id = match.start.match_id;
  auto session = std::make_shared<Session>(environment_, std::move(match.start), request.from,
                                           [this] { post_tidy(); });
  sessions_[id] = session;
  try {
    session->begin(request.first_byte, last_heard, std::move(request.reply),
                   journals_.open(id, journal_failed()), match.past);
  } catch (...) {  // no memory or no thread: a session that has not begun has nothing to end
    sessions_.erase(id);
    throw;
  }
  return session;
}

/// Refuses a START for which there is no room now, and keeps it for its first PLAY if it is small.
void Player::Implementation::put_off(const Start& start, std::string_view why,
                                     const Request& request) {
  if (remembered_.fits(start.description)) {
    remembered_.remember({start, {}, request.from});
  } else {
    remembered_.take(start.match_id);
  }
  refuse("START", start.match_id, why, request.reply);
}

/// Opens a match that was refused for lack of capacity when a PLAY arrives for it.
std::shared_ptr<Session> Player::Implementation::open_remembered(const std::string& match_id,
                                                                 const Sender& from) {
  auto match = remembered_.take(match_id);
  if (!match) return nullptr;
  auto session = open_late(std::move(*match), from);
  if (session != nullptr) {
    environment_.log->info("match={} played after all", printable(match_id));
  }
  return session;
}

/// Opens a match whose START was answered before, at a PLAY; if there is no room, it is remembered.
std::shared_ptr<Session> Player::Implementation::open_late(RememberedMatch match,
                                                           const Sender& from) {
  if (shutting_down_ || make_room(from.peer) || held_up()) {
    remembered_.remember(std::move(match));
    return nullptr;
  }
  const TimePoint now = environment_.clock.now();
  return open(std::move(match), {now, {}, from}, now);
}

void Player::Implementation::resume() {
  if (const auto problem = journals_.claim()) warn_of_journal(*problem);
  std::vector<std::string> problems;
  std::vector<RememberedMatch> beyond;
  for (JournalledMatch& match : journals_.read(kKeepJournalSeconds, problems)) {
    const std::chrono::duration<double> silence(match.silent_seconds);
    const Sender from = match.from;
    RememberedMatch remembered{start_of(match), {std::move(match.turns), match.copies}, from};
    const std::string id = printable(remembered.start.match_id);
    const auto& turns = remembered.past.turns;
    if (sessions_.size() < options_.capacity()) {
      const bool open_turn = !turns.empty() && !turns.back().reply;
      environment_.log->info("match={} resumed from the journal after {} turns{}{}", id,
                             turns.size(), open_turn ? ", the last without a reply" : "",
                             match.torn ? "; its last line was incomplete and is left out" : "");
      const TimePoint now = environment_.clock.now();
      open(std::move(remembered), {now, {}, from},
           now - std::chrono::duration_cast<TimePoint::duration>(silence));
    } else {
      beyond.push_back(std::move(remembered));
    }
  }
  // The match that was heard of last is the likeliest to go on, so it is remembered for longest.
  for (auto match = beyond.rbegin(); match != beyond.rend(); ++match) {
    remembered_.remember(std::move(*match));
  }
  for (const std::string& problem : problems) environment_.log->warn("journal: {}", problem);
}

Journal::Failed Player::Implementation::journal_failed() {
  return [line = environment_.line, weak = weak_from_this()](std::string reason) {
    line->post([weak, reason = std::move(reason)] {
      if (const auto self = weak.lock()) self->warn_of_journal(reason);
    });
  };
}

void Player::Implementation::warn_of_journal(const std::string& reason) {
  if (std::exchange(journal_warned_, true)) return;
  environment_.log->warn("journal: {}; a crash will lose the matches", reason);
}

// ---- The end

void Player::Implementation::post_tidy() {
  environment_.line->post([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->tidy();
  });
}

/// Removes the sessions that are over, and checks whether the last reply has left.
void Player::Implementation::tidy() {
  std::erase_if(sessions_, [](const auto& entry) { return entry.second->over(); });
  if (!shut_down_done_) return;
  const bool waiting = std::any_of(sessions_.begin(), sessions_.end(),
                                   [](const auto& entry) { return entry.second->waiting(); });
  if (!waiting) std::exchange(shut_down_done_, {})();
}

void Player::Implementation::shut_down(std::function<void()> done) {
  shutting_down_ = true;
  shut_down_done_ = std::move(done);
  const TimePoint latest = environment_.clock.now() + kLastReply;
  for (const auto& [id, session] : sessions_) session->hurry(latest);
  refuse_all_waiting(kProgramEnds);
  post_tidy();
}

void Player::Implementation::leave() {
  for (const auto& [id, session] : sessions_) {
    if (!session->over()) session->leave();
  }
  refuse_all_waiting(kProgramEnds);
  environment_.line->close();
  sessions_.clear();
  const auto until = std::chrono::steady_clock::now() + kLeaveTime;
  const std::size_t unwritten = journals_.leave(until);
  const std::size_t left = environment_.retired.leave(until);
  if (left > 0) environment_.log->error("{} threads did not end and were detached", left);
  if (unwritten > 0) {
    environment_.log->error("journal: the disk is slow: {} lines or files are not written yet",
                            unwritten);
  }
}

std::vector<MatchStatus> Player::Implementation::matches() const {
  std::vector<MatchStatus> all;
  for (const auto& [id, session] : sessions_) {
    if (!session->over()) all.push_back(session->status());
  }
  for (const auto& [id, waiting] : waiting_) {
    MatchStatus status;
    status.match_id = id;
    status.role = waiting.front().start.role;
    all.push_back(std::move(status));
  }
  return all;
}

std::optional<std::string> Player::Implementation::owner(const std::string& match_id) const {
  if (const auto session = find(match_id)) return session->from().address;
  if (const auto waiting = waiting_.find(match_id); waiting != waiting_.end()) {
    return waiting->second.front().request.from.address;
  }
  const RememberedMatch* remembered = remembered_.find(match_id);
  return remembered == nullptr ? std::nullopt : std::optional(remembered->from.address);
}

MatchView Player::Implementation::view(const std::string& match_id) const {
  const auto session = find(match_id);
  return session == nullptr ? MatchView{} : session->view();
}

// ---- Player

Player::Player(PlayerOptions options, Clock& clock, Scheduler& scheduler)
    : implementation_(std::make_shared<Implementation>(std::move(options), clock, scheduler)) {
  implementation_->resume();
}

Player::~Player() {
  try {
    implementation_->leave();
  } catch (const std::exception&) {  // no memory for a proper end: the threads end nevertheless
  }
}

void Player::handle(const Message& message, TimePoint first_byte, Reply reply, const Sender& from) {
  implementation_->handle(message, {first_byte, std::move(reply), from});
}

std::vector<MatchStatus> Player::matches() const {
  return implementation_->matches();
}

bool Player::available(const std::string& peer) const {
  return implementation_->available(peer);
}

std::optional<std::string> Player::owner(const std::string& match_id) const {
  return implementation_->owner(match_id);
}

MatchView Player::view(const std::string& match_id) const {
  return implementation_->view(match_id);
}

void Player::shut_down(std::function<void()> done) {
  implementation_->shut_down(std::move(done));
}

}  // namespace ludens::agent
