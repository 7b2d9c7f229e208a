#include <tapestry/deeplearning/operations/product/einsum.hpp>

#include <map>
#include <set>

#include "deeplearning/operations/binary.hpp"
#include "tapestry/tensor/buffer_pool.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

/// The subscripts of an einsum, "x,y->z", in parts.
struct EinsumCase {
  std::string x;
  std::string y;
  std::string z;
  std::string subscripts() const { return x + "," + y + "->" + z; }
};

/// One extent for each label, and the shapes that they make.
class EinsumExtents {
 public:
  EinsumExtents(Random& random, const EinsumCase& labels, std::size_t largest) {
    for (const char label : labels.x + labels.y)
      extents_.emplace(label, random.below(20) == 0 ? 0 : 1 + random.below(largest));
  }
  Shape of(const std::string& labels) const {
    std::vector<std::size_t> extents;
    for (const char label : labels) extents.push_back(extents_.at(label));
    return Shape(std::span<const std::size_t>(extents));
  }
  const std::map<char, std::size_t>& all() const { return extents_; }

 private:
  std::map<char, std::size_t> extents_;
};

std::size_t einsumOffset(const std::string& labels, const Shape& shape,
                         const std::map<char, std::size_t>& index) {
  std::size_t offset = 0;
  for (std::size_t axis = 0; axis < labels.size(); ++axis)
    offset = offset * shape[axis] + index.at(labels[axis]);
  return offset;
}

/// By the definition: each index of all labels adds one product.
Tensor<double> plainEinsum(const EinsumCase& labels, const EinsumExtents& extents, const Tensor<double>& x,
                           const Tensor<double>& y) {
  auto result = Tensor<double>::zeros(extents.of(labels.z));
  double* const z = result.exclusiveData();
  std::map<char, std::size_t> index;
  std::size_t count = 1;
  for (const auto& [label, extent] : extents.all()) count *= extent;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i;
    for (const auto& [label, extent] : extents.all()) {
      index[label] = rest % extent;
      rest /= extent;
    }
    z[einsumOffset(labels.z, result.shape(), index)] += x.data()[einsumOffset(labels.x, x.shape(), index)] *
                                                        y.data()[einsumOffset(labels.y, y.shape(), index)];
  }
  return result;
}

/// Some of the labels, in random order.
std::string drawLabels(Random& random, std::string from, std::size_t most) {
  std::string result;
  for (std::size_t count = std::min(random.below(most + 1), from.size()); count > 0; --count) {
    const std::size_t at = random.below(from.size());
    result += from[at];
    from.erase(at, 1);
  }
  return result;
}

EinsumCase drawCase(Random& random) {
  const std::string x = drawLabels(random, "abCd", 4);
  const std::string y = drawLabels(random, "abCde", 4);
  std::string both = x;
  for (const char label : y)
    if (x.find(label) == std::string::npos) both += label;
  return {x, y, drawLabels(random, both, both.size())};
}

}  // namespace

TEST_CASE("einsum of matrices is their product") {
  const Tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor<float> y({3, 2}, {1, 0, 2, 1, 0, 3});
  const Tensor<float> product({2, 2}, {5, 11, 14, 23});
  CHECK(einsum("ij,jk->ik", x, y) == product);
  CHECK(einsum(" ij, jk -> ik ", x, y) == product);
  CHECK(valueOf(einsum("ij,jk->ki", TensorLayer(x), y)) == Tensor<float>({2, 2}, {5, 14, 11, 23}));
  CHECK(valueOf(einsum("ij,ji->", x, TensorWeight(y))) == Tensor<float>::scalar(28));
}

TEST_CASE("einsum without a result keeps the labels that occur once, in alphabetical order") {
  const Tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor<float> y({3, 2}, {1, 0, 2, 1, 0, 3});
  CHECK(einsum("ij,jk", x, y) == einsum("ij,jk->ik", x, y));
  CHECK(einsum("kj,ji", x, y) == einsum("kj,ji->ik", x, y));
  CHECK(einsum("ij,ji", x, y) == Tensor<float>::scalar(28));
  CHECK(einsum("a,B", Tensor<float>({2}, {1, 2}), Tensor<float>({1}, {3})) == Tensor<float>({1, 2}, {3, 6}));
}

TEST_CASE("einsum computes its definition, for any labels") {
  Random random(19);
  for (int round = 0; round < 500; ++round) {
    const EinsumCase labels = drawCase(random);
    CAPTURE(labels.subscripts());
    const EinsumExtents extents(random, labels, 3);
    const auto x = random.integers<double>(extents.of(labels.x));
    const auto y = random.integers<double>(extents.of(labels.y));
    CHECK(einsum(labels.subscripts(), x, y) == plainEinsum(labels, extents, x, y));
  }
}

