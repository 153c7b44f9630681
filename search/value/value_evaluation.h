// A learned value of states as an evaluation for depth-first searches.
#pragma once

#include <memory>

#include "search/evaluation/evaluation.h"
#include "search/learning/value_function.h"

namespace ludens::search::value {

/// `values` are of the states of the machine that is searched.
std::unique_ptr<Evaluation> make_value_evaluation(std::shared_ptr<const ValueFunction> values);

}  // namespace ludens::search::value
