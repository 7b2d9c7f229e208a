#include <tapestry/deeplearning/storage/array_map.hpp>

#include <algorithm>
#include <stdexcept>

namespace tapestry {

ArrayMap::ArrayMap(std::string weight, FromArrays made) : weights_{{std::move(weight), std::move(made)}} {}

ArrayMap::ArrayMap(std::initializer_list<ArrayMap> parts) {
  for (const ArrayMap& part : parts) {
    for (const auto& entry : part.weights_) {
      const auto named = [&](const auto& other) { return other.first == entry.first; };
      if (std::ranges::any_of(weights_, named))
        throw std::invalid_argument("tapestry::ArrayMap: a weight occurs twice, got \"" + entry.first +
                                    "\", expected each once");
      weights_.push_back(entry);
    }
    ignored_.insert(ignored_.end(), part.ignored_.begin(), part.ignored_.end());
  }
}

ArrayMap ArrayMap::ignoring(std::string array) {
  ArrayMap map({});
  map.ignored_.push_back(std::move(array));
  return map;
}

namespace pytorch {

namespace {

std::string inside(const std::string& owner, const std::string& name) {
  return owner.empty() ? name : owner + "." + name;
}

FromArrays biasOf(const std::string& theirs, Bias bias) {
  return bias == Bias::given ? array(inside(theirs, "bias")) : FromArrays::zeros();
}

}  // namespace

ArrayMap linear(const std::string& ours, const std::string& theirs, Bias bias) {
  return {{inside(ours, "weight"), array(inside(theirs, "weight")).transposed()},
          {inside(ours, "bias"), biasOf(theirs, bias)}};
}

ArrayMap conv2d(const std::string& ours, const std::string& theirs, Bias bias) {
  return {{inside(ours, "weight"), array(inside(theirs, "weight"))},
          {inside(ours, "bias"), biasOf(theirs, bias)}};
}

ArrayMap batchNorm(const std::string& ours, const std::string& theirs) {
  return {{inside(ours, "gain"), array(inside(theirs, "weight"))},
          {inside(ours, "bias"), array(inside(theirs, "bias"))},
          {inside(ours, "mean"), array(inside(theirs, "running_mean"))},
          {inside(ours, "variance"), array(inside(theirs, "running_var"))},
          ArrayMap::ignoring(inside(theirs, "num_batches_tracked"))};
}

ArrayMap layerNorm(const std::string& ours, const std::string& theirs) {
  return {{inside(ours, "gain"), array(inside(theirs, "weight"))},
          {inside(ours, "bias"), array(inside(theirs, "bias"))}};
}

ArrayMap embedding(const std::string& ours, const std::string& theirs) {
  return {inside(ours, "table"), array(inside(theirs, "weight"))};
}

ArrayMap lstm(const std::string& ours, const std::string& theirs, std::size_t layer) {
  const auto of = [&](const char* kind) { return array(inside(theirs, kind) + std::to_string(layer)); };
  return {{inside(ours, "input"), of("weight_ih_l").transposed()},
          {inside(ours, "recurrent"), of("weight_hh_l").transposed()},
          {inside(ours, "bias"), of("bias_ih_l") + of("bias_hh_l")}};
}

ArrayMap gru(const std::string& ours, const std::string& theirs, std::size_t layer) {
  const auto of = [&](const char* kind) { return array(inside(theirs, kind) + std::to_string(layer)); };
  return {{inside(ours, "input"), of("weight_ih_l").transposed()},
          {inside(ours, "recurrent"), of("weight_hh_l").transposed()},
          {inside(ours, "bias"), of("bias_ih_l")},
          {inside(ours, "recurrentBias"), of("bias_hh_l")}};
}

ArrayMap multiHeadAttention(const std::string& ours, const std::string& theirs) {
  const auto projection = [&](const char* name, std::size_t index) {
    const std::string own = inside(ours, name);
    return ArrayMap{
        {inside(own, "weight"), array(inside(theirs, "in_proj_weight")).part(index, 3).transposed()},
        {inside(own, "bias"), array(inside(theirs, "in_proj_bias")).part(index, 3)}};
  };
  return {projection("query", 0), projection("key", 1), projection("value", 2),
          linear(inside(ours, "output"), inside(theirs, "out_proj"))};
}

}  // namespace pytorch

}  // namespace tapestry
