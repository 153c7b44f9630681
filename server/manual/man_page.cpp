// SPDX-License-Identifier: MIT
// The page that `man ludens` shows.
#include "server/manual/documents.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace ludens::server {

namespace {

/// The text, escaped so that roff takes it literally.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
  return out;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string operand_text(const OptionDescription& operand) {
  const std::string name = "\\fI" + plain(operand.name) + "\\fR" + (operand.repeated ? "..." : "");
  return operand.required ? name : "[" + name + "]";
}

/// `UINT:0..10` as `0..10`, `TEXT` as `TEXT`.
std::string value_text(const std::string& values) {
  const std::size_t list = values.find(':');
  return plain(list == std::string::npos ? values : values.substr(list + 1));
}

std::string option_text(const OptionDescription& option) {
  std::string text = ".TP\n\\fB\\-\\-" + plain(option.name) + "\\fR";
  if (!option.values.empty()) text += " \\fI" + value_text(option.values) + "\\fR";
  text += "\n" + plain(option.help);
  if (option.repeated) text += ". May be repeated";
  const bool told =
      !option.standard.empty() && option.standard != "[]" && option.standard != "\"\"";
  if (told && !option.values.empty()) text += ". Default: " + plain(option.standard);
  return text + ".\n";
}

std::string command_text(const std::string& program, const CommandDescription& command) {
  std::string text = ".SS " + plain(command.name) + "\n\\fB" + plain(program) + " " +
                     plain(command.name) + "\\fR [\\fIOPTIONS\\fR]";
  for (const OptionDescription& operand : command.operands) text += " " + operand_text(operand);
  text +=
      "\n.PP\n" + plain(upper(command.summary.substr(0, 1)) + command.summary.substr(1)) + ".\n";
  for (const OptionDescription& operand : command.operands) {
    text += ".TP\n" + operand_text(operand) + "\n" + plain(operand.help) + ".\n";
  }
  for (const OptionDescription& option : command.options) text += option_text(option);
  return text + ".PP\nExample:\n.PP\n.EX\n" + plain(command.example) + "\n.EE\n";
}

constexpr std::string_view kRest = R"(.SH EXIT STATUS
.TP
0
Done, and good.
.TP
1
Done, and not good: a disagreement, an illegal move, a broken rulesheet.
.TP
2
Wrong use: an unknown option, a value that an option does not take.
.TP
3
Could not: a file that is missing or can't be read or written, an unknown game, a port in use.
.SH ENVIRONMENT
.TP
LUDENS_CONFIG
A folder whose folder \fIgames\fR has the bundled games.
.TP
LUDENS_KNOWLEDGE
The folder in which \fBlearn\fR writes and players look for what was learned.
.TP
NO_COLOR
Where it is set, nothing is coloured.
.TP
XDG_DATA_HOME
Where LUDENS_KNOWLEDGE is not set: the folder whose folder \fIludens/knowledge\fR is used.
Default: \fI~/.local/share\fR.
.TP
XDG_STATE_HOME
The folder in whose folder \fIludens\fR \fBserve\fR keeps journals and its key for pages.
Default: \fI~/.local/state\fR.
.SH FILES
.TP
\fIshare/ludens/games\fR
The bundled games, beside the folder of the program.
.TP
\fIshare/ludens/ludens.xml\fR
Every option at its default, as a configuration file for \fB\-\-config\fR.
.TP
\fIshare/ludens/tournaments\fR
Examples of tournaments; \fIexample.xml\fR explains every element.
)";

}  // namespace

std::string man_page(const ProgramDescription& program) {
  const std::string name = plain(program.name);
  std::string text = ".TH " + upper(program.name) + " 1 \"\" \"" + plain(program.name) + " " +
                     plain(program.version) + "\" \"User commands\"\n";
  text += ".SH NAME\n" + name + " \\- general game player\n";
  text += ".SH SYNOPSIS\n\\fB" + name + "\\fR [\\fIOPTIONS\\fR] \\fICOMMAND\\fR ...\n";
  text += ".SH DESCRIPTION\n" + plain(program.summary) + ".\n.PP\n" +
          "A \\fIGAME\\fR is the name of a bundled game or a path to a rulesheet. A player is a "
          "strategy with its options, \\fBmcts:playouts=2000,seed=7\\fR, or an address, "
          "\\fBhttp://HOST:PORT\\fR.\n.SH OPTIONS\n";
  for (const OptionDescription& option : program.options) text += option_text(option);
  text += ".SH COMMANDS\n";
  for (const CommandDescription& command : program.commands) {
    text += command_text(program.name, command);
  }
  return text + std::string(kRest);
}

}  // namespace ludens::server
