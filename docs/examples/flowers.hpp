// The model and the data that flowers_train.cpp and flowers_predict.cpp have in common.
#pragma once

#include <tapestry/data.hpp>
#include <tapestry/deeplearning.hpp>
#include <tapestry/storage.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

using namespace tapestry;

// [model]
inline const std::array<const char*, 3> species{"sand lily", "meadow lily", "wood lily"};

struct Model {
  Dense<> hidden, output;

  explicit Model(Generator generator) : hidden(heNormal({4, 16}, generator)), output(16, 3, generator) {}

  TensorLayer operator()(const Tensor<float>& measures) const { return output(relu(hidden(measures))); }

  Weights weights() const { return {{"hidden", hidden}, {"output", output}}; }
};
// [/model]

// [flowers]
struct Flowers {
  Tensor<float> measures;  // [flowers, 4], in cm
  std::vector<std::uint32_t> species;

  /// The rows of a table with four measures and a species each, from `first` up to `last`.
  Flowers(const Csv& table, std::size_t first, std::size_t last)
      : measures(Tensor<float>::uninitialized({last - first, 4})) {
    float* next = measures.exclusiveData();
    for (std::size_t i = first; i < last; ++i) {
      for (const double value : table.row(i).first(4)) *next++ = static_cast<float>(value) - 3;  // near 0
      species.push_back(static_cast<std::uint32_t>(table.row(i)[4]));
    }
  }
};
// [/flowers]
