#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <tapestry/deeplearning/data/read_csv.hpp>

#include "csv_fields.hpp"
#include "tapestry/tensor/storage/shape_in_file.hpp"

namespace tapestry {

std::size_t Csv::numberOf(const CsvColumn& column) const {
  if (const auto* number = std::get_if<std::size_t>(&column.value())) {
    if (*number < columns) return *number;
    const auto given = static_cast<std::ptrdiff_t>(*number);  // CsvColumn(-1) has wrapped around
    throw std::out_of_range("tapestry::Csv: no such column, got number " + std::to_string(given) +
                            ", expected one of " + std::to_string(columns) + " columns");
  }
  const auto& name = std::get<std::string>(column.value());
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw std::out_of_range(
      "tapestry::Csv: no such column, got " + excerpt(name) + ", expected " +
      (names.empty() ? "a number, since the table has no header" : "one of " + listOf(names)));
}

template <class T>
Tensor<T> Csv::tensor() const {
  auto tensor = Tensor<T>::uninitialized({rows(), columns});
  std::ranges::transform(values, tensor.exclusiveData(), [](double value) { return static_cast<T>(value); });
  return tensor;
}

template <class T>
Tensor<T> Csv::tensor(const std::vector<CsvColumn>& chosen) const {
  std::vector<std::size_t> numbers;
  for (const auto& column : chosen) numbers.push_back(numberOf(column));
  auto tensor = Tensor<T>::uninitialized({rows(), chosen.size()});
  T* out = tensor.exclusiveData();
  for (std::size_t i = 0; i < rows(); ++i)
    for (const auto number : numbers) *out++ = static_cast<T>(row(i)[number]);
  return tensor;
}

template <class T>
Tensor<T> Csv::column(const CsvColumn& chosen) const {
  return tensor<T>(std::vector{chosen}).reshape({rows()});
}

Indices Csv::indices(const CsvColumn& chosen) const {
  const std::size_t number = numberOf(chosen);
  constexpr double most = 9007199254740992;  // 2^53: up to here a double represents every whole number
  std::vector<std::int64_t> wholes;
  for (std::size_t i = 0; i < rows(); ++i) {
    const double value = row(i)[number];
    if (std::trunc(value) != value || std::abs(value) > most)
      throw std::invalid_argument("tapestry::Csv: no whole number, got " + std::to_string(value) +
                                  " in row " + std::to_string(i) + " of column " + std::to_string(number) +
                                  ", expected one such as 3");
    wholes.push_back(static_cast<std::int64_t>(value));
  }
  return wholes;
}

std::vector<std::uint32_t> Csv::labels(const CsvColumn& chosen) const {
  const Indices wholes = indices(chosen);
  std::vector<std::uint32_t> numbers;
  for (const auto whole : wholes.values()) {
    if (!std::in_range<std::uint32_t>(whole))
      throw std::invalid_argument("tapestry::Csv: no label, got " + std::to_string(whole) + " in row " +
                                  std::to_string(numbers.size()) + " of column " +
                                  std::to_string(numberOf(chosen)) + ", expected the number of a class");
    numbers.push_back(static_cast<std::uint32_t>(whole));
  }
  return numbers;
}

const std::vector<std::string>& Csv::classes(const CsvColumn& chosen) const {
  const auto number = numberOf(chosen);
  const auto found = texts.find(number);
  if (found == texts.end())
    throw std::invalid_argument("tapestry::Csv: no classes, got number " + std::to_string(number) +
                                ", a column of numbers, expected a column of CsvOptions::texts");
  return found->second;
}

Csv Csv::part(std::size_t first, std::size_t last) const {
  if (first > last || last > rows())
    throw std::out_of_range("tapestry::Csv: no such rows, got " + std::to_string(first) + " to " +
                            std::to_string(last) + ", expected a part of 0 to " + std::to_string(rows()));
  const auto begin = values.begin();
  const auto at = [this, begin](std::size_t row) {
    return begin + static_cast<std::ptrdiff_t>(row * columns);
  };
  return {names, columns, {at(first), at(last)}, texts};
}

template Tensor<float> Csv::tensor() const;
template Tensor<double> Csv::tensor() const;
template Tensor<float> Csv::tensor(const std::vector<CsvColumn>&) const;
template Tensor<double> Csv::tensor(const std::vector<CsvColumn>&) const;
template Tensor<float> Csv::column(const CsvColumn&) const;
template Tensor<double> Csv::column(const CsvColumn&) const;

}  // namespace tapestry
