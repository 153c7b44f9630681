// SPDX-License-Identifier: MIT
#include "tests/protocol/serve_process.h"
#include "tests/project_folder.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

extern char** environ;

namespace ludens::server {
namespace {

/// Reads what is there; false at the end.
bool read_some(int file, std::string& into) {
  char buffer[4096];
  const ssize_t n = ::read(file, buffer, sizeof buffer);
  if (n > 0) into.append(buffer, static_cast<std::size_t>(n));
  return n > 0;
}

std::chrono::duration<double> seconds_of(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

std::vector<std::string> serve_arguments(std::vector<std::string> options,
                                         std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {ludens_program(), "serve", "--json"});
  // mcts, because it thinks until its time is up.
  const std::pair<const char*, const char*> defaults[] = {
      {"--port", "0"}, {"--journal", "off"}, {"--strategy", "mcts"}};
  for (const auto& [option, value] : defaults) {
    if (std::find(options.begin(), options.end(), option) != options.end()) continue;
    arguments.insert(arguments.end(), {option, value});
  }
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const int failed = posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  close(err[1]);
  out_ = out[0];
  err_ = err[0];
  if (failed != 0) throw std::runtime_error("cannot run " + arguments[0]);
}

Process::~Process() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  close(out_);
  close(err_);
}

std::optional<std::string> Process::read_line(std::chrono::seconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  for (;;) {
    if (const auto at = pending_.find('\n'); at != std::string::npos) {
      std::string line = pending_.substr(0, at);
      pending_.erase(0, at + 1);
      return line;
    }
    pollfd ready{out_, POLLIN, 0};
    (void)::poll(&ready, 1, 200);
    if (ready.revents != 0 && !read_some(out_, pending_)) return std::nullopt;
    if (std::chrono::steady_clock::now() > end) return std::nullopt;
  }
}

void Process::hold_output() const {
  if (fcntl(out_, F_SETPIPE_SZ, 4096) < 0) throw std::runtime_error("the pipe keeps its size");
}

void Process::signal(int number) const {
  ::kill(pid_, number);
}

bool Process::running() const {
  siginfo_t info = {};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0;
}

std::chrono::duration<double> Process::work() const {
  if (pid_ < 0) return worked_;
  std::ifstream in("/proc/" + std::to_string(pid_) + "/stat");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  // After the name of the program, which may hold anything, and 11 more fields.
  std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::string skipped;
  for (int field = 0; field < 11; ++field) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return std::chrono::duration<double>((user + system) /
                                       static_cast<double>(::sysconf(_SC_CLK_TCK)));
}

bool Process::catches(int number) const {
  std::ifstream in("/proc/" + std::to_string(pid_) + "/status");
  const std::string field = "SigCgt:";
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(field)) continue;
    return (std::stoull(line.substr(field.size()), nullptr, 16) >> (number - 1) & 1) != 0;
  }
  return false;
}

int Process::wait() {
  // Both pipes, for a full one would hold the program up.
  for (bool out = true, err = true; out || err;) {
    pollfd ready[] = {{out ? out_ : -1, POLLIN, 0}, {err ? err_ : -1, POLLIN, 0}};
    (void)::poll(ready, 2, -1);
    if (ready[0].revents != 0) out = read_some(out_, pending_);
    if (ready[1].revents != 0) err = read_some(err_, errors_);
  }
  int status = 0;
  rusage used{};
  ::wait4(pid_, &status, 0, &used);
  worked_ = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

ServeProcess::ServeProcess(std::vector<std::string> options, std::vector<std::string> before)
    : process_(serve_arguments(std::move(options), std::move(before))) {
  const auto line = process_.read_line();
  if (!line) throw std::runtime_error("ludens serve does not listen");
  const auto event = boost::json::parse(*line);
  if (event.at("event").as_string() != "listening") throw std::runtime_error(*line);
  port_ = static_cast<std::uint16_t>(event.at("port").to_number<int>());
}

}  // namespace ludens::server
