// SPDX-License-Identifier: MIT
#include "server/web/match_feed.h"

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <iterator>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "server/web/event_server.h"
#include "server/web/html.h"
#include "server/web/page_files.h"

namespace ludens::server {

namespace json = boost::json;

namespace {

/// The budget of the followed matches if the caller gives none.
constexpr std::size_t kOwnMemory = std::size_t{256} << 20;

Event event(std::string_view name, const json::object& data) {
  return make_event(name, json::serialize(data));
}

/// Something that ends at a certain time. The time left is computed when it is sent.
struct Countdown {
  json::object what;
  std::chrono::steady_clock::time_point until;

  [[nodiscard]] json::object now() const {
    json::object out = what;
    out["ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(
                    until - std::chrono::steady_clock::now())
                    .count();
    return out;
  }
};

/// One match up to its current step. The steps, which are most of it, are kept as they are sent:
/// values of JSON take several times the memory of their text.
struct FollowedMatch {
  std::string id;
  json::object header;
  std::string steps;                       // separated by commas
  std::optional<json::object> end;         // nullopt: the match runs
  std::optional<Countdown> asked;          // what all players were asked last
  std::map<std::size_t, Countdown> turns;  // of people, by role
  std::size_t picture = 0;                 // its number
  std::shared_ptr<HeldBytes> memory = nullptr;

  void add_step(const std::string& step) { steps += (steps.empty() ? "" : ",") + step; }

  [[nodiscard]] std::string json() const {
    json::object out = header;
    if (end) out["end"] = *end;
    return R"({"steps":[)" + steps + "]," + json::serialize(out).substr(1);
  }
};

/// The members that a request's body has.
struct Request {
  std::string id, move;
  std::optional<std::size_t> role, step;
};

std::optional<Request> parse_request(std::string_view body) {
  boost::system::error_code error;
  if (body.empty()) return Request{};
  const json::value value = json::parse(json::string_view(body.data(), body.size()), error);
  if (error || !value.is_object()) return std::nullopt;
  const json::object& object = value.get_object();
  const auto number = [&](std::string_view key) -> std::optional<std::size_t> {
    const json::value* found = object.if_contains(key);
    boost::system::error_code wrong;
    const auto result = found ? found->to_number<std::size_t>(wrong) : 0;
    return found && !wrong ? std::optional(result) : std::nullopt;
  };
  const json::value* id = object.if_contains("id");
  const json::value* move = object.if_contains("move");
  if ((id != nullptr && !id->is_string()) || (move != nullptr && !move->is_string())) {
    return std::nullopt;
  }
  const auto text = [](const json::value* member) {
    return member != nullptr ? std::string(member->get_string()) : std::string();
  };
  return Request{text(id), text(move), number("role"), number("step")};
}

std::optional<PageCommand::Kind> command_of(std::string_view target) {
  if (target == "/restart") return PageCommand::Kind::Restart;
  if (target == "/undo") return PageCommand::Kind::TakeBack;
  if (target == "/hint") return PageCommand::Kind::Hint;
  if (target == "/close") return PageCommand::Kind::Close;
  return std::nullopt;
}

}  // namespace

class MatchFeed::Implementation {
 public:
  explicit Implementation(Options options)
      : options_(with_memory(std::move(options))),
        server_({[this] { return page(); }, [this] { return snapshot(); },
                 [this](std::string_view target, std::string_view body) {
                   return answer(target, body);
                 }},
                EventServerLimits{.memory = options_.memory}) {}

  EventServer& server() { return server_; }
  /// Runs on the server's thread, which alone knows matches.
  template <class Change>
  void change(Change change) {
    server_.post([this, change = std::move(change)]() mutable { change(*this); });
  }

  std::shared_ptr<const GameDocument> game(const MatchRecord& record,
                                           std::optional<Notation> notation) {
    const std::lock_guard lock(games_mutex_);
    std::erase_if(games_, [](const auto& entry) { return entry.second.expired(); });
    const std::pair key(record.rulesheet, notation);
    auto known = games_[key].lock();
    if (!known) games_[key] = known = game_of(record, notation);
    return known;
  }

