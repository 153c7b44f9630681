// SPDX-License-Identifier: MIT
// All machines that one network gives on this processor: each width, with generated code and
// without, and with moves that are told by sets.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gdl/kernel/kernel.h"
#include "gdl/pipeline/pipeline.h"

namespace ludens::gdl::tests {

struct NetworkMachines {
  std::vector<std::shared_ptr<const Machine>> owned;
  std::vector<const Machine*> all;
  std::string refused;  // why there are none
};

inline NetworkMachines network_machines(const std::shared_ptr<Vocabulary>& vocabulary,
                                        const PipelineOptions& pipeline = {}) {
  NetworkMachines machines;
  const auto network = make_network(vocabulary, pipeline);
  if (!network) {
    machines.refused = network.error().text;
    return machines;
  }
  for (const std::size_t lanes : {1, 64, 128, 256, 512}) {
    if (lanes > 1 && kernel::find(lanes) == nullptr) continue;
    for (const auto form :
         {EvaluationForm::Interpreted, EvaluationForm::Generated, EvaluationForm::BySets}) {
      if (lanes < 256 && form == EvaluationForm::Generated) continue;
      if (lanes == 1 && form == EvaluationForm::BySets) continue;
      auto made = make_network_machine(vocabulary, *network, {{}, lanes, form});
      if (!made) {
        machines.refused = made.error().text;
        return machines;
      }
      machines.owned.push_back(*std::move(made));
      machines.all.push_back(machines.owned.back().get());
    }
  }
  return machines;
}

}  // namespace ludens::gdl::tests
