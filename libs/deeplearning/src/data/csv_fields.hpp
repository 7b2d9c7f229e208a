// Defines CsvFields, the fields of a text in CSV, one after the other, and CsvClasses, which numbers the
// names of classes in a column; declares readReal, which reads the number in a field.
#pragma once

#include <charconv>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tapestry/deeplearning/data/read_csv.hpp>

namespace tapestry {

/// A view on the text, and the current place in it. Lines and columns count from 1.
class CsvFields {
 public:
  CsvFields(std::string_view text, char separator) : rest_(text), separator_(separator) {}

  struct Field {
    std::string text;
    std::size_t line = 0;
    std::size_t column = 0;
    bool last = false;              ///< whether it is the last of its row
    const char* problem = nullptr;  ///< the mistake in its quotes, and the expected text
  };

  /// Skips empty lines. Returns whether there is another field, which begins a row.
  bool nextRow();

  /// Returns the next field of the row that `nextRow` has begun.
  Field next();

 private:
  bool takeLineEnd();
  void takeQuoted(Field& field);

  std::string_view rest_;
  const char separator_;
  std::size_t line_ = 1;
  std::size_t column_ = 0;
};

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

/// The texts in quotes, separated by commas.
std::string listOf(const std::vector<std::string>& texts);

/// As std::from_chars does: neither white space nor a plus sign before the number, whatever the locale is.
/// But where the result is out of range, the number is 0 or infinite.
std::from_chars_result readReal(const char* begin, const char* end, double& number);

}  // namespace tapestry