  /// The match takes the place of an older one of its id, even if it is too large to be kept: the
  /// steps that follow are not those of the older one.
  void add(FollowedMatch match, const std::shared_ptr<const GameDocument>& game) {
    match.memory = std::make_shared<HeldBytes>(options_.memory);
    if (!hold(match, json::serialize(game->json()).size() + match.json().size())) {
      return remove(match.id);
    }
    const auto known = std::find(pictures_.begin(), pictures_.end(), game);
    match.picture = static_cast<std::size_t>(known - pictures_.begin());
    if (known == pictures_.end()) {
      pictures_.push_back(game);
      server_.broadcast(picture_event(match.picture));
    }
    match.header["picture"] = match.picture;
    server_.broadcast(make_event("match", match.json()));
    matches_.push_back(std::move(match));
    const auto same = place_of(matches_.back().id);
    if (same != std::prev(matches_.end())) forget(same);  // only now: they may share a picture
    forget_old();
  }
  void add_step(const std::string& id, json::object step) {
    const std::string text = json::serialize(step);
    FollowedMatch* match = find(id);
    if (match == nullptr || !hold(*match, text.size())) return remove(id);
    match->add_step(text);
    tell(id, "step", std::move(step));
  }
  void tell(const std::string& id, const char* what, json::value value) {
    broadcast(what, {{"id", storable(id)}, {what, std::move(value)}});
  }
  FollowedMatch* find(const std::string& id) {
    const auto found = place_of(id);
    return found == matches_.end() ? nullptr : &*found;
  }
  void remove(const std::string& id) {
    const auto found = place_of(id);
    if (found == matches_.end()) return;
    tell(id, "dropped", true);
    forget(found);
  }
  void broadcast(std::string_view name, const json::object& data) {
    server_.broadcast(event(name, data));
  }
  void tournament(const json::object& standings) {
    tournament_ = event("tournament", standings);
    server_.broadcast(tournament_);
  }

  void seat(const std::string& id, std::size_t role, Seat seat) {
    const std::lock_guard lock(seats_mutex_);
    seats_[{id, role}] = std::move(seat);
  }
  void leave_seat(const std::string& id, std::size_t role) {
    const std::lock_guard lock(seats_mutex_);
    seats_.erase({id, role});
  }

  void host(Host host) {
    const std::lock_guard lock(seats_mutex_);
    host_ = std::move(host);
  }
  bool wait_for_browser(const std::stop_token& stop) {
    std::unique_lock lock(visit_mutex_);
    return visited_first_.wait(lock, stop, [this] { return visited_; });
  }

 private:
  static Options with_memory(Options options) {
    if (!options.memory) options.memory = std::make_shared<WireMemory>(kOwnMemory);
    return options;
  }

  std::deque<FollowedMatch>::iterator place_of(const std::string& id) {
    return std::find_if(matches_.begin(), matches_.end(),
                        [&](const FollowedMatch& match) { return match.id == id; });
  }

  /// Reserves this many more bytes; false, and browsers are informed, if the match can't be kept.
  bool hold(const FollowedMatch& match, std::size_t bytes) {
    if (match.memory->resize(match.memory->bytes() + bytes)) return true;
    broadcast("note", {{"text", storable("match " + match.id + " is too large to be followed")}});
    return false;
  }

  /// Forgets the match, and its picture if no other match needs it; numbers are not used again.
  void forget(const std::deque<FollowedMatch>::iterator& gone) {
    const std::size_t picture = gone->picture;
    matches_.erase(gone);
    const bool needed =
        std::any_of(matches_.begin(), matches_.end(),
                    [&](const FollowedMatch& match) { return match.picture == picture; });
    if (needed) return;
    pictures_[picture] = nullptr;
    broadcast("forgotten", {{"picture", picture}});
  }

