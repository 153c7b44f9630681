// SPDX-License-Identifier: MIT
#include "server/tournament/player_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

namespace ludens::server {

namespace {

/// How long a process may take to end. An interrupted program has less than two seconds for that
/// and for all that comes before and after it.
constexpr std::chrono::milliseconds kGrace{2000}, kGraceInHurry{800};
constexpr std::chrono::milliseconds kLook{10};

std::string with_port(std::string command, std::uint16_t port) {
  for (std::size_t at = 0; (at = command.find(kPortPlace, at)) != std::string::npos;) {
    const std::string number = std::to_string(port);
    command.replace(at, kPortPlace.size(), number);
    at += number.size();
  }
  return command;
}

/// The child's part. It makes only system calls, because other threads may have held any lock. It
/// waits for a byte on `go`, which comes when its watcher runs; if the parent is gone before that,
/// it ends.
[[noreturn]] void become(const char* command, int output, pid_t parent, int go) {
  ::setsid();
  for (const int handled_here : {SIGTERM, SIGINT, SIGPIPE, SIGXFSZ}) {
    ::signal(handled_here, SIG_DFL);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(127);
  char byte = 0;
  if (::read(go, &byte, 1) != 1) ::_exit(127);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::close_range(STDERR_FILENO + 1, ~0U, 0);  // ports that a player would hold open after us
  ::execl("/bin/sh", "sh", "-c", command, nullptr);
  ::_exit(127);
}

/// Ends the rest of a process group: first asks, then kills.
void end_group(pid_t group) {
  ::kill(-group, SIGTERM);
  constexpr timespec pause{0, kLook.count() * 1'000'000};
  for (auto left = kGrace; left.count() > 0 && ::kill(-group, 0) == 0; left -= kLook) {
    ::nanosleep(&pause, nullptr);
  }
  ::kill(-group, SIGKILL);
}

/// The watcher's part, which makes only system calls, too. A byte on the lifeline means that the
/// group was already ended; the end of the line without a byte means that the process that started
/// it is gone.
[[noreturn]] void watch(int lifeline, pid_t group) {
  ::setsid();
  ::prctl(PR_SET_NAME, "ludens-watcher");
  ::dup2(lifeline, STDIN_FILENO);
  ::close_range(STDIN_FILENO + 1, ~0U, 0);  // other lifelines, ports, logs
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_IGN);
  char byte = 0;
  ssize_t size = 0;
  do {
    size = ::read(STDIN_FILENO, &byte, 1);
  } while (size < 0 && errno == EINTR);
  if (size <= 0) end_group(group);
  ::_exit(0);
}

}  // namespace

PlayerProcess::PlayerProcess(const std::string& command, std::uint16_t port,
                             std::filesystem::path log, std::stop_token hurry)
    : log_(std::move(log)), output_(log_), problem_(output_.problem()), hurry_(std::move(hurry)) {
  if (!problem_) start(with_port(command, port));
}

void PlayerProcess::start(const std::string& line) {
  const pid_t parent = ::getpid();
  // The process has a session of its own once it runs; only then may its group be signalled.
  std::array<int, 2> go{-1, -1}, begun{-1, -1};
  if (::pipe2(go.data(), O_CLOEXEC) != 0 || ::pipe2(begun.data(), O_CLOEXEC) != 0) {
    problem_ = std::string("the player can't be started: ") + std::strerror(errno);
  } else {
    pid_ = ::fork();
    if (pid_ == 0) become(line.c_str(), output_.input(), parent, go[0]);
    if (pid_ < 0) problem_ = std::string("the player can't be started: ") + std::strerror(errno);
  }
  if (pid_ > 0) {
    watch_over();
    [[maybe_unused]] const ssize_t sent = ::write(go[1], "", 1);
    ::close(begun[1]);
    begun[1] = -1;
    char byte = 0;
    [[maybe_unused]] const ssize_t ended = ::read(begun[0], &byte, 1);
  }
  output_.begin();
  for (const int end : {go[0], go[1], begun[0], begun[1]}) {
    if (end >= 0) ::close(end);
  }
}

void PlayerProcess::watch_over() {
  std::array<int, 2> line{-1, -1};
  if (::pipe2(line.data(), O_CLOEXEC) != 0) return;
  watcher_ = ::fork();
  if (watcher_ == 0) watch(line[0], pid_);
  ::close(line[0]);
  lifeline_ = line[1];
}

PlayerProcess::~PlayerProcess() {
  end();
}

bool PlayerProcess::runs() {
  if (pid_ <= 0 || ended_) return false;
  siginfo_t info{};
  const int failed = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  if (failed != 0 || info.si_pid != pid_) return true;
  ended_ = info;
  return false;
}

std::string PlayerProcess::obituary() const {
  std::string how = "it runs";
  if (ended_) {
    how = ended_->si_code == CLD_EXITED ? "it ended with exit code " : "it was ended by signal ";
    how += std::to_string(ended_->si_status);
  }
  return how + "; its output is in " + log_.string();
}

void PlayerProcess::ask_to_end() {
  if (pid_ <= 0 || asked_) return;
  // The player may be gone while processes that it has started still run.
  ::kill(-pid_, SIGTERM);
  asked_ = std::chrono::steady_clock::now();
}

void PlayerProcess::end() {
  if (pid_ <= 0) return;
  ask_to_end();
  const auto patient = [this] {
    const auto grace = hurry_.stop_requested() ? kGraceInHurry : kGrace;
    return std::chrono::steady_clock::now() < *asked_ + grace;
  };
  while (runs() && patient()) std::this_thread::sleep_for(kLook);
  // The shell may be gone while the player that it has started still tidies up. Once the shell is
  // reaped, the group exists as long as one of the others does.
  if (ended_) ::waitpid(pid_, nullptr, 0);
  while (ended_ && ::kill(-pid_, 0) == 0 && patient()) std::this_thread::sleep_for(kLook);
  ::kill(-pid_, SIGKILL);
  if (!ended_) ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
  if (lifeline_ < 0) return;
  [[maybe_unused]] const ssize_t ignored = ::write(lifeline_, "", 1);
  ::close(lifeline_);
  if (watcher_ > 0) ::waitpid(watcher_, nullptr, 0);
}

std::uint16_t free_port() {
  namespace asio = boost::asio;
  asio::io_context context;
  boost::system::error_code error;
  asio::ip::tcp::acceptor acceptor(context);
  acceptor.open(asio::ip::tcp::v4(), error);
  acceptor.bind({asio::ip::address_v4::loopback(), 0}, error);
  return error ? std::uint16_t{0} : acceptor.local_endpoint(error).port();
}

}  // namespace ludens::server
