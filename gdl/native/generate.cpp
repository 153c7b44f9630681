// SPDX-License-Identifier: MIT
#include "gdl/native/generate.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "gdl/native/allocation.h"
#include "gdl/native/encoder.h"
#include "gdl/native/selection.h"

namespace ludens::gdl::native {

namespace {

/// Beyond this, code is far outside of all caches but the last, and does not pay; in a page, where
/// the browser compiles it once more, it is not good soon enough.
constexpr std::size_t most_gates(Target target) {
  return target == Target::WebAssembly ? 50'000 : 1'000'000;
}

/// Slots that are read when a phase is over.
class Visible {
 public:
  explicit Visible(const Program& program)
      : program_(program),
        place_(program.slots + 1),
        is_shared_(program.slots),
        slots_(program.first_inner_slot) {
    for (std::uint32_t s = 0; s < place_.size(); ++s) place_[s] = s;
    find_shared();
    place_[program.slots] = slots_++;
  }

  [[nodiscard]] std::vector<std::uint32_t> after(Phase phase) const {
    std::vector<std::uint32_t> kept;
    append_results(phase, kept);
    if (phase == Phase::Status) {  // Next may read all of it
      append_results(Phase::Goals, kept);
      append_results(Phase::Next, kept);
      kept.insert(kept.end(), shared_.begin(), shared_.end());
    }
    return kept;
  }
  /// The place of a slot of the program: inner slots that other phases read are moved together. The
  /// mask of lanes that move comes after the last.
  [[nodiscard]] std::uint32_t place(std::uint32_t slot) const { return place_[slot]; }
  [[nodiscard]] std::uint32_t slots() const { return slots_; }

 private:
  void append_results(Phase phase, std::vector<std::uint32_t>& to) const {
    switch (phase) {
      case Phase::Status:
        to.push_back(program_.terminal.slot);
        for (const Program::Move& m : program_.moves) to.push_back(m.legal.slot);
        to.insert(to.end(), program_.legal_inputs.begin(), program_.legal_inputs.end());
        break;
      case Phase::Goals:
        for (const Program::Goal& g : program_.goals) to.push_back(g.edge.slot);
        break;
      case Phase::Next:
        for (const SlotEdge& e : program_.next) to.push_back(e.slot);
        break;
      case Phase::Percepts:  // needed too rarely to be generated
        break;
    }
  }

  // Gates of Status that Next reads, and what is no gate. Only inner gates must move.
  void find_shared() {
    const auto next = static_cast<std::size_t>(Phase::Next);
    std::vector<bool> defined(program_.slots, false);
    const std::uint32_t* c = program_.code[next].data();
    for (const kernel::Run& run : program_.runs[next]) {
      const std::uint32_t width = run.plain + run.complemented;
      for (std::uint32_t g = 0; g < run.count; ++g, c += 1 + width) {
        for (std::uint32_t k = 1; k <= width; ++k) {
          if (!defined[c[k]]) share(c[k]);
        }
        defined[c[0]] = true;
      }
    }
  }
  void share(std::uint32_t slot) {
    if (is_shared_[slot]) return;
    is_shared_[slot] = true;
    shared_.push_back(slot);
    if (slot >= program_.first_inner_slot) place_[slot] = slots_++;
  }

  const Program& program_;
  std::vector<std::uint32_t> place_;  // [slot of the program]
  std::vector<std::uint32_t> shared_;
  std::vector<bool> is_shared_;  // [slot]
  std::uint32_t slots_;
};

std::unique_ptr<Encoder> encoder_for(Target target) {
  if (target == Target::WebAssembly) return make_wasm_encoder();
  return make_x86_encoder(target == Target::Avx512 ? 512 : 256);
}

/// The functions of a program, one after the other.
class Generation {
 public:
  Generation(const Program& program, Target target, const Limits& limits)
      : program_(program),
        limits_(limits),
        visible_(program),
        encoder_(encoder_for(target)),
        slots_(visible_.slots()) {}

  /// Returns its number; nullopt if it was stopped or is too large.
  std::optional<std::size_t> add(Phase phase, const Advance* advance) {
    const auto kept = advance != nullptr ? std::vector<std::uint32_t>() : visible_.after(phase);
    auto operations = select(program_.phase(phase), kept, advance, program_.slots + 1,
                             encoder_->abilities().most_inputs, limits_.stop);
    if (!operations) return std::nullopt;
    for (std::uint32_t& slot : operations->slot) {
      if (slot != kNoSlot) slot = visible_.place(slot);
    }
    for (Operation& op : operations->list) {
      if (op.keep != kNoSlot) op.keep = visible_.place(op.keep);
    }
    const auto code = allocate(*operations, *encoder_, visible_.slots(), limits_.stop);
    if (!code) return std::nullopt;
    slots_ = std::max<std::size_t>(slots_, code->slots);
    return code->entry;
  }

  EncodedProgram finish(const EncodedProgram::Entries& entries) {
    return {encoder_->finish(), entries, visible_.place(static_cast<std::uint32_t>(program_.slots)),
            slots_};
  }

 private:
  const Program& program_;
  const Limits& limits_;
  Visible visible_;
  std::unique_ptr<Encoder> encoder_;
  std::size_t slots_;
};

}  // namespace

std::optional<Target> target_for(std::size_t lanes) {
#if defined(__wasm_simd128__)
  if (lanes == 128) return Target::WebAssembly;
#elif defined(__x86_64__)
  if (lanes == 256) return Target::Avx2;
  if (lanes == 512) return Target::Avx512;
#endif
  (void)lanes;
  return std::nullopt;
}

std::optional<EncodedProgram> encode(const Program& program, Target target, const Limits& limits) {
  const bool straight = std::ranges::all_of(program.loops, [](const auto& l) { return l.empty(); });
  if (!straight || program.two_input_gates > most_gates(target)) return std::nullopt;
  Generation generation(program, target, limits);
  EncodedProgram::Entries entries{};
  for (const Phase phase : {Phase::Status, Phase::Goals, Phase::Next}) {
    const auto entry = generation.add(phase, nullptr);
    if (!entry) return std::nullopt;
    entries[static_cast<std::size_t>(phase)] = *entry;
  }
  const Advance advance{static_cast<std::uint32_t>(program.slots), program.next};
  const auto entry = generation.add(Phase::Next, &advance);
  if (!entry) return std::nullopt;
  entries[kPhases] = *entry;
  return generation.finish(entries);
}

std::optional<GeneratedCode> generate(const Program& program, std::size_t lanes,
                                      const Limits& limits) {
  const auto target = target_for(lanes);
  if (!target) return std::nullopt;
  const auto encoded = encode(program, *target, limits);
  if (!encoded) return std::nullopt;
  auto executable = Executable::make(encoded->bytes);
  if (!executable) return std::nullopt;
  return GeneratedCode(*std::move(executable), *encoded);
}

}  // namespace ludens::gdl::native
