// Defines CsvClasses and CsvColumnsOfTexts, which number the names of classes in a table.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tapestry/deeplearning/data/read_csv.hpp>

namespace tapestry {

/// The classes of one column.
class CsvClasses {
 public:
  /// Takes new names from the column if `known` is empty. Throws std::invalid_argument for a name that occurs
  /// twice in the column.
  explicit CsvClasses(const std::vector<std::string>& known);

  /// Returns nothing for a name that the column may not have.
  std::optional<std::size_t> numberOf(std::string_view name);

  /// What the column may have, for a message.
  std::string expected() const;

  const std::vector<std::string>& names() const noexcept { return names_; }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::size_t, std::less<>> numbers_;
  bool complete_;
};

/// The columns of texts of one table.
class CsvColumnsOfTexts {
 public:
  /// Throws std::out_of_range for a column that the table lacks, std::invalid_argument for one that stands
  /// twice.
  CsvColumnsOfTexts(const Csv& table, const std::vector<CsvTexts>& texts);

  /// Returns nullptr for a column of numbers.
  CsvClasses* find(std::size_t column) {
    const auto found = columns_.find(column);
    return found == columns_.end() ? nullptr : &found->second;
  }

  std::map<std::size_t, std::vector<std::string>> names() const;

 private:
  std::map<std::size_t, CsvClasses> columns_;
};

/// The texts in quotes, separated by commas.
std::string listOf(const std::vector<std::string>& texts);

}  // namespace tapestry
