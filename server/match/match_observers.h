// SPDX-License-Identifier: MIT
// Several observers of one match.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "server/match/match.h"

namespace ludens::server {

/// Forwards every call, in order. The observers must outlive it.
class MatchObservers final : public MatchObserver {
 public:
  explicit MatchObservers(std::vector<MatchObserver*> observers)
      : observers_(std::move(observers)) {}

  void begun(const MatchRecord& record, const Position& position) override {
    for (MatchObserver* observer : observers_) observer->begun(record, position);
  }
  void asked(const MatchRecord& record, TimePoint until) override {
    for (MatchObserver* observer : observers_) observer->asked(record, until);
  }
  void moved(const MatchRecord& record, const Position& position) override {
    for (MatchObserver* observer : observers_) observer->moved(record, position);
  }
  void decided(const MatchRecord& record) override {
    for (MatchObserver* observer : observers_) observer->decided(record);
  }
  void released(const MatchRecord& record, gdl::RoleIndex role) override {
    for (MatchObserver* observer : observers_) observer->released(record, role);
  }
  void ended(const MatchRecord& record) override {
    for (MatchObserver* observer : observers_) observer->ended(record);
  }
  void warned(const std::string& text) override {
    for (MatchObserver* observer : observers_) observer->warned(text);
  }

 private:
  std::vector<MatchObserver*> observers_;
};

}  // namespace ludens::server
