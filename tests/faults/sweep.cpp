// SPDX-License-Identifier: MIT
#include "tests/faults/sweep.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <thread>

#include "tests/faults/count.h"
#include "tests/project_folder.h"
#include "tests/server/heap_game.h"
#include "tests/server/scratch_folder.h"
#include "tests/web/fixed_port.h"

namespace ludens::faults {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kPatience = 60s;
const std::string kPort = "{port}";

const std::string kOrigin = "http://venue.example";

/// Two steps in turn, in the language of Gamemaster.
const std::string kSteps =
    "role(white) role(black) init(control(white)) init(step(1)) legal(go(1)) legal(go(2)) "
    "go(X) :: step(1) ==> ~step(1) & step(2) & ~control(white) & control(black) "
    "go(X) :: step(2) ==> ~step(2) & step(3) goal(white,100) goal(black,0) terminal :- step(3)";

/// Three rounds of matching pennies, which no search can prove to be won.
constexpr const char* kPennies =
    "(role even) (role odd) (init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4)\n"
    "(<= (legal ?p heads) (role ?p)) (<= (legal ?p tails) (role ?p))\n"
    "(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))\n"
    "(<= same (does even ?x) (does odd ?x)) (<= (next lucky) same)\n"
    "(<= terminal (true (round 4))) (<= (goal even 100) (true lucky)) (<= (goal odd 0) (true "
    "lucky))\n"
    "(<= (goal even 0) (not (true lucky))) (<= (goal odd 100) (not (true lucky)))\n";

constexpr const char* kTournament =
    "<tournament><player>random</player><player>legal</player><start-clock>1</start-clock>"
    "<play-clock>1</play-clock><out>out</out><game>game.kif</game></tournament>";

const std::string kRecord =
    R"json({"matchId":"m","x-game":"game","x-roles":["white","black"],"states":["",""],)json"
    R"json("moves":[["( take 1 )","noop"]],"errors":[],"isCompleted":false})json";

/// A child process; killed if it outlives this.
class Process {
 public:
  Process(const fs::path& folder, const std::vector<std::string>& arguments,
          const std::vector<std::string>& variables, const fs::path& output,
          bool with_standard_output = false) {
    std::vector<std::string> words{ludens_program()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> settings = variables;
    for (char** entry = environ; *entry != nullptr; ++entry) settings.emplace_back(*entry);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    if (with_standard_output) {
      posix_spawn_file_actions_adddup2(&actions, 2, 1);
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    }
    const int error = posix_spawn(&id_, ludens_program().c_str(), &actions, nullptr,
                                  pointers(words).data(), pointers(settings).data());
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) id_ = -1;
  }
  ~Process() {
    if (id_ <= 0 || status_) return;
    kill(SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void kill(int signal) {
    if (id_ > 0 && !status_) ::kill(id_, signal);
  }
  bool ended() {
    int status = 0;
    if (!status_ && ::waitpid(id_, &status, WNOHANG) == id_) status_ = status;
    return status_.has_value();
  }
  bool wait(std::chrono::steady_clock::duration patience) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!ended() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(2ms);
    return ended();
  }
  [[nodiscard]] std::optional<int> status() const { return status_; }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> out;
    for (std::string& word : words) out.push_back(word.data());
    out.push_back(nullptr);
    return out;
  }

  pid_t id_ = -1;
  std::optional<int> status_;
};

/// A descriptor; below 0 if no program listens. Sending and receiving wait for at most 5 s.
int connect_to(const std::string& port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{5, 0};
  ::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  if (::connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
    return descriptor;
  }
  ::close(descriptor);
  return -1;
}

bool listens(const std::string& port) {
  const int descriptor = connect_to(port);
  if (descriptor >= 0) ::close(descriptor);
  return descriptor >= 0;
}

/// A request of the page to the program that serves it. Whatever the reply, only that it ends
/// counts.
void post(const std::string& port, const std::string& token, const std::string& target,
          const std::string& body) {
  const int descriptor = connect_to(port);
  if (descriptor < 0) return;
  const std::string request = "POST /gamemaster/" + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" +
                              "Origin: " + kOrigin + "\r\nAuthorization: Bearer " + token +
                              "\r\nContent-Type: application/json\r\nConnection: close\r\n" +
                              "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  ::send(descriptor, request.data(), request.size(), MSG_NOSIGNAL);
  char reply[4096];
  while (::recv(descriptor, reply, sizeof reply, 0) > 0) {
  }
  ::close(descriptor);
}

std::vector<std::string> with_port(std::vector<std::string> arguments, const std::string& port) {
  for (std::string& word : arguments) {
    const std::size_t at = word.find(kPort);
    if (at != std::string::npos) word.replace(at, kPort.size(), port);
  }
  return arguments;
}

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void read_count(const fs::path& file, Outcome& outcome) {
  const std::string bytes = content(file);
  if (bytes.size() < sizeof(Count)) {
    if (outcome.problem.empty()) outcome.problem = "the library of faults was not loaded";
    return;
  }
  const auto* const count = reinterpret_cast<const Count*>(bytes.data());
  outcome.calls = count->calls;
  outcome.failed = count->failed;
  outcome.first = count->first;
}

/// A match as the page of Gamemaster hands it over.
void visit_as_page(const Scenario& scenario, const fs::path& folder, const std::string& port) {
  const std::string token = content(folder / "state/ludens/gamemaster-token");
  for (const std::string& message : scenario.messages) {
    post(port, token, "message", R"({"player":"ludens","text":")" + message + "\"}");
    post(port, token, "view", R"({"player":"ludens"})");
  }
}

