// SPDX-License-Identifier: MIT
// `ludens strategies`: what can stand for a player, and with which options.
#pragma once

namespace ludens::server {

struct StrategiesOptions {
  bool json = false;
};

/// Lists the registry of strategies. With `json`, one object a strategy:
///
///     {"strategy":..,"summary":..,"options":[{"key":..,"default":..,"values":..,"meaning":..}]}
///
/// where the common options come last.
int strategies_command(const StrategiesOptions& options);

}  // namespace ludens::server
