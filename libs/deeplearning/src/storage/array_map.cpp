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

/// The gain and the bias of a normalization.
ArrayMap affineOf(const std::string& ours, const std::string& theirs, Affine affine) {
  return {
      {inside(ours, "gain"), affine == Affine::none ? FromArrays::ones() : array(inside(theirs, "weight"))},
      {inside(ours, "bias"), biasOf(theirs, affine == Affine::given ? Bias::given : Bias::none)}};
}

/// The names of the arrays of a layer of nn.LSTM or nn.GRU: "weight_ih" has "rnn.weight_ih_l0_reverse".
class RecurrentArrays {
 public:
  RecurrentArrays(const std::string& theirs, const RecurrentPart& part)
      : theirs_(theirs),
        suffix_("_l" + std::to_string(part.layer) + (part.reverse ? "_reverse" : "")),
        bias_(part.bias) {}

  FromArrays weight(const char* kind) const { return array(inside(theirs_, kind) + suffix_).transposed(); }
  FromArrays bias(const char* kind) const {
    return bias_ == Bias::given ? array(inside(theirs_, kind) + suffix_) : FromArrays::zeros();
  }

 private:
  std::string theirs_;
  std::string suffix_;
  Bias bias_;
};

}  // namespace

ArrayMap linear(const std::string& ours, const std::string& theirs, Bias bias) {
  return {{inside(ours, "weight"), array(inside(theirs, "weight")).transposed()},
          {inside(ours, "bias"), biasOf(theirs, bias)}};
}

ArrayMap conv2d(const std::string& ours, const std::string& theirs, Bias bias) {
  return {{inside(ours, "weight"), array(inside(theirs, "weight"))},
          {inside(ours, "bias"), biasOf(theirs, bias)}};
}

ArrayMap batchNorm(const std::string& ours, const std::string& theirs, Affine affine) {
  return {affineOf(ours, theirs, affine),
          {inside(ours, "mean"), array(inside(theirs, "running_mean"))},
          {inside(ours, "variance"), array(inside(theirs, "running_var"))},
          ArrayMap::ignoring(inside(theirs, "num_batches_tracked"))};
}

ArrayMap layerNorm(const std::string& ours, const std::string& theirs, Affine affine) {
  return affineOf(ours, theirs, affine);
}

ArrayMap embedding(const std::string& ours, const std::string& theirs) {
  return {inside(ours, "table"), array(inside(theirs, "weight"))};
}

ArrayMap lstm(const std::string& ours, const std::string& theirs, const RecurrentPart& part) {
  const RecurrentArrays arrays(theirs, part);
  return {{inside(ours, "input"), arrays.weight("weight_ih")},
          {inside(ours, "recurrent"), arrays.weight("weight_hh")},
          {inside(ours, "bias"), arrays.bias("bias_ih") + arrays.bias("bias_hh")}};
}

ArrayMap gru(const std::string& ours, const std::string& theirs, const RecurrentPart& part) {
  const RecurrentArrays arrays(theirs, part);
  return {{inside(ours, "input"), arrays.weight("weight_ih")},
          {inside(ours, "recurrent"), arrays.weight("weight_hh")},
          {inside(ours, "bias"), arrays.bias("bias_ih")},
          {inside(ours, "recurrentBias"), arrays.bias("bias_hh")}};
}

ArrayMap multiHeadAttention(const std::string& ours, const std::string& theirs, Bias bias) {
  const auto projection = [&](const char* name, std::size_t index) {
    const std::string own = inside(ours, name);
    const auto part = [&](const char* joined) { return array(inside(theirs, joined)).part(index, 3); };
    return ArrayMap{{inside(own, "weight"), part("in_proj_weight").transposed()},
                    {inside(own, "bias"), bias == Bias::given ? part("in_proj_bias") : FromArrays::zeros()}};
  };
  return {projection("query", 0), projection("key", 1), projection("value", 2),
          linear(inside(ours, "output"), inside(theirs, "out_proj"), bias)};
}

}  // namespace pytorch

}  // namespace tapestry
