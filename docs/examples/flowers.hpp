// The model and the data that flowers_train.cpp and flowers_predict.cpp have in common.
#pragma once

#include <tapestry/data.hpp>
#include <tapestry/deeplearning.hpp>
#include <tapestry/storage.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace tapestry;

// [model]
inline const std::vector<std::string> species{"sand lily", "meadow lily", "wood lily"};

struct Model {
  Dense<> hidden, output;

  explicit Model(Generator generator) : hidden(heNormal({4, 16}, generator)), output(16, 3, generator) {}

  TensorLayer operator()(const Tensor<float>& measures) const {
    return output(relu(hidden(measures - 3.0F)));  // near 0
  }

  Weights weights() const { return {{"hidden", hidden}, {"output", output}}; }
};
// [/model]

// [flowers]
struct Flowers {
  Tensor<float> measures;  // [flowers, 4], in cm
  std::vector<std::uint32_t> labels;

  explicit Flowers(const Csv& table)
      : measures(table.tensor({"sepal length", "sepal width", "petal length", "petal width"})),
        labels(table.labels("species")) {}
};
// [/flowers]
