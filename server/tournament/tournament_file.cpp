// SPDX-License-Identifier: MIT
#include "server/tournament/tournament_file.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "agent/knowledge/knowledge_files.h"
#include "gdl/text/file.h"
#include "server/records/match_record.h"
#include "server/tournament/cores.h"
#include "server/tournament/game_names.h"
#include "server/tournament/player_process.h"
#include "server/tournament/schedule.h"

namespace ludens::server {

namespace fs = std::filesystem;
using Node = pugi::xml_node;

namespace {

constexpr std::array<std::string_view, 2> kSwitch{"off", "on"};
constexpr std::array<std::string_view, 2> kReplacements{"random", "first"};
// In the order of the enumerations.
constexpr std::array<std::string_view, 2> kCrashPolicies{"loses", "replaced"};
constexpr std::array<std::string_view, 2> kDownPolicies{"skip", "stop"};
constexpr std::array<std::string_view, 3> kRecordPolicies{"none", "json", "all"};

/// The file from which the player is made; nullopt: from none.
std::optional<fs::path> file_of(const PlayerSpec& spec) {
  if (const auto* page = std::get_if<PageFile>(&spec)) return page->file;
  const auto* strategy = std::get_if<search::StrategySpec>(&spec);
  return strategy != nullptr ? agent::named_knowledge(*strategy) : std::nullopt;
}

std::string needs_matches(const std::string& player, const std::string& game, std::size_t seats) {
  const std::string count = std::to_string(seats);
  return "player '" + player + "' has up to " + count + " roles in a match of '" + game +
         "', each of which is a match to it: it needs matches=\"" + count + "\"";
}

/// Reads the elements of the file.
class FileReader {
 public:
  FileReader(const fs::path& file, const std::string& text)
      : folder_(file.parent_path()), form_(text, "tournament") {
    plan_.name = storable(file.stem().string());
  }

  gdl::Result<TournamentFile, std::vector<FileProblem>> read() {
    for (const Node node : form_.elements()) element(node);
    for (const Node node : games_) game(node);  // whose clocks default to those of the tournament
    if (form_.problems().empty()) check_whole();
    if (auto problems = form_.problems(); !problems.empty()) return problems;
    if (result_.out.empty()) result_.out = fs::path("tournaments") / plan_.name;
    note_fixed_seeds();
    return std::move(result_);
  }

 private:
  struct Element {
    std::function<void(FileReader&, Node)> read;
    std::vector<std::string_view> attributes{};
    bool repeatable = false;
  };
  static const std::map<std::string_view, Element>& elements();

  void element(Node node);
  void name(Node node);
  void cores(Node node);
  void sprt(Node node);
  void player(Node node);
  bool player_kind(Node node, PlannedPlayer& player, PlayerSpec& spec);
  void game(Node node);
  void check_whole();
  void check_seats();
  void note_fixed_seeds();

