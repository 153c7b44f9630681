// SPDX-License-Identifier: MIT
#include "server/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gdl/kernel/kernel.h"
#include "gdl/text/nearest_name.h"
#include "gdl/text/printable.h"
#include "server/cli/commands.h"
#include "server/cli/configuration.h"
#include "server/cli/exit_code.h"
#include "server/cli/option_values.h"
#include "server/manual/documents.h"

#ifndef LUDENS_VERSION
#define LUDENS_VERSION "unknown"
#endif

namespace ludens::server {

namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// The option with a long name, without dashes; null if there is none. CLI::App::get_option, and
/// functions that call it, are not used: they end the program if there is no memory for the name.
CLI::Option* find_option(CLI::App& command, const std::string& name) {
  for (CLI::Option* option : command.get_options()) {
    if (std::ranges::find(option->get_lnames(), name) != option->get_lnames().end()) return option;
  }
  return nullptr;
}

/// Long names without dashes, as in the configuration file.
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_lnames().empty() && option->get_lnames().front() != "help") {
      names.push_back(option->get_lnames().front());
    }
  }
  return names;
}

/// The version, with the widest instruction set for evaluating games that this processor has.
std::string version() {
  const gdl::kernel::Kernel& widest = gdl::kernel::widest();
  return "ludens " LUDENS_VERSION
         ", "
#if defined(__clang__)
         "Clang " __clang_version__
#else
         "GCC " __VERSION__
#endif
         ", " +
         std::string(widest.name) + " (" + std::to_string(widest.lanes) + " states at once)";
}

/// The message about an option that `command` does not have, with the nearest one that it has.
std::string unknown_option(const CLI::App& command, const std::string& word) {
  std::vector<std::string> known = option_names(command);
  known.emplace_back("help");
  const std::string name = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  std::string near;
  const std::vector<std::string_view> names(known.begin(), known.end());
  if (const auto found = gdl::nearest_name(name, names)) {
    near = "; did you mean '--" + std::string(*found) + "'?";
  }
  return "unknown option '" + word + "'" + near;
}

/// The message of CLI11, and the nearest name if an option or command is unknown.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::vector<std::string> unknown = command.remaining();
  std::string text = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && chosen.empty() &&
      unknown.empty()) {
    text = "which command?";
  } else if (!unknown.empty() && unknown.front().starts_with('-')) {
    text = unknown_option(command, unknown.front());
  } else if (chosen.empty() && !unknown.empty()) {
    text = "unknown command '" + unknown.front() + "'" +
           gdl::did_you_mean(unknown.front(), command_names(app));
  } else if (!unknown.empty()) {
    text = "'" + unknown.front() + "' is one word too many";
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text + " (ludens " + (chosen.empty() ? "" : command.get_name() + " ") + "--help)";
}

