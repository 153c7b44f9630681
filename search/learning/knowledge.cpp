// SPDX-License-Identifier: MIT
#include "search/learning/knowledge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "gdl/memory/hash.h"
#include "gdl/reach/reach_network.h"
#include "search/learning/table_layout.h"

namespace ludens::search {

namespace {

constexpr std::string_view kMagic = "LUDENSKN";
constexpr std::uint32_t kVersion = 5;
/// Weights of all tables together, with the room at their ends.
constexpr std::size_t kMostTableEntries = kMostKnowledge / sizeof(float);
constexpr std::size_t kFingerprint = 32;  // digits
constexpr float kMostWeight = 1e6F, kMostErrors = 1e12F, kMostGoals = 1e3F;
constexpr const char* kOtherGame = "it is for another game";
constexpr const char* kEndsTooEarly = "it ends too early";
constexpr const char* kTooManyTuples = "there are too many tuples";

using Cells = std::vector<std::uint32_t>;

/// Numbers in little-endian order.
class Writer {
 public:
  template <typename T>
  void put(T number) {
    static_assert(std::endian::native == std::endian::little && std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void put_text(std::string_view text) { bytes_.append(text); }
  void put_count(std::size_t count) { put(static_cast<std::uint32_t>(count)); }
  void put_row(std::span<const std::uint32_t> row) {
    put_count(row.size());
    for (const std::uint32_t number : row) put(number);
  }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::string finish() {
    put(gdl::hash_of_text(bytes_));  // detects damage, not malice
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

/// Throws std::invalid_argument at the end of the bytes.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  T get() {
    T number;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }
  std::string_view take(std::size_t bytes) {
    require(bytes <= rest_.size(), kEndsTooEarly);
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }
  /// Reads a count of things that take at least this many bytes each.
  std::size_t count(std::size_t bytes_each) {
    const std::size_t count = get<std::uint32_t>();
    require(count <= rest_.size() / bytes_each, kEndsTooEarly);
    return count;
  }
  /// The same for things that take more memory than bytes in the file: refuses more than `most`.
  std::size_t count(std::size_t bytes_each, std::size_t most, const char* too_many) {
    const std::size_t count = this->count(bytes_each);
    require(count <= most, too_many);
    return count;
  }
  Cells row() {
    Cells row(count(sizeof(std::uint32_t)));
    for (std::uint32_t& number : row) number = get<std::uint32_t>();
    return row;
  }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

/// A number small enough that sums of such numbers stay finite.
float bounded(float number, float most) {
  require(std::abs(number) <= most, "a number is too large");
  return number;
}

void write_statistics(const LearningStatistics& done, Writer& out) {
  for (const std::uint64_t count : {done.games, done.cut, done.plies, done.evaluated})
    out.put(count);
  out.put(done.seconds);
  out.put(done.expanding);
}

void write_form(const TupleForm& form, const gdl::Vocabulary& vocabulary,
                const gdl::CanonicalNames& names, Writer& out) {
  out.put_count(form.variables.size());
  const auto put_fluents = [&](const std::vector<gdl::FluentId>& fluents) {
    out.put_count(fluents.size());
    for (const gdl::FluentId fluent : fluents) {
      out.put_row(names.renumber(vocabulary.fluent_term(fluent)));
    }
  };
  for (const Variable& variable : form.variables) {
    out.put(static_cast<std::uint8_t>(variable.always_one));
    put_fluents(variable.fluents);
  }
  out.put_count(form.tuples.size());
  for (const auto& tuple : form.tuples) out.put_row(tuple);
  out.put_count(form.symmetries.size());
  for (const Symmetry& symmetry : form.symmetries) {
    for (const auto& fluents : symmetry) put_fluents(fluents);
  }
  out.put(static_cast<std::uint8_t>(!form.exchange.empty()));
  for (const auto& fluents : form.exchange) put_fluents(fluents);
  out.put_count(form.counts.size());
  for (const auto& fluents : form.counts) put_fluents(fluents);
}

void write_shape(const ValueShape& shape, Writer& out) {
  out.put_count(shape.roles.size());
  for (const ValueShape::Role& role : shape.roles) {
    out.put(role.output);
    out.put(role.sign);
    out.put(role.offset);
  }
  out.put_row(shape.learned);
  out.put_row(shape.group_of_mover);
  out.put_count(shape.groups);
  out.put(static_cast<std::uint8_t>(shape.exchanges_roles));
}

/// Everything but the weights.
void write_head(const Knowledge& knowledge, const gdl::Vocabulary& vocabulary,
                const gdl::CanonicalNames& names, Writer& out) {
  out.put_text(kMagic);
  out.put(kVersion);
  out.put_text(names.fingerprint);
  out.put(knowledge.reach);
  write_statistics(knowledge.statistics, out);
  write_form(knowledge.form, vocabulary, names, out);
  write_shape(knowledge.shape, out);
  for (const auto& waits : knowledge.waits) {
    out.put_count(waits.size());
    for (const gdl::MoveId move : waits) out.put_row(names.renumber(vocabulary.move_term(move)));
  }
}

/// Rows of weights that learned something: how many are skipped, and how many follow.
void write_weights(const Knowledge& knowledge, Writer& out) {
  const std::size_t used = TableLayout(knowledge.form).used();
  const std::size_t tables = knowledge.shape.tables();
  const std::size_t entries = tables == 0 ? 0 : knowledge.weights.size() / tables;
  const auto untouched = [](const TrainedWeight& w) { return w.error_size == 0; };
  for (std::size_t table = 0; table < tables; ++table) {
    const auto all = std::span(knowledge.weights).subspan(table * entries, used);
    for (auto at = all.begin(); at != all.end();) {
      const auto begin = std::find_if_not(at, all.end(), untouched);
      const auto end = std::find_if(begin, all.end(), untouched);
      out.put_count(static_cast<std::size_t>(begin - at));
      out.put_count(static_cast<std::size_t>(end - begin));
      for (const TrainedWeight& weight : std::span(begin, end)) out.put(weight);
      at = end;
    }
  }
}

/// Ids of terms by their canonical names.
class Terms {
 public:
  template <typename Term>
  Terms(std::size_t count, const gdl::CanonicalNames& names, const Term& term) {
    for (std::uint32_t id = 0; id < count; ++id) ids_.emplace(names.renumber(term(id)), id);
  }
  [[nodiscard]] std::uint32_t find(const Cells& cells) const {
    const auto found = ids_.find(cells);
    require(found != ids_.end(), "it speaks of something that the game does not have");
    return found->second;
  }

 private:
  std::map<Cells, std::uint32_t> ids_;
};

LearningStatistics read_statistics(Reader& in) {
  LearningStatistics done;
  for (std::uint64_t* count : {&done.games, &done.cut, &done.plies, &done.evaluated}) {
    *count = in.get<std::uint64_t>();
    require(*count <= std::uint64_t{1} << 60, "a count is too large");
  }
  for (double* seconds : {&done.seconds, &done.expanding}) {
    *seconds = in.get<double>();
    require(*seconds >= 0 && *seconds < 1e12, "its time is no time");
  }
  return done;
}

std::vector<gdl::FluentId> read_fluents(Reader& in, const Terms& fluents) {
  std::vector<gdl::FluentId> read(in.count(4));
  for (gdl::FluentId& fluent : read) fluent = fluents.find(in.row());
  return read;
}

Symmetry read_symmetry(Reader& in, const TupleForm& form, const Terms& fluents) {
  Symmetry symmetry;
  std::set<gdl::FluentId> all, images;
  for (const Variable& variable : form.variables) {
    symmetry.push_back(read_fluents(in, fluents));
    require(symmetry.back().size() == variable.fluents.size(), "a variable has no image");
    all.insert(variable.fluents.begin(), variable.fluents.end());
    images.insert(symmetry.back().begin(), symmetry.back().end());
  }
  require(all == images, "a symmetry leads out of the variables");
  return symmetry;
}

TupleForm read_form(Reader& in, const Terms& fluents) {
  TupleForm form;
  form.variables.resize(in.count(5, kMostVariables, "there are too many variables"));
  require(!form.variables.empty(), "there are no variables");
  std::set<gdl::FluentId> all;
  for (Variable& variable : form.variables) {
    variable.always_one = in.get<std::uint8_t>() != 0;
    variable.fluents = read_fluents(in, fluents);
    require(!variable.fluents.empty(), "a variable has no fluents");
    for (const gdl::FluentId fluent : variable.fluents) {
      require(all.insert(fluent).second, "a fluent is twice in the variables");
    }
  }
  form.tuples.resize(in.count(4, kMostLookups, kTooManyTuples));
  require(!form.tuples.empty(), "there are no tuples");
  for (auto& tuple : form.tuples) {
    tuple = in.row();
    std::size_t entries = 1;
    for (const std::uint32_t variable : tuple) {
      require(variable < form.variables.size(), "a tuple has an unknown variable");
      entries *= form.variables[variable].values();
      require(entries <= TupleForm::kMostEntries, "a tuple is too large");
    }
    require(std::ranges::is_sorted(tuple, std::less_equal()), "a tuple is not in order");
  }
  form.symmetries.resize(in.count(4, TupleForm::kMostSymmetries, "there are too many symmetries"));
  for (Symmetry& symmetry : form.symmetries) symmetry = read_symmetry(in, form, fluents);
  if (in.get<std::uint8_t>() != 0) form.exchange = read_symmetry(in, form, fluents);
  form.counts.resize(in.count(4, kMostLookups, "there are too many counts"));
  for (auto& count : form.counts) {
    count = read_fluents(in, fluents);
    require(count.size() < TupleForm::kMostEntries, "a count is too large");
  }
  require(form.lookup_count() <= kMostLookups, kTooManyTuples);
  return form;
}

ValueShape read_shape(Reader& in, std::size_t roles) {
  ValueShape shape;
  shape.roles.resize(in.count(12));
  require(shape.roles.size() == roles, "it is for other roles");
  for (ValueShape::Role& role : shape.roles) {
    role.output = in.get<std::uint32_t>();
    role.sign = bounded(in.get<float>(), kMostGoals);
    role.offset = bounded(in.get<float>(), kMostGoals);
  }
  shape.learned = in.row();
  require(!shape.learned.empty() && shape.learned.size() <= roles, "it has no values");
  for (const gdl::RoleIndex role : shape.learned) require(role < roles, "it is for other roles");
  for (const ValueShape::Role& role : shape.roles) {
    require(role.output < shape.outputs() || role.output == ValueShape::kNone,
            "a role has an unknown value");
  }
  shape.group_of_mover = in.row();
  shape.groups = in.get<std::uint32_t>();
  require(shape.group_of_mover.size() == roles + 1 && shape.groups <= roles + 1,
          "it is for other roles");
  for (const std::uint32_t group : shape.group_of_mover) {
    require(group < shape.groups, "a role has an unknown table");
  }
  shape.exchanges_roles = in.get<std::uint8_t>() != 0;
  require(!shape.exchanges_roles || roles == 2, "it exchanges the roles of another game");
  return shape;
}

std::vector<TrainedWeight> read_weights(Reader& in, const TupleForm& form, std::size_t tables) {
  const TableLayout layout(form);
  const std::size_t used = layout.used(), entries = layout.entries();
  require(tables * entries <= kMostTableEntries, "its tables are too large");
  std::vector<TrainedWeight> weights(tables * entries);
  for (std::size_t table = 0; table < tables; ++table) {
    for (std::size_t at = 0; at < used;) {
      const std::size_t passed = in.get<std::uint32_t>(), count = in.count(sizeof(float) * 3);
      require(passed <= used - at && count <= used - at - passed && passed + count > 0,
              "a table has too many weights");
      at += passed;
      for (const std::size_t end = at + count; at < end; ++at) {
        TrainedWeight& weight = weights[table * entries + at];
        weight.value = bounded(in.get<float>(), kMostWeight);
        weight.error_sum = bounded(in.get<float>(), kMostErrors);
        weight.error_size = bounded(in.get<float>(), kMostErrors);
        require(weight.error_size >= std::abs(weight.error_sum) * 0.999F, "an error has no size");
      }
    }
  }
  return weights;
}

/// The part between the head and the checksum, from the fingerprint on.
std::string_view content_of(std::string_view bytes) {
  constexpr std::size_t kHead = kMagic.size() + sizeof kVersion, kSum = sizeof(std::uint64_t);
  require(bytes.starts_with(kMagic), "it is no file of knowledge");
  require(bytes.size() <= kMostKnowledge, "it is too long");
  Reader head(bytes.substr(kMagic.size()));
  require(head.get<std::uint32_t>() == kVersion, "it is of another version");
  require(bytes.size() >= kHead + kSum, kEndsTooEarly);
  const std::string_view summed = bytes.substr(0, bytes.size() - kSum);
  require(Reader(bytes.substr(summed.size())).get<std::uint64_t>() == gdl::hash_of_text(summed),
          "it is damaged");
  return summed.substr(kHead);
}

/// Reads the fingerprint, too.
std::uint32_t read_reach(Reader& in, const gdl::CanonicalNames& names) {
  require(in.take(names.fingerprint.size()) == names.fingerprint, kOtherGame);
  const auto reach = in.get<std::uint32_t>();
  require(reach <= gdl::kMostReach, "it looks too many moves ahead");
  return reach;
}

Knowledge read(Reader in, const gdl::Vocabulary& vocabulary, const gdl::CanonicalNames& names) {
  Knowledge knowledge;
  knowledge.reach = read_reach(in, names);
  knowledge.statistics = read_statistics(in);
  const Terms fluents(vocabulary.fluent_count(), names,
                      [&](gdl::FluentId id) { return vocabulary.fluent_term(id); });
  knowledge.form = read_form(in, fluents);
  knowledge.shape = read_shape(in, vocabulary.rules().roles.size());
  const Terms moves(vocabulary.move_count(), names,
                    [&](gdl::MoveId id) { return vocabulary.move_term(id); });
  for (std::size_t role = 0; role < knowledge.shape.roles.size(); ++role) {
    auto& waits = knowledge.waits.emplace_back(in.count(4));
    for (gdl::MoveId& move : waits) move = moves.find(in.row());
    std::ranges::sort(waits);
  }
  knowledge.weights = read_weights(in, knowledge.form, knowledge.shape.tables());
  require(in.at_end(), "there is data after its end");
  return knowledge;
}

}  // namespace

std::string write_knowledge(const Knowledge& knowledge, const gdl::Vocabulary& vocabulary,
                            const gdl::CanonicalNames& names) {
  Writer out;
  write_head(knowledge, vocabulary, names, out);
  write_weights(knowledge, out);
  return out.finish();
}

bool fits_into_a_file(const Knowledge& knowledge, const gdl::Vocabulary& vocabulary) {
  const TableLayout layout(knowledge.form);
  const std::size_t tables = knowledge.shape.tables();
  if (knowledge.form.lookup_count() > kMostLookups ||
      tables * layout.entries() > kMostTableEntries) {
    return false;
  }
  // Other names take as many bytes.
  const gdl::CanonicalNames names{std::string(kFingerprint, '0'),
                                  std::vector<std::uint32_t>(vocabulary.rules().symbols.size())};
  Writer head;
  write_head(knowledge, vocabulary, names, head);
  // A table is longest as one row of weights that have all learned something.
  const std::size_t a_table = 2 * sizeof(std::uint32_t) + layout.used() * sizeof(TrainedWeight);
  return head.size() + tables * a_table + sizeof(std::uint64_t) <= kMostKnowledge;
}

gdl::Result<Knowledge> read_knowledge(std::string_view bytes, const gdl::Vocabulary& vocabulary,
                                      const gdl::CanonicalNames& names) {
  try {
    return read(Reader(content_of(bytes)), vocabulary, names);
  } catch (const std::invalid_argument& problem) {
    return gdl::Error{problem.what()};
  }
}

gdl::Result<std::uint32_t> reach_of_knowledge(std::string_view bytes,
                                              const gdl::CanonicalNames& names) {
  try {
    Reader in(content_of(bytes));
    return read_reach(in, names);
  } catch (const std::invalid_argument& problem) {
    return gdl::Error{problem.what()};
  }
}

std::optional<std::string> problem_of_knowledge(std::string_view bytes,
                                                std::string_view fingerprint) {
  try {
    require(content_of(bytes).starts_with(fingerprint), kOtherGame);
    return std::nullopt;
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
}

}  // namespace ludens::search
