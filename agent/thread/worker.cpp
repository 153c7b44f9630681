// SPDX-License-Identifier: MIT
#include "agent/thread/worker.h"

#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <utility>

namespace ludens::agent {

struct Worker::Shared {
  std::mutex mutex;
  std::condition_variable changed;
  std::list<Job> jobs;  // an empty list needs no memory, so it can be made in a destructor
  Job last;
  bool ending = false;  // no job beyond those in the queue
  bool busy = false;    // a job is being run
  bool ended = false;   // none of our data will be used any more
};

namespace {

/// A job that runs out of memory is lost, and the thread continues: no turn waits for it beyond its
/// clock.
void run_job(const Worker::Job& job) {
  try {
    job();
  } catch (const std::exception&) {
  }
}

}  // namespace

Worker::Worker(Job last) : shared_(std::make_shared<Shared>()) {
  shared_->last = std::move(last);
  thread_ = std::thread([shared = shared_] { run(shared); });
}

void Worker::run(const std::shared_ptr<Shared>& shared) {
  std::unique_lock lock(shared->mutex);
  while (true) {
    shared->changed.wait(lock, [&] { return shared->ending || !shared->jobs.empty(); });
    if (shared->jobs.empty()) break;
    Job job = std::move(shared->jobs.front());
    shared->jobs.pop_front();
    shared->busy = true;
    lock.unlock();
    run_job(job);
    job = {};  // what the job shares is released here, without the lock
    lock.lock();
    shared->busy = false;
  }
  shared->busy = true;
  lock.unlock();
  if (shared->last) run_job(shared->last);
  lock.lock();
  shared->ended = true;
  shared->changed.notify_all();
}

Worker::~Worker() {
  close();
  bool ends = false;
  {
    std::lock_guard lock(shared_->mutex);
    ends = shared_->ended || !shared_->busy;
  }
  if (ends) {
    thread_.join();
  } else {
    thread_.detach();
  }
}

void Worker::post(Job job) {
  {
    std::lock_guard lock(shared_->mutex);
    if (shared_->ending) return;
    shared_->jobs.push_back(std::move(job));
  }
  shared_->changed.notify_all();
}

void Worker::close() {
  std::list<Job> dropped;  // destroyed without the lock
  {
    std::lock_guard lock(shared_->mutex);
    shared_->ending = true;
    dropped.swap(shared_->jobs);
  }
  shared_->changed.notify_all();
}

void Worker::finish() {
  {
    std::lock_guard lock(shared_->mutex);
    shared_->ending = true;
  }
  shared_->changed.notify_all();
}

bool Worker::ended() const {
  std::lock_guard lock(shared_->mutex);
  return shared_->ended;
}

bool Worker::wait_ended(std::chrono::steady_clock::time_point until) const {
  std::unique_lock lock(shared_->mutex);
  return shared_->changed.wait_until(lock, until, [this] { return shared_->ended; });
}

}  // namespace ludens::agent
