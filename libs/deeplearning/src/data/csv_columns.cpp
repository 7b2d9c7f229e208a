#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <tapestry/deeplearning/data/read_csv.hpp>

#include "tapestry/tensor/storage/shape_in_file.hpp"

namespace tapestry {

std::size_t Csv::numberOf(const CsvColumn& column) const {
  if (const auto* number = std::get_if<std::size_t>(&column.value())) {
    if (*number < columns) return *number;
    throw std::out_of_range("tapestry::Csv: no such column, got number " + std::to_string(*number) +
                            ", expected one of " + std::to_string(columns) + " columns");
  }
  const auto& name = std::get<std::string>(column.value());
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string all;
  for (const auto& own : names) all += (all.empty() ? "" : ", ") + excerpt(own);
  throw std::out_of_range("tapestry::Csv: no such column, got " + excerpt(name) + ", expected " +
                          (all.empty() ? "a number, since the table has no header" : "one of " + all));
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
  constexpr double most = 9007199254740992;  // 2^53: up to here a double tells whole numbers apart
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

template Tensor<float> Csv::tensor() const;
template Tensor<double> Csv::tensor() const;
template Tensor<float> Csv::tensor(const std::vector<CsvColumn>&) const;
template Tensor<double> Csv::tensor(const std::vector<CsvColumn>&) const;
template Tensor<float> Csv::column(const CsvColumn&) const;
template Tensor<double> Csv::column(const CsvColumn&) const;

}  // namespace tapestry
