// Defines readCsv, which reads a table of numbers, separated by commas.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tapestry/tensor/indices.hpp"
#include "tapestry/tensor/storage/file_error.hpp"
#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

struct CsvOptions {
  bool header = false;  ///< whether the first row has the columns' names
  char separator = ',';
};

/// A column by its name or by its number, which counts from 0.
class CsvColumn {
 public:
  CsvColumn(std::string name) : column_(std::move(name)) {}
  CsvColumn(const char* name) : column_(std::string(name)) {}
  CsvColumn(std::size_t number) noexcept : column_(number) {}
  CsvColumn(int number) noexcept : column_(static_cast<std::size_t>(number)) {}

  const std::variant<std::string, std::size_t>& value() const noexcept { return column_; }

 private:
  std::variant<std::string, std::size_t> column_;
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

  // Throw std::out_of_range for a column that the table lacks. T is float or double.

  /// The number of a column.
  std::size_t numberOf(const CsvColumn& column) const;
  /// All numbers, [rows, columns].
  template <class T = float>
  Tensor<T> tensor() const;
  /// These columns, in this order, [rows, chosen]: table.tensor({"width", "height"}).
  template <class T = float>
  Tensor<T> tensor(const std::vector<CsvColumn>& chosen) const;
  /// One column, [rows].
  template <class T = float>
  Tensor<T> column(const CsvColumn& chosen) const;
  /// A column of whole numbers, such as classes, [rows]. Throws std::invalid_argument, which names the row,
  /// for another number.
  Indices indices(const CsvColumn& chosen) const;
};

/// Reads a file in the format of RFC 4180, plain or gzipped: a quoted field may contain separators, line
/// ends, and doubled quotes. Numbers are written as in C++, independently of the locale, including nan and
/// inf; spaces around numbers, empty lines, and a byte order mark are skipped. Throws FileError, with the
/// line and the field, for a field that is not a number, and for a row that is longer or shorter than the
/// first. Blocks the thread.
[[nodiscard]] Csv readCsv(const std::filesystem::path& file, CsvOptions options = {});

}  // namespace tapestry
#pragma GCC visibility pop
