// Defines CsvFields, the fields of a text in CSV, one after the other.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

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

}  // namespace tapestry
