// Defines readCsv, which reads a table of numbers and of names of classes, separated by commas.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tapestry/tensor/indices.hpp"
#include "tapestry/tensor/lifetime_bound.hpp"
#include "tapestry/tensor/storage/file_error.hpp"
#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

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

/// A column of texts, each of which is the name of a class. A name becomes the number of its class: its place
/// in `classes`, which are then all that the column may have; without them, names are numbered from 0 in the
/// order in which they first occur.
struct CsvTexts {
  CsvTexts(const std::convertible_to<CsvColumn> auto& which, std::vector<std::string> names = {})
      : column(which), classes(std::move(names)) {}

  CsvColumn column;
  std::vector<std::string> classes;
};

struct CsvOptions {
  bool header = false;  ///< whether the first row has the columns' names
  char separator = ',';
  std::vector<CsvTexts> texts = {};  ///< columns with names of classes: {"species"}; the others are numbers
};

/// A table of numbers, row after row.
struct Csv {
  std::vector<std::string> names;  ///< names of the columns; empty without a header
  std::size_t columns = 0;
  std::vector<double> values;
  std::map<std::size_t, std::vector<std::string>> texts;  ///< the classes of each column of texts

  std::size_t rows() const noexcept { return columns == 0 ? 0 : values.size() / columns; }
  /// Returns a view that is valid until `values` changes. Precondition: the index is below rows().
  std::span<const double> row(std::size_t index) const noexcept TAPESTRY_LIFETIME_BOUND {
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
  /// The same as the labels that `crossEntropy` and `accuracy` take; a negative number is refused, too.
  std::vector<std::uint32_t> labels(const CsvColumn& chosen) const;
  /// The names of the classes in a column of texts: number 0 is the class classes(column)[0]. Throws
  /// std::invalid_argument for a column of numbers.
  const std::vector<std::string>& classes(const CsvColumn& chosen) const;

  /// A table with the rows from `first` up to, and without, `last`, and the same classes. Throws
  /// std::out_of_range unless first <= last <= rows().
  Csv part(std::size_t first, std::size_t last) const;
};

/// Reads a file in the format of RFC 4180, plain or gzipped: a quoted field may contain separators, line
/// ends, and doubled quotes. Numbers are written as in C++, independently of the locale, including nan and
/// inf; spaces around numbers, empty lines, and a byte order mark are skipped. The name of a class is the
/// whole text of the field, including spaces. Throws FileError, with the line and the field, for a field that
/// is not a number, or not a class that its column may have or empty in a column of texts, and for a row that
/// is longer or shorter than the first; std::out_of_range for a column of texts that the table lacks;
/// std::invalid_argument for a column or a class that `texts` have twice. Blocks the thread.
[[nodiscard]] Csv readCsv(const std::filesystem::path& file, CsvOptions options = {});

}  // namespace tapestry
#pragma GCC visibility pop
