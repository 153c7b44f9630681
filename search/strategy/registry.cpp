#include "search/strategy/registry.h"

namespace ludens::search {

namespace {

constexpr OptionInfo kCommonOptions[] = {
    {"machine", "auto", "interpreter, scalar, sliced or auto: the fastest that is ready"},
    {"threads", "1", "threads of the search"},
    {"seed", "0", "seed of all chance in the search; 0: from the system"},
    {"seconds", "0", "cap on thinking time a move; 0: the clock alone"},
    {"playouts", "0", "cap on playouts a move, for repeatable matches; 0: none"},
    {"depth", "0", "cap on depth in plies; 0: none"},
    {"threshold", "100", "a goal of at least this is as good as the best"},
    {"ties", "random", "first or random: which of equally good moves is taken"},
};

}  // namespace

std::span<const OptionInfo> common_options() {
  return kCommonOptions;
}

}  // namespace ludens::search
