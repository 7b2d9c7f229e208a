// Defines readCsv, which reads a table of numbers, separated by commas.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tapestry/tensor/storage/file_error.hpp"

namespace tapestry {

struct CsvOptions {
  bool header = false;  ///< whether the first row has the columns' names
  char separator = ',';
};

/// A table of numbers, row after row.
struct Csv {
  std::vector<std::string> names;  ///< names of the columns; empty without a header
  std::size_t columns = 0;
  std::vector<double> values;

  std::size_t rows() const noexcept { return columns == 0 ? 0 : values.size() / columns; }
  /// Returns a view that is valid until `values` changes. Precondition: the index is below rows().
  std::span<const double> row(std::size_t index) const noexcept {
    return std::span(values).subspan(index * columns, columns);
  }
};

/// Reads a file in the format of RFC 4180, plain or gzipped: a quoted field may contain separators, line
/// ends, and doubled quotes. Numbers are written as in C++, independently of the locale, including nan and
/// inf; spaces around numbers, empty lines, and a byte order mark are skipped. Throws FileError, with the
/// line and the field, for a field that is not a number, and for a row that is longer or shorter than the
/// first. Blocks the thread.
[[nodiscard]] Csv readCsv(const std::filesystem::path& file, CsvOptions options = {});

}  // namespace tapestry
