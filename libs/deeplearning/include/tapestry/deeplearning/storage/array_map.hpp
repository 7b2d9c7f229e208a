// Defines ArrayMap, which describes how a model's weights are made from the arrays of another program's file.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace tapestry {

/// How the value of a weight is made from the arrays of a file: as it is, array("fc.weight"), or changed, as
/// in array("fc.weight").transposed() or array("bias_ih") + array("bias_hh").
class FromArrays {
 public:
  FromArrays(std::string name) : terms_{{std::move(name), {}}} {}
  FromArrays(const char* name) : FromArrays(std::string(name)) {}
  /// 0 in the shape of the weight, from no array of the file.
  static FromArrays zeros() { return FromArrays(); }
  /// 1 in the shape of the weight: alone, or added, as in array("norm.weight") + FromArrays::ones().
  static FromArrays ones() {
    FromArrays made;
    made.constant_ = 1;
    return made;
  }

  /// A matrix with its two axes exchanged.
  FromArrays transposed() const { return with({Step::Kind::transpose, {}, 1}); }
  /// The part of the number `index` of `count` equal parts along the first axis: of matrices in one array.
  /// Throws std::invalid_argument unless index < count.
  FromArrays part(std::size_t index, std::size_t count) const {
    return with({Step::Kind::parts, {index}, count});
  }
  /// As many equal parts along the first axis as the order has numbers, in this order: of gates, for example.
  /// Throws std::invalid_argument for a number that is no part.
  FromArrays inOrder(const std::vector<std::size_t>& order) const {
    return with({Step::Kind::parts, order, order.size()});
  }
  friend FromArrays operator+(FromArrays a, const FromArrays& b) {
    a.terms_.insert(a.terms_.end(), b.terms_.begin(), b.terms_.end());
    a.constant_ += b.constant_;
    return a;
  }

  struct Step {
    enum class Kind { transpose, parts };
    Kind kind;
    std::vector<std::size_t> order;  ///< the chosen parts
    std::size_t count;               ///< into so many
  };
  struct Term {
    std::string name;
    std::vector<Step> steps;
  };
  /// The terms of the sum; none for zeros and ones.
  const std::vector<Term>& terms() const noexcept { return terms_; }
  /// The number that is added to each element of the sum.
  double constant() const noexcept { return constant_; }

 private:
  FromArrays() = default;
  FromArrays with(const Step& step) const {
    for (const std::size_t index : step.order)
      if (index >= step.count)
        throw std::invalid_argument("tapestry::FromArrays: no such part, got the number " +
                                    std::to_string(index) + ", expected less than " +
                                    std::to_string(step.count));
    FromArrays changed = *this;
    for (Term& term : changed.terms_) term.steps.push_back(step);
    return changed;
  }

  std::vector<Term> terms_;
  double constant_ = 0;
};

/// The array of this name in the file, as it is.
inline FromArrays array(std::string name) { return {std::move(name)}; }

/// For load(path, model, map): weights that are not in the map are read under their own names, and each array
/// of the file must be used or ignored.
///   ArrayMap{pytorch::linear("0", "fc1"), {"scale", "log_scale"}}
class ArrayMap {
 public:
  /// The weight of this name is made as described by `made`.
  ArrayMap(std::string weight, FromArrays made);
  /// All parts. Throws std::invalid_argument if two make one weight.
  ArrayMap(std::initializer_list<ArrayMap> parts);
  /// The array of this name, which need not exist, is not used.
  static ArrayMap ignoring(std::string array);

  const std::vector<std::pair<std::string, FromArrays>>& weights() const noexcept { return weights_; }
  const std::vector<std::string>& ignored() const noexcept { return ignored_; }

 private:
  std::vector<std::pair<std::string, FromArrays>> weights_;
  std::vector<std::string> ignored_;
};

/// Maps for the modules of PyTorch: `ours` is the name of a layer within the model, `theirs` the name of the
/// module in the state_dict; an empty name is that of the model itself. docs/from_pytorch.md has a table.
namespace pytorch {

/// Whether the module has a bias; our layer's is 0 otherwise.
enum class Bias : bool { none, given };

/// What a normalization has: neither (affine=False, elementwise_affine=False), the gain alone (bias=False),
/// or both. Our layer's gain is 1 otherwise, and its bias 0.
enum class Affine { none, gain, given };

/// Which part of an nn.LSTM or nn.GRU: a layer of several, and of a bidirectional module the direction.
struct RecurrentPart {
  std::size_t layer = 0;
  bool reverse = false;  ///< the direction from the last element of the sequence to the first
  Bias bias = Bias::given;
};

/// nn.Linear for Dense, which keeps its weight transposed.
ArrayMap linear(const std::string& ours, const std::string& theirs, Bias bias = Bias::given);
/// nn.Conv2d for Conv2d.
ArrayMap conv2d(const std::string& ours, const std::string& theirs, Bias bias = Bias::given);
/// nn.BatchNorm1d and 2d, with running statistics, for BatchNorm.
ArrayMap batchNorm(const std::string& ours, const std::string& theirs, Affine affine = Affine::given);
/// nn.LayerNorm for LayerNorm.
ArrayMap layerNorm(const std::string& ours, const std::string& theirs, Affine affine = Affine::given);
/// nn.Embedding for Embedding.
ArrayMap embedding(const std::string& ours, const std::string& theirs);
/// One layer, in one direction, of nn.LSTM for Lstm: gates i, f, g, o in both; the two biases are added.
///   pytorch::lstm("back", "rnn", {.layer = 1, .reverse = true})
ArrayMap lstm(const std::string& ours, const std::string& theirs, const RecurrentPart& part = {});
/// One layer, in one direction, of nn.GRU for Gru: gates r, z, n in both.
ArrayMap gru(const std::string& ours, const std::string& theirs, const RecurrentPart& part = {});
/// nn.MultiheadAttention, whose three projections are in one array, for MultiHeadAttention.
ArrayMap multiHeadAttention(const std::string& ours, const std::string& theirs, Bias bias = Bias::given);

}  // namespace pytorch

}  // namespace tapestry
#pragma GCC visibility pop
