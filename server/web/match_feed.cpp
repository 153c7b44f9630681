#include "server/web/match_feed.h"

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "server/web/event_server.h"
#include "server/web/html.h"
#include "server/web/page_files.h"

namespace ludens::server {

namespace json = boost::json;

namespace {

std::string quoted(const std::string& text) {
  return json::serialize(json::value(storable(text)));
}

/// A person's turn. What is left of the clock is counted when it is told.
struct Turn {
  std::string start;  // JSON without the clock and what is behind it
  std::chrono::steady_clock::time_point until;

  [[nodiscard]] std::string json() const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    return start + ",\"ms\":" + std::to_string(left.count()) + "}";
  }
};

/// One match as far as it has come, in pieces of JSON.
struct Followed {
  std::string id;
  std::string header;  // without its closing brace
  std::vector<std::string> steps;
  std::string end;                    // empty: it runs
  std::map<std::size_t, Turn> turns;  // by role

  [[nodiscard]] std::string json() const {
    std::string out = header + ",\"steps\":[";
    for (const std::string& step : steps) out += (&step == &steps.front() ? "" : ",") + step;
    out += "]";
    if (!end.empty()) out += ",\"end\":" + end;
    return out + "}";
  }
};

/// Members of a request's body; empty where it is not what is expected.
struct Request {
  std::string id;
  std::size_t role = 0;
  HumanAnswer answer;
};

std::optional<Request> parse_request(std::string_view body) {
  boost::system::error_code error;
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
  const auto role = number("role"), step = number("step");
  if (id == nullptr || !id->is_string() || !role || !step) return std::nullopt;
  if (move != nullptr && !move->is_string()) return std::nullopt;
  const std::string text = move != nullptr ? std::string(move->get_string()) : "";
  return Request{std::string(id->get_string()), *role, {*step, text, false}};
}

}  // namespace

class MatchFeed::Implementation {
 public:
  explicit Implementation(Options options)
      : options_(std::move(options)),
        server_({[this] { return page(); }, [this] { return snapshot(); },
                 [this](std::string_view target, std::string_view body) {
                   return answer(target, body);
                 }}) {}

  EventServer& server() { return server_; }
  /// Runs on the server's thread, which alone knows matches.
  template <class Change>
  void change(Change change) {
    server_.post([this, change = std::move(change)]() mutable { change(*this); });
  }

  std::shared_ptr<const GameDocument> game(const MatchRecord& record) {
    const std::lock_guard lock(games_mutex_);
    auto& known = games_[record.rulesheet];
    if (!known) known = game_of(record);
    return known;
  }

  void add(Followed match, const std::shared_ptr<const GameDocument>& game) {
    const auto known = std::find(pictures_.begin(), pictures_.end(), game);
    const auto number = std::to_string(known - pictures_.begin());
    if (known == pictures_.end()) {
      pictures_.push_back(game);
      server_.broadcast(picture_event(pictures_.size() - 1));
    }
    match.header += ",\"picture\":" + number;
    server_.broadcast(make_event("match", match.json()));
    matches_.push_back(std::move(match));
    forget_old();
  }
  void tell(const std::string& id, const char* what, const std::string& json) {
    server_.broadcast(
        make_event(what, "{\"id\":" + quoted(id) + ",\"" + what + "\":" + json + "}"));
  }
  Followed* find(const std::string& id) {
    const auto found = std::find_if(matches_.begin(), matches_.end(),
                                    [&](const Followed& match) { return match.id == id; });
    return found == matches_.end() ? nullptr : &*found;
  }
  void remove(const std::string& id) {
    std::erase_if(matches_, [&](const Followed& match) { return match.id == id; });
  }
  void broadcast(std::string_view name, const std::string& json) {
    server_.broadcast(make_event(name, json));
  }
  void tournament(const std::string& json) {
    tournament_ = json;
    broadcast("tournament", json);
  }

  void seat(const std::string& id, std::size_t role, Seat seat) {
    const std::lock_guard lock(seats_mutex_);
    seats_[{id, role}] = std::move(seat);
  }
  void leave_seat(const std::string& id, std::size_t role) {
    const std::lock_guard lock(seats_mutex_);
    seats_.erase({id, role});
  }

  Wish wait_for_wish(const std::stop_token& stop) {
    std::unique_lock lock(wish_mutex_);
    wish_.reset();
    wished_.wait(lock, stop, [this] { return wish_.has_value(); });
    return wish_.value_or(Wish::Close);
  }
  bool wait_for_browser(const std::stop_token& stop) {
    std::unique_lock lock(wish_mutex_);
    return wished_.wait(lock, stop, [this] { return visited_; });
  }

 private:
  std::string page() {
    const std::string data = "{\"title\":" + quoted(options_.title) +
                             ",\"restart\":" + (options_.restart ? "true" : "false") + "}";
    return page_html(options_.title, "", data, options_.tournament,
                     {kViewerScript, kTournamentScript, kLiveScript});
  }

  Event picture_event(std::size_t number) {
    std::string json = pictures_[number]->json();
    json.pop_back();
    return make_event("game", json + ",\"picture\":" + std::to_string(number) + "}");
  }

  std::vector<Event> snapshot() {
    {
      const std::lock_guard lock(wish_mutex_);
      visited_ = true;
    }
    wished_.notify_all();
    std::vector<Event> events{make_event("hello", "{}")};
    for (std::size_t i = 0; i < pictures_.size(); ++i) events.push_back(picture_event(i));
    for (const Followed& match : matches_) {
      events.push_back(make_event("match", match.json()));
      for (const auto& [role, turn] : match.turns)
        events.push_back(make_event("turn", turn.json()));
    }
    if (!tournament_.empty()) events.push_back(make_event("tournament", tournament_));
    events.push_back(make_event("complete", "{}"));
    return events;
  }

