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

constexpr std::chrono::milliseconds kGrace{2000}, kLook{10};
constexpr std::string_view kPortPlace = "{port}";

std::string with_port(std::string command, std::uint16_t port) {
  for (std::size_t at = 0; (at = command.find(kPortPlace, at)) != std::string::npos;) {
    const std::string number = std::to_string(port);
    command.replace(at, kPortPlace.size(), number);
    at += number.size();
  }
  return command;
}

/// The child's part: nothing but system calls, for other threads may have held any lock.
[[noreturn]] void become(const char* command, int output, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(127);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::execl("/bin/sh", "sh", "-c", command, nullptr);
  ::_exit(127);
}

}  // namespace

PlayerProcess::PlayerProcess(const std::string& command, std::uint16_t port,
                             std::filesystem::path log)
    : log_(std::move(log)) {
  std::error_code ignored;
  std::filesystem::create_directories(log_.parent_path(), ignored);
  const int output = ::open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (output < 0) {
    problem_ = log_.string() + ": " + std::strerror(errno);
    return;
  }
  // The shell gives way to the player, so that signals and the exit code are the player's.
  const std::string line = "exec " + with_port(command, port);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) become(line.c_str(), output, parent);
  if (pid_ < 0) problem_ = std::string("no process to be had: ") + std::strerror(errno);
  if (pid_ > 0) ::setpgid(pid_, pid_);  // here and there: whoever is first
  ::close(output);
}

PlayerProcess::~PlayerProcess() {
  end();
}

bool PlayerProcess::runs() {
  if (pid_ <= 0 || status_) return false;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return true;
  status_ = status;
  return false;
}

std::string PlayerProcess::obituary() const {
  std::string how = "it runs";
  if (status_ && WIFSIGNALED(*status_)) {
    how = "it was ended by signal " + std::to_string(WTERMSIG(*status_));
  } else if (status_) {
    how = "it ended with exit code " + std::to_string(WEXITSTATUS(*status_));
  }
  return how + "; its output is in " + log_.string();
}

void PlayerProcess::end() {
  if (pid_ <= 0) return;
  // The player may be gone, and what it has started still there.
  ::kill(-pid_, SIGTERM);
  const auto deadline = std::chrono::steady_clock::now() + kGrace;
  while (runs() && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(kLook);
  ::kill(-pid_, SIGKILL);
  if (!status_) ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
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