/// The guest, or a page, plays with the program that serves, which is then asked to end.
void visit(Process& host, const Scenario& scenario, const fs::path& folder,
           const std::string& port) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (!host.ended() && !listens(port) && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(2ms);
  }
  if (!host.ended() && !scenario.messages.empty()) visit_as_page(scenario, folder, port);
  if (!host.ended() && !scenario.guest.empty()) {
    Process guest(folder, with_port(scenario.guest, port), {}, folder / "guest.log");
    guest.wait(kPatience);
  }
  host.kill(SIGTERM);
}

std::string broken_promise(const std::optional<int>& status, const std::string& output) {
  if (!status) return "it did not end";
  if (WIFSIGNALED(*status)) return "it was ended by signal " + std::to_string(WTERMSIG(*status));
  const int code = WEXITSTATUS(*status);
  if (code > 3) return "it ended with code " + std::to_string(code);
  if (code != 0 && output.empty()) return "it said nothing, and ended with " + std::to_string(code);
  return {};
}

}  // namespace

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all{
      {"check", {"check", "game.kif"}, {{"game.kif", kHeapGame}}, {}},
      {"convert", {"convert", "game.kif", "game.hrf"}, {{"game.kif", kHeapGame}}, {}},
      {"match",
       {"match", "game.kif", "--player", "random", "--player", "legal", "--start-clock", "1",
        "--play-clock", "1", "--out", "records", "--quiet"},
       {{"game.kif", kHeapGame}},
       {}},
      {"replay",
       {"replay", "record.json", "--game", "game.kif"},
       {{"game.kif", kHeapGame}, {"record.json", kRecord}},
       {},
       true},
      {"tournament",
       {"tournament", "cup.xml"},
       {{"game.kif", kHeapGame}, {"cup.xml", kTournament}},
       {}},
      {"think_mcts",
       {"think", "game.kif", "--strategy", "mcts:threads=4,playouts=500", "--seconds", "5"},
       {{"game.kif", kPennies}},
       {}},
      {"think_value",
       {"think", "game.kif", "--strategy", "value:threads=4,nodes=500,games=20", "--seconds", "5"},
       {{"game.kif", kPennies}},
       {}},
      {"report", {"report", "record.json", "--out", "page.html"}, {{"record.json", kRecord}}, {}},
      {"serve",
       {"serve", "--port", kPort, "--strategy", "legal", "--margin-ms", "300", "--journal",
        "journal"},
       {{"game.kif", kHeapGame}},
       {"match", "game.kif", "--player", "http://127.0.0.1:" + kPort, "--player", "random",
        "--start-clock", "1", "--play-clock", "1", "--out", "records", "--quiet"}},
      {"gamemaster",
       {"serve", "--port", kPort, "--strategy", "legal", "--margin-ms", "300", "--journal",
        "journal", "--watch", "0", "--gamemaster", kOrigin},
       {},
       {},
       false,
       {"message(1,manager,ludens,ping())",
        "message(2,manager,ludens,start(white,ruleset(" + kSteps + "),1,1))",
        "message(3,manager,ludens,play([]))", "message(4,manager,ludens,play(go(1)))",
        "message(5,manager,ludens,stop(go(2)))"}},
  };
  return all;
}

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> all{"memory",  "descriptors", "space",
                                            "reading", "short",       "threads"};
  return all;
}

Outcome run(const Scenario& scenario, const std::string& kind, const std::string& fault) {
  const server::ScratchFolder scratch;
  const fs::path folder = scratch.path() / "run";
  fs::create_directories(folder);
  for (const auto& file : scenario.files) {
    fs::create_directories((folder / file.name).parent_path());
    std::ofstream(folder / file.name, std::ios::binary) << file.text;
  }
  const fs::path count = scratch.path() / "count", output = scratch.path() / "output";
  // LD_PRELOAD is a list with spaces between, which the build's folder may have in its name.
  const fs::path library = scratch.path() / "faults.so";
  fs::create_symlink(LUDENS_FAULTS_LIBRARY, library);
  const bool serves = !scenario.guest.empty() || !scenario.messages.empty();
  const std::string port = serves ? std::to_string(server::fixed_port()) : "0";
  Process process(
      folder, with_port(scenario.arguments, port),
      {"LD_PRELOAD=" + library.string(), "LUDENS_FAULTS=" + kind + ":" + fault,
       "LUDENS_FAULTS_COUNT=" + count.string(), "XDG_STATE_HOME=" + (folder / "state").string()},
      output, scenario.judges);
  if (serves) visit(process, scenario, folder, port);
  process.wait(kPatience);
  Outcome outcome;
  outcome.output = content(output);
  outcome.problem = broken_promise(process.status(), outcome.output);
  if (process.status() && WIFEXITED(*process.status())) {
    outcome.code = WEXITSTATUS(*process.status());
  }
  read_count(count, outcome);
  return outcome;
}

std::vector<std::uint64_t> spread(std::uint64_t calls, std::size_t runs) {
  std::set<std::uint64_t> numbers;
  if (calls <= runs) runs = calls;
  for (std::size_t i = 0; i < runs; ++i) {
    // Squares: what is done first is different at each call, what comes later repeats itself.
    const double share = static_cast<double>(i + 1) / static_cast<double>(runs);
    numbers.insert(std::max<std::uint64_t>(
        calls <= runs ? i + 1
                      : static_cast<std::uint64_t>(share * share * static_cast<double>(calls)),
        1));
  }
  return {numbers.begin(), numbers.end()};
}

}  // namespace ludens::faults