  std::string page() {
    const json::object data{{"title", storable(options_.title)},
                            {"restart", options_.restart},
                            {"help", options_.help},
                            {"run", run_}};
    return page_html(
        options_.title, "", json::serialize(data), options_.tournament,
        {kBoardScript, kViewerScript, kTournamentScript, kInputScript, kTurnScript, kLiveScript});
  }

  Event picture_event(std::size_t number) {
    json::object picture = pictures_[number]->json();
    picture["picture"] = number;
    return event("game", picture);
  }

  std::vector<Event> snapshot() {
    {
      const std::lock_guard lock(visit_mutex_);
      visited_ = true;
    }
    visited_first_.notify_all();
    std::vector<Event> events{event("hello", {{"run", run_}})};
    for (std::size_t i = 0; i < pictures_.size(); ++i) {
      if (pictures_[i]) events.push_back(picture_event(i));
    }
    for (const FollowedMatch& match : matches_) {
      events.push_back(make_event("match", match.json()));
      if (match.asked) events.push_back(event("asked", match.asked->now()));
      for (const auto& [role, turn] : match.turns) events.push_back(event("turn", turn.now()));
    }
    if (tournament_ != nullptr) events.push_back(tournament_);
    events.push_back(event("complete", {}));
    return events;
  }

  PostAnswer answer(std::string_view target, std::string_view body) {
    const auto command = command_of(target);
    if (!command && target != "/move" && target != "/resign") return {404, "nothing here\n"};
    const auto request = parse_request(body);
    if (!request) return {400, "not a JSON object with id, role, step and move\n"};
    const std::lock_guard lock(seats_mutex_);
    return command ? carry_out(*command, *request) : play(*request, target == "/resign");
  }

  PostAnswer carry_out(PageCommand::Kind kind, const Request& request) {
    const bool help = kind == PageCommand::Kind::TakeBack || kind == PageCommand::Kind::Hint;
    if (!host_ || !(help ? options_.help : options_.restart)) {
      return {409, "that is not possible in this match\n"};
    }
    const std::string why = host_({kind, request.id, request.role, request.step.value_or(0)});
    return why.empty() ? PostAnswer{} : PostAnswer{409, why + "\n"};
  }

  PostAnswer play(const Request& request, bool resigns) {
    if (!request.role || !request.step) return {400, "no role or no step\n"};
    const auto seat = seats_.find({request.id, *request.role});
    if (seat == seats_.end()) return {409, "no person plays that role here\n"};
    if (!seat->second({*request.step, request.move, resigns})) {
      return {409, "that can't be played now\n"};
    }
    return {};
  }

  void forget_old() {
    const auto has_ended = [](const FollowedMatch& match) { return match.end.has_value(); };
    auto ended = std::count_if(matches_.begin(), matches_.end(), has_ended);
    for (; ended > static_cast<std::ptrdiff_t>(options_.finished); --ended) {
      forget(std::find_if(matches_.begin(), matches_.end(), has_ended));
    }
  }

  Options options_;
  std::mutex games_mutex_;
  // Games by rulesheet and by the requested notation.
  std::map<std::pair<std::string, std::optional<Notation>>, std::weak_ptr<const GameDocument>>
      games_;

  // Used by the server's thread only:
  std::vector<std::shared_ptr<const GameDocument>> pictures_;  // by number; null: forgotten
  std::deque<FollowedMatch> matches_;
  Event tournament_;  // null: there were no standings

  const std::uint32_t run_ = std::random_device{}();  // identifies this run of the program to pages

  std::mutex seats_mutex_;
  std::map<std::pair<std::string, std::size_t>, Seat> seats_;
  Host host_;

  std::mutex visit_mutex_;
  std::condition_variable_any visited_first_;
  bool visited_ = false;

