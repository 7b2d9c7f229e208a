// The model and the data that flowers_train.cpp and flowers_predict.cpp have in common.
#pragma once

#include <tapestry/data.hpp>
#include <tapestry/deeplearning.hpp>
#include <tapestry/storage.hpp>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

using namespace tapestry;

// [model]
struct Model {
  Dense<> hidden, output;

  Model(std::size_t species, Generator generator)
      : hidden(heNormal({4, 16}, generator)), output(16, species, generator) {}

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

// [names]
// A note of a file is one text: a name in each line.
inline std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + "\n";
  return text;
}

inline std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string name; std::getline(lines, name);) names.push_back(name);
  return names;
}
// [/names]
