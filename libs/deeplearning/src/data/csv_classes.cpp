#include "csv_classes.hpp"

#include <stdexcept>

#include "tapestry/tensor/storage/shape_in_file.hpp"

namespace tapestry {

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

CsvColumnsOfTexts::CsvColumnsOfTexts(const Csv& table, const std::vector<CsvTexts>& texts) {
  for (const auto& text : texts) {
    const auto number = table.numberOf(text.column);
    if (!columns_.try_emplace(number, text.classes).second)
      throw std::invalid_argument("tapestry::readCsv: a column of texts occurs twice, got number " +
                                  std::to_string(number) + ", expected each once");
  }
}

std::map<std::size_t, std::vector<std::string>> CsvColumnsOfTexts::names() const {
  std::map<std::size_t, std::vector<std::string>> all;
  for (const auto& [column, classes] : columns_) all.emplace(column, classes.names());
  return all;
}

std::string listOf(const std::vector<std::string>& texts) {
  std::string list;
  for (const auto& text : texts) list += (list.empty() ? "" : ", ") + excerpt(text);
  return list;
}

}  // namespace tapestry