  EventServer server_;  // last: its thread ends before anything it uses
};

MatchFeed::MatchFeed(Options options)
    : implementation_(std::make_unique<Implementation>(std::move(options))) {}
MatchFeed::~MatchFeed() = default;

std::optional<std::string> MatchFeed::listen(std::uint16_t port) {
  return implementation_->server().listen(port);
}

std::string MatchFeed::url() const {
  EventServer& server = implementation_->server();
  return "http://127.0.0.1:" + std::to_string(server.port()) + "/?token=" + server.token();
}

std::shared_ptr<const GameDocument> MatchFeed::game(const MatchRecord& record,
                                                    std::optional<Notation> notation) {
  return implementation_->game(record, notation);
}

void MatchFeed::begun(const MatchRecord& record, const std::shared_ptr<const GameDocument>& game,
                      json::object header, const json::array& steps) {
  FollowedMatch match{record.match_id, std::move(header), {}, {}, {}, {}};
  for (const json::value& step : steps) match.add_step(json::serialize(step));
  implementation_->change([match = std::move(match), game](Implementation& feed) mutable {
    feed.add(std::move(match), game);
  });
}

void MatchFeed::asked(const std::string& id, bool start,
                      std::chrono::steady_clock::time_point until) {
  implementation_->change([id, start, until](Implementation& feed) {
    FollowedMatch* match = feed.find(id);
    if (match == nullptr) return;
    match->asked = Countdown{{{"id", storable(id)}, {"start", start}}, until};
    feed.broadcast("asked", match->asked->now());
  });
}

void MatchFeed::moved(const std::string& id, const json::object& step) {
  implementation_->change([id, step](Implementation& feed) { feed.add_step(id, step); });
}

void MatchFeed::ended(const std::string& id, const json::object& end) {
  implementation_->change([id, end](Implementation& feed) {
    FollowedMatch* match = feed.find(id);
    if (match == nullptr) return;
    match->end = end;
    match->asked.reset();
    match->turns.clear();
    feed.tell(id, "end", end);
  });
}

void MatchFeed::dropped(const std::string& id) {
  implementation_->change([id](Implementation& feed) { feed.remove(id); });
}

void MatchFeed::tournament(std::function<json::object()> make) {
  implementation_->change(
      [make = std::move(make)](Implementation& feed) { feed.tournament(make()); });
}

void MatchFeed::note(const std::string& text) {
  implementation_->change([text](Implementation& feed) {
    feed.broadcast("note", {{"text", storable(text)}});
  });
}

void MatchFeed::seat(const std::string& id, std::size_t role, Seat seat) {
  implementation_->seat(id, role, std::move(seat));
}
void MatchFeed::leave_seat(const std::string& id, std::size_t role) {
  implementation_->leave_seat(id, role);
}

void MatchFeed::turn(const std::string& id, std::size_t role, std::size_t step, json::array legal,
                     std::int64_t clock_ms) {
  const Countdown turn{
      {{"id", storable(id)}, {"role", role}, {"step", step}, {"legal", std::move(legal)}},
      std::chrono::steady_clock::now() + std::chrono::milliseconds(clock_ms)};
  implementation_->change([id, role, turn](Implementation& feed) {
    FollowedMatch* match = feed.find(id);
    if (match == nullptr) return;
    match->turns[role] = turn;
    feed.broadcast("turn", turn.now());
  });
}

void MatchFeed::turn_over(const std::string& id, std::size_t role) {
  implementation_->change([id, role](Implementation& feed) {
    FollowedMatch* match = feed.find(id);
    if (match == nullptr || match->turns.erase(role) == 0) return;
    feed.broadcast("answered", {{"id", storable(id)}, {"role", role}});
  });
}

void MatchFeed::host(Host host) {
  implementation_->host(std::move(host));
}

void MatchFeed::advice(const std::string& id, std::size_t role, std::size_t step,
                       json::value move) {
  json::object advice{{"id", storable(id)}, {"role", role}, {"step", step}};
  if (move.is_null()) {
    advice["problem"] = "no hint was found";
  } else {
    advice["move"] = std::move(move);
  }
  implementation_->change(
      [advice = std::move(advice)](Implementation& feed) { feed.broadcast("advice", advice); });
}

bool MatchFeed::wait_for_browser(const std::stop_token& stop) {
  return implementation_->wait_for_browser(stop);
}

}  // namespace ludens::server