  fs::path folder_;
  XmlForm form_;
  TournamentFile result_;
  TournamentPlan& plan_ = result_.plan;
  int start_clock_ = 10, play_clock_ = 5;
  std::size_t opening_ = 0, step_cap_ = 0;
  std::vector<Node> games_;
  std::set<std::string, std::less<>> seen_;
};

const std::map<std::string_view, FileReader::Element>& FileReader::elements() {
  using R = FileReader;
  static const std::map<std::string_view, Element> known{
      {"name", {[](R& r, Node n) { r.name(n); }}},
      {"format", {[](R& r, Node n) {
         if (const auto i = r.form_.choice(n, format_names())) r.plan_.format = Format(*i);
       }}},
      {"table-size",
       {[](R& r, Node n) { r.form_.number(n, std::size_t{2}, kMost, r.plan_.table_size); }}},
      {"rounds", {[](R& r, Node n) { r.form_.number(n, std::size_t{1}, kMost, r.plan_.rounds); }}},
      {"seed", {[](R& r, Node n) {
         r.form_.number(n, std::uint64_t{0}, ~std::uint64_t{0}, r.plan_.seed);
       }}},
      {"concurrency", {[](R& r, Node n) {
         r.form_.number(n, std::size_t{1}, std::size_t{1024}, r.result_.concurrency);
       }}},
      {"cores", {[](R& r, Node n) { r.cores(n); }, {"pin"}}},
      {"start-clock", {[](R& r, Node n) { r.form_.number(n, 0, kLongestClock, r.start_clock_); }}},
      {"play-clock", {[](R& r, Node n) { r.form_.number(n, 1, kLongestClock, r.play_clock_); }}},
      {"preview-clock",
       {[](R& r, Node n) { r.form_.number(n, -1, kLongestClock, r.plan_.preview_clock); }}},
      {"opening",
       {[](R& r, Node n) { r.form_.number(n, std::size_t{0}, kMostOpeningSteps, r.opening_); }}},
      {"step-cap", {[](R& r, Node n) { r.form_.number(n, std::size_t{0}, kMost, r.step_cap_); }}},
      {"scramble", {[](R& r, Node n) {
         if (const auto i = r.form_.choice(n, kSwitch)) r.plan_.scramble = *i == 1;
       }}},
      {"dialect", {[](R& r, Node n) {
         const auto names = dialect_names();
         if (const auto i = r.form_.choice(n, names)) r.plan_.dialect = names[*i];
       }}},
      {"replace", {[](R& r, Node n) {
         if (const auto i = r.form_.choice(n, kReplacements)) r.plan_.replace = kReplacements[*i];
       }}},
      {"crash", {[](R& r, Node n) {
         if (const auto i = r.form_.choice(n, kCrashPolicies)) r.plan_.crash = CrashPolicy(*i);
       }}},
      {"abort-after",
       {[](R& r, Node n) { r.form_.number(n, std::size_t{0}, kMost, r.plan_.abort_after); }}},
      {"down", {[](R& r, Node n) {
         if (const auto i = r.form_.choice(n, kDownPolicies)) r.plan_.down = DownPolicy(*i);
       }}},
      {"patience",
       {[](R& r, Node n) { r.form_.number(n, 0, kLongestClock, r.plan_.patience_seconds); }}},
      {"startup",
       {[](R& r, Node n) { r.form_.number(n, 0, kLongestClock, r.plan_.startup_seconds); }}},
      {"stop-wait",
       {[](R& r, Node n) { r.form_.number(n, 1, kLongestClock, r.plan_.stop_wait_seconds); }}},
      {"records", {[](R& r, Node n) {
         if (const auto i = r.form_.choice(n, kRecordPolicies)) r.plan_.records = RecordPolicy(*i);
       }}},
      {"out", {[](R& r, Node n) { r.result_.out = XmlForm::text(n); }}},
      {"sprt", {[](R& r, Node n) { r.sprt(n); }, {"elo0", "elo1", "alpha", "beta"}}},
      {"player",
       {[](R& r, Node n) { r.player(n); }, {"name", "url", "command", "port", "matches"}, true}},
      {"game",
       {[](R& r, Node n) { r.games_.push_back(n); },
        {"start-clock", "play-clock", "opening", "step-cap"},
        true}},
  };
  return known;
}

void FileReader::element(Node node) {
  const auto found = elements().find(node.name());
  if (found == elements().end()) {
    std::vector<std::string_view> names;
    for (const auto& [name, element] : elements()) names.push_back(name);
    form_.known(node, "element", node.name(), names);
    return;
  }
  form_.restrict(node, found->second.attributes);
  if (!found->second.repeatable && !seen_.emplace(node.name()).second) {
    return form_.problem(node, "<" + std::string(node.name()) + "> is here a second time");
  }
  found->second.read(*this, node);
}

void FileReader::name(Node node) {
  const std::string text = XmlForm::text(node);
  if (!text.empty()) plan_.name = storable(text);
}

void FileReader::cores(Node node) {
  auto parsed = parse_cores(XmlForm::text(node));
  if (!parsed) return form_.problem(node, parsed.error().text);
  result_.cores.cores = *std::move(parsed);
  const std::vector<int> usable = usable_cores();
  for (const int core : result_.cores.cores) {
    if (std::find(usable.begin(), usable.end(), core) != usable.end()) continue;
    return form_.problem(node, "this process may not run on processor " + std::to_string(core));
  }
  const std::string pin = XmlForm::attribute(node, "pin");
  if (!pin.empty() && form_.known(node, "pin", pin, kSwitch)) result_.cores.pin = pin == "on";
}

void FileReader::sprt(Node node) {
  SprtPlan& sprt = plan_.sprt.emplace();
  bool good = form_.number(node, "elo0", -1000.0, 1000.0, sprt.elo0);
  good = form_.number(node, "elo1", -1000.0, 1000.0, sprt.elo1) && good;
  good = form_.number(node, "alpha", 1e-6, 0.5, sprt.alpha) && good;
  good = form_.number(node, "beta", 1e-6, 0.5, sprt.beta) && good;
  if (!good) return;
  if (const auto problem = complaint(sprt)) form_.problem(node, *problem);
}

void FileReader::player(Node node) {
  PlannedPlayer player;
  PlayerSpec spec;
  if (!player_kind(node, player, spec)) return;
  player.name = XmlForm::attribute(node, "name");
  if (player.name.empty()) {
    if (player.kind == PlannedPlayer::Kind::Command) {
      return form_.problem(node, "a player that is started by a command needs a name");
    }
    player.name = player.kind == PlannedPlayer::Kind::Remote ? player.url : XmlForm::text(node);
  }
  player.name = storable(player.name);  // as in logs and records, like roles and games
  if (plan_.find_player(player.name)) {
    return form_.problem(node, "there is a player '" + player.name +
                                   "' already; name=\"...\" distinguishes players");
  }
  plan_.players.push_back(std::move(player));
  result_.players.push_back(std::move(spec));
}

/// Sets what the player is. False, with a problem, if none can be made from the element.
bool FileReader::player_kind(Node node, PlannedPlayer& player, PlayerSpec& spec) {
  using Kind = PlannedPlayer::Kind;
  player.strategy = XmlForm::text(node);
  player.url = XmlForm::attribute(node, "url");
  player.command = XmlForm::attribute(node, "command");
  const bool port = form_.number(node, "port", 0, kHighestPort, player.port);
  form_.number(node, "matches", 1, kMostMatchesOfAPlayer, player.matches);
  const auto wrong = [&](std::string text) {
    form_.problem(node, std::move(text));
    return false;
  };
  if (player.strategy.empty() + player.url.empty() + player.command.empty() != 2) {
    return wrong(
        "a player is a strategy or page:FILE as text, or has url=\"...\", or command=\"...\"");
  }
  const std::string said = player.strategy + player.url + player.command;
  if (storable(said) != said) {
    return wrong("what a player is can't be logged: it is not UTF-8, or has control characters");
  }
  if (!player.command.empty()) {
    player.kind = Kind::Command;
    spec = Command{};
    if (port && player.port == 0 && player.command.find(kPortPlace) == std::string::npos) {
      return wrong(
          "the command needs {port} in the place of its port, or port=\"...\" to say "
          "which one it uses");
    }
    if (player.port != 0 && player.matches > 1) {
      return wrong("several matches at once are processes of their own; they can't share port " +
                   std::to_string(player.port));
    }
    return true;
  }
  player.kind = player.url.empty() ? Kind::Builtin : Kind::Remote;
  auto read = parse_player(player.url.empty() ? player.strategy : player.url, folder_);
  if (!read) return wrong(read.error().text);
  spec = *std::move(read);
  if (is_human(spec)) return wrong("people can take a role in `match` only");
  if (const auto* strategy = std::get_if<search::StrategySpec>(&spec)) {
    if (auto problem = agent::problem_with_knowledge(*strategy, nullptr)) return wrong(*problem);
  }
  if (std::holds_alternative<PageFile>(spec)) player.kind = Kind::Page;
  if (const auto file = file_of(spec)) {
    const auto content = gdl::read_file(*file);
    if (!content) return wrong(file->string() + ": " + content.error().message());
    player.hash = text_hash(*content);
  }
  if (std::holds_alternative<Address>(spec) != (player.kind == Kind::Remote)) {
    return wrong(player.url.empty() ? "an address is given as url=\"...\""
                                    : "'" + player.url + "' is no http://HOST:PORT");
  }
  return true;
}

void FileReader::game(Node node) {
  PlannedGame planned;
  planned.opening = opening_;
  planned.step_cap = step_cap_;
  int start_clock = start_clock_, play_clock = play_clock_;
  form_.number(node, "start-clock", 0, kLongestClock, start_clock);
  form_.number(node, "play-clock", 1, kLongestClock, play_clock);
  planned.start_clock = start_clock;
  planned.play_clock = play_clock;
  form_.number(node, "opening", std::size_t{0}, kMostOpeningSteps, planned.opening);
  form_.number(node, "step-cap", std::size_t{0}, kMost, planned.step_cap);
  auto found = find_games(XmlForm::text(node), folder_);
  if (!found) return form_.problem(node, found.error().text);
  for (Rulesheet& sheet : *found) {
    planned.name = storable(sheet.name);
    planned.file = sheet.file;
    planned.hash = text_hash(sheet.text);
    planned.roles.clear();
    planned.chance.clear();
    for (gdl::RoleIndex role = 0; role < sheet.rules->roles.size(); ++role) {
      planned.roles.push_back(storable(sheet.rules->print(sheet.rules->roles[role])));
      planned.chance.push_back(role == sheet.rules->random);
    }
    if (plan_.find_game(planned.name)) {
      return form_.problem(node, "there is a game '" + planned.name + "' already");
    }
    if (plan_.format == Format::SinglePlayer && planned.seats() != 1) {
      return form_.problem(node, "'" + planned.name + "' has " + std::to_string(planned.seats()) +
                                     " roles to play; this format takes games with one");
    }
    plan_.games.push_back(planned);
    result_.games.push_back(std::move(sheet));
  }
}

/// Checks what the elements must have together.
void FileReader::check_whole() {
  const std::size_t players = plan_.players.size();
  const std::string format(format_name(plan_.format));
  if (plan_.games.empty()) form_.problem(form_.root(), "there is no <game>");
  if (players == 0) form_.problem(form_.root(), "there is no <player>");
  if (plan_.format == Format::HeadToHead && players != 2) {
    form_.problem(form_.root(),
                  format + " is between two players, and there are " + std::to_string(players));
  } else if (plan_.format != Format::SinglePlayer && players == 1) {
    form_.problem(form_.root(), format + " needs at least two players");
  }
  if (plan_.sprt && plan_.format != Format::HeadToHead) {
    form_.problem(form_.root(), "<sprt> is for the format head-to-head, not " + format);
  }
  if (const auto problem = too_many_matches(plan_)) form_.problem(form_.root(), *problem);
  check_seats();
}

/// A player elsewhere plays one role of a match: several are as many matches to it.
void FileReader::check_seats() {
  for (const PlannedPlayer& player : plan_.players) {
    if (!player.listens()) continue;
    for (const PlannedGame& game : plan_.games) {
      const std::size_t seats = most_seats(plan_, game);
      if (seats <= static_cast<std::size_t>(player.matches)) continue;
      form_.problem(form_.root(), needs_matches(player.name, game.name, seats));
      break;
    }
  }
}

/// Rounds of players with a fixed seed repeat each other, and a repetition proves nothing.
void FileReader::note_fixed_seeds() {
  if (plan_.rounds == 1) return;
  for (std::size_t player = 0; player < plan_.players.size(); ++player) {
    const auto* strategy = std::get_if<search::StrategySpec>(&result_.players[player]);
    if (strategy == nullptr || !strategy->options.contains("seed")) continue;
    result_.warnings.push_back("player '" + plan_.players[player].name +
                               "' has a seed of its own and may play the same in every round; "
                               "without it, the tournament's seed gives it one for each block");
  }
}

}  // namespace

gdl::Result<TournamentFile, std::vector<FileProblem>> read_tournament_file(const fs::path& file) {
  const auto text = gdl::read_file(file);
  if (!text) {
    return std::vector<FileProblem>{{1, 1, "can't be read: " + text.error().message()}};
  }
  return parse_tournament_file(file, *text);
}

gdl::Result<TournamentFile, std::vector<FileProblem>> parse_tournament_file(
    const fs::path& file, const std::string& text) {
  return FileReader(file, text).read();
}

}  // namespace ludens::server
