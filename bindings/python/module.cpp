// SPDX-License-Identifier: MIT
// The compiled part of the Python package. Users see what ludens/__init__.py makes from it.
#include "bindings/python/game_binding.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of ludens.";
  module.attr("version") = LUDENS_VERSION;
  // The first array loads numpy, which would be too late when Python ends.
  const pybind11::array_t<double> first(0);
  ludens::bindings::bind_games(module);
  ludens::bindings::bind_states(module);
  ludens::bindings::bind_knowledge(module);
  ludens::bindings::bind_environments(module);
  ludens::bindings::bind_evaluators(module);
  ludens::bindings::bind_searches(module);
  ludens::bindings::bind_records(module);
  ludens::bindings::bind_tournaments(module);
  ludens::bindings::bind_servers(module);
}