CLI::App* find_command(CLI::App& app, const std::string& name) {
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

using Options = std::set<const CLI::Option*>;

/// One of these options that this one excludes; null if there is none.
const CLI::Option* excluded(const CLI::Option& option, const Options& options) {
  const auto& excludes = option.get_excludes();
  const auto found = std::find_if(excludes.begin(), excludes.end(), [&](const CLI::Option* other) {
    return options.contains(other);
  });
  return found == excludes.end() ? nullptr : *found;
}

std::string long_name(const CLI::Option& option) {
  return option.get_lnames().front();
}

/// Returns a document about the program, for `--generate`.
std::string generate(const std::string& kind) {
  const ProgramDescription program = describe_program();
  if (kind == "man") return man_page(program);
  if (kind == "bash") return bash_completion(program);
  if (kind == "zsh") return zsh_completion(program);
  return fish_completion(program);
}

/// Describes the whole command line; parsing it fills `chosen` and `configuration`.
void describe(CLI::App& app, Chosen& chosen, std::string& configuration) {
  app.description(
      "Ludens, a general game player: plays over the GGP protocol, hosts matches, studies games");
  app.name("ludens");
  app.option_defaults()->always_capture_default();
  app.require_subcommand(1);
  app.set_version_flag("--version", version());
  app.add_option("--config", configuration, "a configuration file; see config/ludens.xml");
  app.add_option_function<std::string>(
         "--generate",
         // Ends like --version: with a text on standard output.
         [](const std::string& kind) { throw CLI::CallForVersion(generate(kind), 0); },
         "the man page, or completion of a shell, on standard output")
      ->check(one_of({"man", "bash", "zsh", "fish"}));
  add_commands(app, chosen);
}

/// An option that the file sets to something else than its default.
struct FromFile {
  const CLI::Option* option;
  const Setting* setting;
};

/// Gives the option the value of the file; returns why it does not take it.
std::string set_option(CLI::Option& option, const std::string& value) {
  try {
    option.add_result(value);
    option.run_callback();
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return {};
}

/// Whether the setting gives the option another value than its default.
bool changes(const Setting& setting, const CLI::Option& option) {
  return !setting.value.empty() && setting.value != option.get_default_str();
}

/// Gives the setting to `trial`, a command line of its own; returns what is wrong with it.
std::string try_setting(CLI::App& trial, const Setting& setting, std::vector<FromFile>& set) {
  CLI::App* command = find_command(trial, setting.command);
  if (command == nullptr) {
    return "unknown command '" + setting.command + "'" +
           gdl::did_you_mean(setting.command, command_names(trial));
  }
  if (setting.option.empty()) return {};
  CLI::Option* option = find_option(*command, setting.option);
  if (option == nullptr) {
    return "'" + setting.command + "' has no option '" + setting.option + "'" +
           gdl::did_you_mean(setting.option, option_names(*command));
  }
  if (!changes(setting, *option)) return {};
  if (std::string wrong = set_option(*option, setting.value); !wrong.empty()) return wrong;
  const bool flag = option->get_items_expected_max() == 0;
  if (!flag || option->as<bool>()) set.push_back({option, &setting});
  return {};
}

/// What is wrong with a file.
struct SettingProblem {
  const Setting* setting;
  std::string text;
};

/// Checks all settings, including those of other commands and those that the command line
/// overrides, on a second command line that is then dropped. CLI11 checks only on the real one
/// which options exclude each other, so that is checked here.
std::optional<SettingProblem> problem_with(const std::vector<Setting>& settings) {
  CLI::App trial;
  Chosen chosen;
  std::string configuration;
  describe(trial, chosen, configuration);
  std::vector<FromFile> set;
  for (const Setting& setting : settings) {
    std::string wrong = try_setting(trial, setting, set);
    if (!wrong.empty()) return SettingProblem{&setting, std::move(wrong)};
  }
  Options all;
  for (const FromFile& each : set) all.insert(each.option);
  for (const auto& [option, setting] : set) {
    const CLI::Option* other = excluded(*option, all);
    if (other == nullptr) continue;
    return SettingProblem{setting,
                          "'" + long_name(*option) + "' excludes '" + long_name(*other) + "'"};
  }
  return std::nullopt;
}

/// Gives the chosen command the settings that its command line does not make and that can be used
/// beside it. Returns them.
std::vector<Setting> apply_settings(CLI::App& app, const std::vector<Setting>& settings) {
  std::vector<Setting> used;
  for (CLI::App* command : app.get_subcommands()) {
    Options given;
    for (const CLI::Option* option : command->get_options()) {
      if (option->count() > 0) given.insert(option);
    }
    for (const Setting& setting : settings) {
      if (setting.command != command->get_name() || setting.option.empty()) continue;
      CLI::Option* option = find_option(*command, setting.option);
      if (given.contains(option) || excluded(*option, given) != nullptr) continue;
      if (!changes(setting, *option)) continue;
      set_option(*option, setting.value);
      used.push_back(setting);
    }
  }
  return used;
}

void say_at(const std::string& file, int line, int column, const std::string& text) {
  std::fprintf(stderr, "%s:%d:%d: %s\n", file.c_str(), line, column, gdl::printable(text).c_str());
}

/// `used` gets the settings that the chosen command has from the file.
int apply_configuration(CLI::App& app, const std::string& file, std::vector<Setting>& used) {
  const auto read = read_configuration(file);
  auto complain = [&](int line, int column, const std::string& text) {
    say_at(file, line, column, "error: " + text);
    return kCouldNot;
  };
  if (!read) {
    const ConfigurationError error = read.error();
    return complain(error.line, error.column, error.text);
  }
  if (const auto problem = problem_with(*read)) {
    return complain(problem->setting->line, problem->setting->column, problem->text);
  }
  used = apply_settings(app, *read);
  return kGood;
}

OptionDescription describe_option(const CLI::Option& option) {
  OptionDescription described;
  described.name =
      option.get_lnames().empty() ? option.get_single_name() : option.get_lnames().front();
  described.values = option.get_type_size() == 0 ? "" : option.get_type_name();
  described.standard = option.get_default_str();
  described.help = option.get_description();
  described.required = option.get_required();
  described.repeated = option.get_expected_max() > 1;
  return described;
}

CommandDescription describe_command(const CLI::App& command) {
  CommandDescription described;
  described.name = command.get_name();
  described.summary = command.get_description();
  const std::string footer = command.get_footer();
  described.example = footer.substr(std::min(footer.find("ludens "), footer.size()));
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) {
      described.operands.push_back(describe_option(*option));
    } else if (option->get_lnames().front() != "help") {
      described.options.push_back(describe_option(*option));
    }
  }
  return described;
}

}  // namespace

ProgramDescription describe_program() {
  CLI::App app;
  Chosen chosen;
  std::string configuration;
  describe(app, chosen, configuration);
  CommandDescription own = describe_command(app);
  ProgramDescription program{
      app.get_name(), LUDENS_VERSION, own.summary, std::move(own.options), {}};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    program.commands.push_back(describe_command(*command));
  }
  return program;
}

int run_command_line(int argc, char** argv) {
  CLI::App app;
  Chosen chosen;
  std::string configuration;
  describe(app, chosen, configuration);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return fail(kWrongUse, explain(app, error));
  }
  std::vector<Setting> used;
  if (!configuration.empty()) {
    if (const int code = apply_configuration(app, configuration, used); code != kGood) return code;
  }
  const int code = chosen();
  if (code == kWrongUse) {  // some values are right or wrong for a game
    for (const Setting& setting : used) {
      say_at(configuration, setting.line, setting.column,
             "note: --" + setting.option + " is '" + setting.value + "' by this file");
    }
  }
  return code;
}

}  // namespace ludens::server
