#include "csv_fields.hpp"

#include <algorithm>
#include <stdexcept>

#include "tapestry/tensor/storage/shape_in_file.hpp"

namespace tapestry {

bool CsvFields::nextRow() {
  column_ = 0;
  while (takeLineEnd()) {
  }
  return !rest_.empty();
}

CsvFields::Field CsvFields::next() {
  Field field;
  field.line = line_;
  field.column = ++column_;
  if (rest_.starts_with('"')) {
    takeQuoted(field);
  } else {
    const char ends[] = {separator_, '\r', '\n'};
    const auto size = std::min(rest_.find_first_of(std::string_view(ends, 3)), rest_.size());
    field.text = rest_.substr(0, size);
    rest_.remove_prefix(size);
  }
  if (rest_.starts_with(separator_)) {
    rest_.remove_prefix(1);
  } else {
    field.last = rest_.empty() || takeLineEnd();
    if (!field.last && !field.problem) field.problem = "text after the closing quote, expected a separator";
  }
  return field;
}

bool CsvFields::takeLineEnd() {
  const std::size_t size = rest_.starts_with("\r\n") ? 2 : rest_.starts_with('\n') || rest_.starts_with('\r');
  rest_.remove_prefix(size);
  line_ += size > 0;
  return size > 0;
}

void CsvFields::takeQuoted(Field& field) {
  for (rest_.remove_prefix(1);; rest_.remove_prefix(1)) {
    const auto size = rest_.find('"');
    if (size == std::string_view::npos) {
      field.problem = "a quote without its end, expected a closing quote";
      return rest_.remove_prefix(rest_.size());
    }
    field.text += rest_.substr(0, size);
    line_ += static_cast<std::size_t>(
        std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(size), '\n'));
    rest_.remove_prefix(size + 1);
    if (!rest_.starts_with('"')) return;
    field.text += '"';
  }
}

CsvClasses::CsvClasses(const std::vector<std::string>& known) : names_(known), complete_(!known.empty()) {
  for (const auto& name : known)
    if (!numbers_.try_emplace(name, numbers_.size()).second)
      throw std::invalid_argument("tapestry::readCsv: a class occurs twice, got " + excerpt(name) +
                                  ", expected each once");
}

std::optional<std::size_t> CsvClasses::numberOf(std::string_view name) {
  const auto found = numbers_.find(name);
  if (found != numbers_.end()) return found->second;
  if (complete_ || name.empty()) return std::nullopt;
  const auto number = names_.size();
  numbers_.emplace(name, number);
  names_.emplace_back(name);
  return number;
}

std::string CsvClasses::expected() const {
  constexpr std::size_t most = 20;
  if (!complete_) return "a name";
  return "one of " + (names_.size() <= most ? listOf(names_) : std::to_string(names_.size()) + " classes");
}

std::string listOf(const std::vector<std::string>& texts) {
  std::string list;
  for (const auto& text : texts) list += (list.empty() ? "" : ", ") + excerpt(text);
  return list;
}

}  // namespace tapestry