  PostAnswer answer(std::string_view target, std::string_view body) {
    if (target == "/restart" || target == "/close") {
      if (!options_.restart) return {409, "there is nothing to restart\n"};
      {
        const std::lock_guard lock(wish_mutex_);
        wish_ = target == "/restart" ? Wish::Restart : Wish::Close;
      }
      wished_.notify_all();
      return {};
    }
    if (target != "/move" && target != "/resign") return {404, "nothing here\n"};
    auto request = parse_request(body);
    if (!request) return {400, "not a JSON object with id, role, step and move\n"};
    request->answer.resign = target == "/resign";
    const std::lock_guard lock(seats_mutex_);
    const auto seat = seats_.find({request->id, request->role});
    if (seat == seats_.end()) return {409, "nobody plays that role here\n"};
    if (!seat->second(request->answer)) return {409, "that is not to be played now\n"};
    return {};
  }

  void forget_old() {
    const auto has_ended = [](const Followed& match) { return !match.end.empty(); };
    auto ended = std::count_if(matches_.begin(), matches_.end(), has_ended);
    for (; ended > static_cast<std::ptrdiff_t>(options_.finished); --ended) {
      matches_.erase(std::find_if(matches_.begin(), matches_.end(), has_ended));
    }
  }

  Options options_;
  std::mutex games_mutex_;
  std::map<std::string, std::shared_ptr<const GameDocument>> games_;  // by rulesheet

  // The server's thread's:
  std::vector<std::shared_ptr<const GameDocument>> pictures_;
  std::deque<Followed> matches_;
  std::string tournament_;

  std::mutex seats_mutex_;
  std::map<std::pair<std::string, std::size_t>, Seat> seats_;

  std::mutex wish_mutex_;
  std::condition_variable_any wished_;
  std::optional<Wish> wish_;
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

std::shared_ptr<const GameDocument> MatchFeed::game(const MatchRecord& record) {
  return implementation_->game(record);
}

void MatchFeed::begun(const MatchRecord& record, const std::shared_ptr<const GameDocument>& game,
                      const std::string& header_json, const std::string& step_json) {
  Followed match{record.match_id, header_json, {step_json}, {}, {}};
  match.header.pop_back();
  implementation_->change([match = std::move(match), game](Implementation& feed) mutable {
    feed.add(std::move(match), game);
  });
}

void MatchFeed::moved(const std::string& id, const std::string& step_json) {
  implementation_->change([id, step_json](Implementation& feed) {
    Followed* match = feed.find(id);
    if (match == nullptr) return;
    match->steps.push_back(step_json);
    feed.tell(id, "step", step_json);
  });
}

void MatchFeed::ended(const std::string& id, const std::string& end_json) {
  implementation_->change([id, end_json](Implementation& feed) {
    Followed* match = feed.find(id);
    if (match == nullptr) return;
    match->end = end_json;
    match->turns.clear();
    feed.tell(id, "end", end_json);
  });
}

void MatchFeed::dropped(const std::string& id) {
  implementation_->change([id](Implementation& feed) {
    feed.remove(id);
    feed.tell(id, "dropped", "true");
  });
}

void MatchFeed::tournament(std::function<std::string()> make) {
  implementation_->change(
      [make = std::move(make)](Implementation& feed) { feed.tournament(make()); });
}

void MatchFeed::note(const std::string& text) {
  implementation_->change(
      [text](Implementation& feed) { feed.broadcast("note", "{\"text\":" + quoted(text) + "}"); });
}

void MatchFeed::seat(const std::string& id, std::size_t role, Seat seat) {
  implementation_->seat(id, role, std::move(seat));
}
void MatchFeed::leave_seat(const std::string& id, std::size_t role) {
  implementation_->leave_seat(id, role);
}

void MatchFeed::turn(const std::string& id, std::size_t role, std::size_t step,
                     const std::vector<std::string>& legal_json, std::int64_t clock_ms) {
  std::string legal;
  for (const std::string& move : legal_json) legal += (legal.empty() ? "" : ",") + move;
  const Turn turn{"{\"id\":" + quoted(id) + ",\"role\":" + std::to_string(role) +
                      ",\"step\":" + std::to_string(step) + ",\"legal\":[" + legal + "]",
                  std::chrono::steady_clock::now() + std::chrono::milliseconds(clock_ms)};
  implementation_->change([id, role, turn](Implementation& feed) {
    Followed* match = feed.find(id);
    if (match == nullptr) return;
    match->turns[role] = turn;
    feed.broadcast("turn", turn.json());
  });
}

void MatchFeed::turn_over(const std::string& id, std::size_t role) {
  implementation_->change([id, role](Implementation& feed) {
    Followed* match = feed.find(id);
    if (match == nullptr || match->turns.erase(role) == 0) return;
    feed.broadcast("answered", "{\"id\":" + quoted(id) + ",\"role\":" + std::to_string(role) + "}");
  });
}

MatchFeed::Wish MatchFeed::wait_for_wish(const std::stop_token& stop) {
  return implementation_->wait_for_wish(stop);
}
bool MatchFeed::wait_for_browser(const std::stop_token& stop) {
  return implementation_->wait_for_browser(stop);
}

}  // namespace ludens::server
