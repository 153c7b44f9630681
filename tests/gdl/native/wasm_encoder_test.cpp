// SPDX-License-Identifier: MIT
// Modules of WebAssembly: their bytes, and what they do where there is a node to run them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gdl/native/encoder.h"
#include "gdl/native/expression.h"
#include "gdl/native/generate.h"
#include "tests/gdl/native/phase_slots.h"
#include "tests/gdl/network/networks.h"
#include "tests/gdl/network/random_inputs.h"
#include "tests/gdl/text/stop_signals.h"

namespace ludens::gdl::native {
namespace {

using tests::PhaseSlots;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kWords = 2;  // of a register

// The expected bytes are those of Binaryen's assembler.
TEST(WasmEncoder, WritesAModule) {
  const auto encoder = make_wasm_encoder();
  encoder->load(0, 2);
  encoder->bitwise(kAndNot, 1, {false, 0}, {true, 300});
  encoder->store(1, 1);
  EXPECT_EQ(encoder->end_function(301), 0u);
  encoder->complement(12, {true, 0});
  encoder->move(3, 12);
  encoder->constant(0, true);
  EXPECT_EQ(encoder->end_function(1), 1u);
  const Bytes expected{0x00, 'a',  's',  'm',  0x01, 0x00, 0x00, 0x00,              // version 1
                       0x01, 0x05, 0x01, 0x60, 0x01, 0x7f, 0x00,                    // (i32) -> ()
                       0x02, 0x08, 0x01, 0x01, 'e',  0x01, 'm',  0x02, 0x00, 0x00,  // memory
                       0x03, 0x03, 0x02, 0x00, 0x00,                                // two functions
                       0x07, 0x09, 0x02, 0x01, '0',  0x00, 0x00, 0x01, '1',  0x00, 0x01,  // exports
                       0x0a, 0x4a, 0x02,                                                  // code
                       0x21, 0x01, 0x0d, 0x7b,                          // 13 registers
                       0x20, 0x00, 0xfd, 0x00, 0x04, 0x20, 0x21, 0x01,  // load
                       0x20, 0x00, 0xfd, 0x00, 0x04, 0xc0, 0x25, 0x20, 0x01, 0xfd, 0x4f,
                       0x21, 0x02,                                                  // b & ~a
                       0x20, 0x00, 0x20, 0x02, 0xfd, 0x0b, 0x04, 0x10,              // store
                       0x0b,                                                        //
                       0x26, 0x01, 0x0d, 0x7b,                                      //
                       0x20, 0x00, 0xfd, 0x00, 0x04, 0x00, 0xfd, 0x4d, 0x21, 0x0d,  // not
                       0x20, 0x0d, 0x21, 0x04,                                      // move
                       0xfd, 0x0c, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,  // ones
                       0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x21, 0x01,  //
                       0x0b};
  EXPECT_EQ(encoder->finish(), expected);
}

TEST(WasmEncoder, KnowsWhichSlotsAreTooFar) {
  EXPECT_FALSE(make_wasm_encoder()->end_function(std::size_t{1} << 28));
}

TEST(WasmEncoder, CutsWhatIsLong) {
  const auto encoder = make_wasm_encoder();
  EXPECT_FALSE(encoder->is_long());
  while (!encoder->is_long()) encoder->move(0, 1);
  encoder->split();
  EXPECT_FALSE(encoder->is_long());
  encoder->move(0, 1);
  EXPECT_EQ(encoder->end_function(1), 0u);
  const Bytes module = encoder->finish();
  // Two pieces, and a function that calls them.
  const Bytes calls{0x0c, 0x01, 0x0d, 0x7b, 0x20, 0x00, 0x10, 0x00, 0x20, 0x00, 0x10, 0x01, 0x0b};
  ASSERT_GT(module.size(), calls.size());
  EXPECT_EQ(Bytes(module.end() - static_cast<std::ptrdiff_t>(calls.size()), module.end()), calls);
}

TEST(WasmEncoder, CanBeStopped) {
  Rng rng(3);
  const auto program = compile(tests::random_network(rng, 5000, 10)).value();
  for (int questions = 0; questions < 4; ++questions) {
    const tests::StopAfter stop(questions);
    EXPECT_FALSE(encode(program, Target::WebAssembly, {&stop, nullptr}));
  }
  EXPECT_TRUE(encode(program, Target::WebAssembly, {}));
}

/// Programs whose modules are run by one call of node, as that takes long to start.
class ModulesInNode : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v node >/dev/null 2>&1") != 0) {
      GTEST_SKIP() << "no node on this machine (it comes with Emscripten): modules are not run";
    }
    folder_ =
        std::filesystem::temp_directory_path() / ("ludens_modules." + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  void add(const std::string& name, Network network, Rng& rng) {
    auto compiled = compile(network);
    ASSERT_TRUE(compiled.has_value()) << name;
    auto encoded = encode(*compiled, Target::WebAssembly, {});
    const bool straight =
        std::ranges::all_of(compiled->loops, [](const auto& loops) { return loops.empty(); });
    ASSERT_EQ(encoded.has_value(), straight && compiled->two_input_gates <= 50'000) << name;
    if (!encoded) return;
    PhaseSlots slots(encoded->slots, kWords, rng);
    Case& c = *cases_.emplace_back(std::make_unique<Case>(
        name, std::move(network), *std::move(compiled), *std::move(encoded)));
    tests::set_random_inputs(c.network, c.simulation, rng);
    set_inputs(c.network, c.program, c.simulation, slots);
    const std::string number = std::to_string(cases_.size() - 1);
    write(number + ".wasm", c.code.bytes.data(), c.code.bytes.size());
    write(number + ".slots", slots.all().data(), slots.all().size_bytes());
    std::string calls;
    for (const Phase p : {Phase::Status, Phase::Next, Phase::Next, Phase::Goals}) {
      calls += std::to_string(c.code.entry[static_cast<std::size_t>(p)]) + " ";
    }
    calls += std::to_string(c.code.entry[kPhases]);
    write(number + ".calls", calls.data(), calls.size());
  }

  void run_and_compare() {
    const std::string script = std::string(project_folder()) + "/tests/gdl/native/run_modules.js";
    const std::string command =
        "node '" + script + "' '" + folder_.string() + "' " + std::to_string(cases_.size());
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    Rng rng(1);
    for (std::size_t i = 0; i < cases_.size() && !HasFatalFailure(); ++i) {
      const Case& c = *cases_[i];
      SCOPED_TRACE(c.name);
      PhaseSlots slots(c.code.slots, kWords, rng);
      read(std::to_string(i) + ".phases", slots);
      expect_results(c.network, c.program, c.simulation, slots, "WebAssembly");
      if (HasFatalFailure()) return;
      read(std::to_string(i) + ".advanced", slots);
      expect_advanced(c.network, c.simulation, slots, c.code.moving_slot);
    }
  }
  [[nodiscard]] std::size_t count() const { return cases_.size(); }

 private:
  struct Case {
    Case(std::string its_name, Network its_network, Program its_program, EncodedProgram its_code)
        : name(std::move(its_name)),
          network(std::move(its_network)),
          program(std::move(its_program)),
          code(std::move(its_code)),
          simulation(network) {}
    std::string name;
    Network network;
    Program program;
    EncodedProgram code;
    Simulation simulation;  // of `network`
  };

  void write(const std::string& name, const void* data, std::size_t size) {
    std::ofstream(folder_ / name, std::ios::binary)
        .write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  void read(const std::string& name, PhaseSlots& slots) {
    std::ifstream file(folder_ / name, std::ios::binary);
    const auto bytes = static_cast<std::streamsize>(slots.all().size_bytes());
    file.read(reinterpret_cast<char*>(slots.all().data()), bytes);
    ASSERT_EQ(file.gcount(), bytes) << name;
  }

  std::filesystem::path folder_;
  std::vector<std::unique_ptr<Case>> cases_;  // each stays where it is
};

TEST_F(ModulesInNode, EvaluateRandomNetworks) {
  for (std::uint64_t seed = 0; seed < 100 && !HasFatalFailure(); ++seed) {
    Rng rng(seed);
    const std::uint32_t gates = 1 + rng.below(seed % 10 == 0 ? 6000 : 200);
    add(std::to_string(seed), tests::random_network(rng, gates, 3 + rng.below(60)), rng);
  }
  run_and_compare();
}

TEST_F(ModulesInNode, EvaluateBundledGames) {
  Rng rng(7);
  const auto games = std::filesystem::path(project_folder()) / "config" / "games";
  for (const auto& entry : std::filesystem::directory_iterator(games)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".kif" || HasFatalFailure()) continue;
    add(name, tests::network_of_bundled_game(name), rng);
  }
  EXPECT_GE(count(), 25u);
  run_and_compare();
}

}  // namespace
}  // namespace ludens::gdl::native