TEST_CASE("the gradients of einsum are the central differences") {
  Random random(20);
  const std::vector<EinsumCase> cases{
      {"ij", "jk", "ik"},       {"ji", "jk", "ik"},
      {"oi", "bi", "bo"},       {"bti", "ij", "btj"},
      {"bhqd", "bhkd", "bhqk"}, {"bqhd", "bkhd", "bhqk"},
      {"i", "j", "ij"},         {"i", "i", ""},
      {"ij", "ij", "ij"},       {"ij", "ij", "i"},
      {"ij", "k", "k"},         {"ijk", "k", "j"},
      {"", "ij", "ji"},         {"", "", ""},
      {"abcde", "ecf", "afbd"},
  };
  for (const EinsumCase& labels : cases) {
    CAPTURE(labels.subscripts());
    const EinsumExtents extents(random, labels, 2);
    const auto operation = [&](const auto& x, const auto& y) { return einsum(labels.subscripts(), x, y); };
    checkKinds<double>(operation, random.tensor<double>(extents.of(labels.x)),
                       random.tensor<double>(extents.of(labels.y)));
    checkGradients<float>(operation, random.tensor<float>(extents.of(labels.x)),
                          random.tensor<float>(extents.of(labels.y)));
  }
}

TEST_CASE("the gradients of einsum are the central differences, for any labels") {
  Random random(21);
  for (int round = 0; round < 40; ++round) {
    const EinsumCase labels = drawCase(random);
    CAPTURE(labels.subscripts());
    const EinsumExtents extents(random, labels, 2);
    checkGradients([&](const auto& x, const auto& y) { return einsum(labels.subscripts(), x, y); },
                   random.tensor<double>(extents.of(labels.x)), random.tensor<double>(extents.of(labels.y)));
  }
}

TEST_CASE("einsum of a weight used in several products, in either order, adds up its deltas") {
  Random random(22);
  const auto x = random.tensor<double>({3, 2});
  checkGradients(
      [&](const auto& w) {
        return einsum("bi,oi->bo", x, w) + einsum("oi,bi->bo", w, x) + einsum("bi,io->bo", x, w);
      },
      random.tensor<double>({2, 2}));
}

TEST_CASE("the delta of a matrix in an einsum stays symbolic, where it meets a stack") {
  using Labelled = detail::Labelled<Tensor<float>>;
  const Labelled x{Tensor<float>::full({8, 4, 32}, 1), "bti"};
  const Labelled delta{Tensor<float>::full({8, 4, 64}, 1), "bto"};
  const Labelled w{Tensor<float>::zeros({64, 32}), "oi"};
  const std::size_t before = BufferPool::liveBytes();
  const TensorDelta<float> dw = detail::einsumDerivative(delta, w, x);
  CHECK(BufferPool::liveBytes() - before < w.values.size() * sizeof(float));
  CHECK(dw.dense() == Tensor<float>::full({64, 32}, 32));
}

TEST_CASE("einsum reports mistakes in subscripts") {
  const Tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto refused = [&](const std::string& subscripts, const std::string& problem,
                           const std::string& expected) {
    CHECK(errorOf([&] { einsum(subscripts, x, x); }) ==
          "tapestry::einsum: " + problem + ", got \"" + subscripts + "\", expected " + expected);
  };
  const std::string form = "letters, one ',' and at most one '->'";
  refused("ij", "not the labels of two operands", form);
  refused("ij,jk,kl->il", "not the labels of two operands", form);
  refused("ij,j1->i", "'1' is no label", form);
  refused("...ij,jk->ik", "'.' is no label", form);
  refused("ij,jk->i->k", "'-' is no label", form);
  refused("ii,ij->j", "label 'i' is twice in the first operand", "each label at most once there");
  refused("ij,jj->i", "label 'j' is twice in the second operand", "each label at most once there");
  refused("ij,ij->ii", "label 'i' is twice in the result", "each label at most once there");
  refused("ij,ij->ik", "label 'k' of the result is in no operand", "labels of operands");
  CHECK_THROWS_AS(einsum("ij", x, x), std::invalid_argument);
}

TEST_CASE("einsum refuses shapes that do not fit the labels, as soon as they are known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const auto refused = [&](const char* subscripts, const Shape& shape, const std::string& text) {
    const auto y = Tensor<double>::zeros(shape);
    const std::string message = "tapestry::einsum: " + text;
    CHECK_THROWS_WITH_AS(einsum(subscripts, x, y), message.c_str(), ShapeError);
    CHECK_THROWS_WITH_AS(einsum(subscripts, x.data(), y), message.c_str(), ShapeError);
    CHECK(evaluationError(einsum(subscripts, lateLayer(x), y)) == message);
  };
  refused("ij,j->i", {3, 1},
          "the labels do not fit the shape, got [3, 1] for \"j\", expected an axis for each label");
  refused("ij,jk->ik", {4, 5},
          "the extents of label 'j' differ, got [2, 3] for \"ij\" and [4, 5] for \"jk\", expected one extent "
          "for each label");
}
