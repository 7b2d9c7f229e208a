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
  std::vector<std::string> names;  ///< of the columns; empty without a header
  std::size_t columns = 0;
  std::vector<double> values;

  std::size_t rows() const noexcept { return columns == 0 ? 0 : values.size() / columns; }
  /// A view that lives as long as `values` stays as it is. The index must be below rows().
  std::span<const double> row(std::size_t index) const noexcept {
    return std::span(values).subspan(index * columns, columns);
  }
};

/// Reads RFC 4180, plain or gzipped: fields may be quoted, and then have separators, line ends, and quotes
/// that are doubled. Numbers are as in C++, without regard to the locale, also nan and inf; spaces around
/// them, empty lines, and a byte order mark are passed over. Throws FileError, with the line and the field,
/// for a field that is no number, and for a row that is longer or shorter than the first. Blocks the thread.
[[nodiscard]] Csv readCsv(const std::filesystem::path& file, CsvOptions options = {});

}  // namespace tapestry
