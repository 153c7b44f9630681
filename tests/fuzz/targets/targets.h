// SPDX-License-Identifier: MIT
// What the fuzzer drives: each target takes one input of any bytes, does bounded work without files
// and sockets, and throws `Broken` where the program breaks a promise.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ludens::fuzz {

class Broken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void require(bool kept, const std::string& promise) {
  if (!kept) throw Broken(promise);
}

/// Each refusal has a reason. (It may quote the input: the code that prints it must make it safe
/// for a terminal.)
inline void require_sentence(const std::string& text) {
  require(!text.empty(), "a refusal says why");
}

/// Requests and replies of HTTP, the same in every split of their bytes.
void http_server(std::string_view input);
void http_client(std::string_view input);
/// The protocol's messages: read, written again, read again.
void messages(std::string_view input);
/// Rulesheets: parsed, normalised, checked, printed, and all that again.
void rulesheet(std::string_view input);
/// Rulesheets in HRF: translated, checked, written in HRF again where that is possible, and read
/// again.
void hrf(std::string_view input);
/// Rulesheets of games in turn, written in HRF: states, moves, ends and goals stay.
void convert(std::string_view input);
/// Bytes as choices of a small valid game, on which all machines must agree.
void machines(std::string_view input);
/// Bytes as choices of a small game of hidden information and of a match: all machines, exact and
/// sampled beliefs must agree.
void hidden(std::string_view input);
/// Journals of matches.
void journal(std::string_view input);
/// Records of ggp.org.
void record_json(std::string_view input);
/// Records in every XML that is read.
void record_xml(std::string_view input);
/// Records of both formats with a game each, derived again within limits.
void replay(std::string_view input);
/// Logs of tournaments.
void tournament_log(std::string_view input);
/// Files of tournaments.
void tournament_file(std::string_view input);
/// Configuration files.
void configuration(std::string_view input);
/// PLAYER on the command line.
void player(std::string_view input);
/// Files of what was learned of a game.
void knowledge(std::string_view input);
/// Whether they are read. Seeds of `knowledge` must be: the fuzzer finds no other way in.
bool is_knowledge(std::string_view input);

struct Target {
  std::string_view name;
  void (*run)(std::string_view input);
};

std::span<const Target> targets();

}  // namespace ludens::fuzz
