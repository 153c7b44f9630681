// SPDX-License-Identifier: MIT
// Scripts with which bash, zsh and fish complete command lines.
#include "server/manual/documents.h"

#include <algorithm>
#include <string_view>

namespace ludens::server {

namespace {

/// The words of a list with a separator between them.
std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

/// In single quotes, as all three shells read them.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string dashed(const OptionDescription& option) {
  return "--" + option.name;
}

std::string option_list(const std::vector<OptionDescription>& options) {
  std::vector<std::string> names;
  for (const OptionDescription& option : options) names.push_back(dashed(option));
  return joined(names, " ");
}

std::vector<std::string> names_of(const std::vector<CommandDescription>& commands) {
  std::vector<std::string> names;
  for (const CommandDescription& command : commands) names.push_back(command.name);
  return names;
}

bool takes_games(const CommandDescription& command) {
  return std::ranges::any_of(
      command.operands, [](const OptionDescription& operand) { return operand.name == "GAME"; });
}

/// The cases `COMMAND OPTION` of options with a value: those with fixed words list them, the others
/// take any value.
std::string bash_values(const std::string& command, const std::vector<OptionDescription>& options) {
  std::string text;
  std::vector<std::string> any;
  for (const OptionDescription& option : options) {
    if (option.values.empty()) continue;
    const std::string pattern = quoted(command + " " + dashed(option));
    const auto words = words_of(option);
    if (words.empty()) {
      any.push_back(pattern);
    } else {
      text += "    " + pattern + ") COMPREPLY=($(compgen -W " + quoted(joined(words, " ")) +
              " -- \"$word\")); return ;;\n";
    }
  }
  if (!any.empty()) text += "    " + joined(any, " | ") + ") return ;;\n";
  return text;
}

/// `--name=[help]:value:(words)`, in the format of _arguments.
std::string zsh_option(const OptionDescription& option) {
  std::string help;
  for (const char c : option.help) {
    if (c == '[' || c == ']' || c == '\\' || c == ':') help += '\\';
    help += c;
  }
  std::string text = (option.repeated ? "*" : "") + dashed(option) + "[" + help + "]";
  if (option.values.empty()) return quoted(text);
  const auto words = words_of(option);
  return quoted(text + ":value:" + (words.empty() ? "_files" : "(" + joined(words, " ") + ")"));
}

std::string zsh_arguments(const std::vector<OptionDescription>& options, std::string_view indent) {
  std::string text;
  for (const OptionDescription& option : options) {
    text += " \\\n" + std::string(indent) + zsh_option(option);
  }
  return text;
}

std::string fish_options(const std::string& program, const std::string& condition,
                         const std::vector<OptionDescription>& options) {
  std::string text;
  for (const OptionDescription& option : options) {
    text += "complete -c " + program + " -n " + quoted(condition) + " -l " + option.name;
    const auto words = words_of(option);
    if (!words.empty()) {
      text += " -x -a " + quoted(joined(words, " "));
    } else if (!option.values.empty()) {
      text += " -r";
    }
    text += " -d " + quoted(option.help) + "\n";
  }
  return text;
}

}  // namespace

std::string bash_completion(const ProgramDescription& program) {
  std::string values = bash_values("", program.options);
  std::string options = "      '') words=" + quoted(option_list(program.options)) + " ;;\n";
  std::vector<std::string> with_value, players;
  for (const OptionDescription& option : program.options) {
    if (!option.values.empty()) with_value.push_back(dashed(option));
  }
  for (const CommandDescription& command : program.commands) {
    values += bash_values(command.name, command.options);
    options +=
        "      " + command.name + ") words=" + quoted(option_list(command.options)) + " ;;\n";
    if (takes_games(command)) players.push_back(command.name);
  }
  return "# Completion of " + program.name + " for bash.\n_" + program.name + R"(() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' words='' i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${COMP_WORDS[i]} in
      )" +
         joined(with_value, " | ") +
         R"() i=$((i + 1)) ;;
      -*) ;;
      *) command=${COMP_WORDS[i]}; break ;;
    esac
  done
  COMPREPLY=()
  case "$command $previous" in
)" + values +
         R"(  esac
  if [[ $word == -* ]]; then
    case $command in
)" + options +
         R"(    esac
  else
    case $command in
      '') words=)" +
         quoted(joined(names_of(program.commands), " ")) + " ;;\n      " + joined(players, " | ") +
         ") words=$(" + program.name + R"( games 2>/dev/null | cut -d ' ' -f 1) ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _)" +
         program.name + " " + program.name + "\n";
}

std::string zsh_completion(const ProgramDescription& program) {
  std::string commands, arguments;
  for (const CommandDescription& command : program.commands) {
    commands += "    " + quoted(command.name + ":" + command.summary) + "\n";
    arguments +=
        "        " + command.name + ") _arguments" + zsh_arguments(command.options, "          ") +
        " \\\n          " +
        (takes_games(command) ? "'*:game:_" + program.name + "_games'" : "'*:file:_files'") +
        " ;;\n";
  }
  return "#compdef " + program.name + "\n# Completion of " + program.name + " for zsh.\n_" +
         program.name + "_games() {\n  local -a games\n  games=(${(f)\"$(" + program.name +
         " games 2>/dev/null | cut -d ' ' -f 1)\"})\n  _alternative 'games:game:compadd -a games' "
         "'files:file:_files'\n}\n_" +
         program.name + "() {\n  local state line context\n  local -a commands\n  commands=(\n" +
         commands + "  )\n  _arguments -C" + zsh_arguments(program.options, "    ") + R"( \
    '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $words[1] in
)" + arguments +
         "      esac ;;\n  esac\n}\n_" + program.name + " \"$@\"\n";
}

std::string fish_completion(const ProgramDescription& program) {
  const std::string name = program.name;
  std::string text = "# Completion of " + name + " for fish.\n" +
                     fish_options(name, "__fish_use_subcommand", program.options);
  for (const CommandDescription& command : program.commands) {
    const std::string chosen = "__fish_seen_subcommand_from " + command.name;
    text += "complete -c " + name + " -n __fish_use_subcommand -f -a " + command.name + " -d " +
            quoted(command.summary) + "\n" + fish_options(name, chosen, command.options);
    if (takes_games(command)) {
      text += "complete -c " + name + " -n " + quoted(chosen) + " -a '(" + name +
              " games 2>/dev/null | string split -f 1 \" \")'\n";
    }
  }
  return text;
}

}  // namespace ludens::server
