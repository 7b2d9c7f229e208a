// A call with a wrong argument is refused by constraints: `requires` sees that, and functions and operators
// of the user's are called instead.
#include <doctest/doctest.h>

#include <array>
#include <initializer_list>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/callable.hpp"
#include "tapestry/data.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/deeplearning/extend/graph.hpp"
#include "tapestry/deeplearning/extend/pass_gradients.hpp"
#include "tapestry/deeplearning/storage/model_arrays.hpp"
#include "tapestry/pictures.hpp"
#include "tapestry/storage.hpp"

using namespace tapestry;

namespace refusal {

using Text = std::string;
using Floats = Tensor<float>;
using Doubles = Tensor<double>;
using Layers = std::vector<TensorLayer>;
using Offsets = std::vector<std::ptrdiff_t>;
using Padding = std::vector<std::pair<std::size_t, std::size_t>>;
using Labels = std::vector<std::uint32_t>;
using Model = Dense<float>;
using Program = Do<double>;

// Each line: operands that the function accepts, and operands that it refuses.

// operations on one scalar or tensor
TAPESTRY_ACCEPTS(tapestry::abs, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::cos, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::exp, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::expm1, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::gelu, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::log, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::log1p, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::relu, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::sigmoid, (TensorWeight), (Text));
TAPESTRY_ACCEPTS(tapestry::sigmoid, (double), (Nothing));
TAPESTRY_ACCEPTS(tapestry::sigmoid, (double), (int));
TAPESTRY_ACCEPTS(tapestry::sigmoid, (double), (TableWeight));
TAPESTRY_ACCEPTS(tapestry::sign, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::silu, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::sin, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::softplus, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::sqrt, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::tanh, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::elu, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::elu, (FloatLayer, int), (DoubleLayer, Text));
TAPESTRY_ACCEPTS(tapestry::leakyRelu, (DoubleLayer), (Text, double));
TAPESTRY_ACCEPTS(tapestry::clamp, (DoubleLayer, int, int), (Text, int, int));
TAPESTRY_ACCEPTS(tapestry::clamp, (DoubleLayer, int, int), (DoubleLayer, Text, int));
TAPESTRY_ACCEPTS(tapestry::sum, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::sum, (Layers), (std::vector<Text>));
TAPESTRY_ACCEPTS(tapestry::sum, (TensorLayer, Axes), (DoubleLayer, Axes));
TAPESTRY_ACCEPTS(tapestry::mean, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::mean, (Layers), (std::vector<Text>));
TAPESTRY_ACCEPTS(tapestry::mean, (TensorLayer, Axes), (DoubleLayer, Axes));

// operations on several
TAPESTRY_ACCEPTS(tapestry::max, (int, DoubleLayer), (int, int));
TAPESTRY_ACCEPTS(tapestry::max, (Floats, Axes), (Text, Text));
TAPESTRY_ACCEPTS(tapestry::max, (Floats), (DoubleLayer));
TAPESTRY_ACCEPTS(tapestry::max, (Floats), (DoubleLayer, Axes));
TAPESTRY_ACCEPTS(tapestry::max, (Floats), (Floats, Doubles));
TAPESTRY_ACCEPTS(tapestry::min, (int, DoubleLayer), (int, int));
TAPESTRY_ACCEPTS(tapestry::min, (Floats, Axes), (Text, Text));
TAPESTRY_ACCEPTS(tapestry::min, (Floats), (DoubleLayer));
TAPESTRY_ACCEPTS(tapestry::min, (Floats), (DoubleLayer, Axes));
TAPESTRY_ACCEPTS(tapestry::min, (Floats), (Floats, Doubles));
TAPESTRY_ACCEPTS(tapestry::pow, (DoubleLayer, int), (DoubleLayer, Text));
TAPESTRY_ACCEPTS(tapestry::greater, (DoubleLayer, int), (DoubleLayer, Text));
TAPESTRY_ACCEPTS(tapestry::greaterEqual, (DoubleLayer, int), (DoubleLayer, Text));
TAPESTRY_ACCEPTS(tapestry::less, (DoubleLayer, int), (DoubleLayer, Text));
TAPESTRY_ACCEPTS(tapestry::lessEqual, (DoubleLayer, int), (DoubleLayer, Text));
TAPESTRY_ACCEPTS(tapestry::equal, (DoubleLayer, int), (DoubleLayer, Text));
TAPESTRY_ACCEPTS(tapestry::notEqual, (DoubleLayer, int), (DoubleLayer, Text));
TAPESTRY_ACCEPTS(tapestry::where, (DoubleLayer, int, int), (Text, int, int));
TAPESTRY_ACCEPTS(tapestry::where, (DoubleLayer, int, int), (DoubleLayer, Floats, Doubles));
TAPESTRY_ACCEPTS(tapestry::mse, (DoubleLayer, int), (DoubleLayer, Text));
TAPESTRY_ACCEPTS(tapestry::mse, (DoubleLayer, int), (double, double));
TAPESTRY_ACCEPTS(tapestry::huber, (DoubleLayer, int, double), (DoubleLayer, Text));
TAPESTRY_ACCEPTS(tapestry::hinge, (DoubleLayer, int), (DoubleLayer, Text));
TAPESTRY_ACCEPTS(tapestry::binaryCrossEntropyWithLogits, (DoubleLayer, int), (DoubleLayer, Text));
TAPESTRY_ACCEPTS(tapestry::binaryCrossEntropyWithLogits, (DoubleLayer, int), (int, DoubleLayer));

// operations on tensors
TAPESTRY_ACCEPTS(tapestry::affine, (TensorLayer, TensorWeight, Floats), (TensorLayer, TensorWeight, Doubles));
TAPESTRY_ACCEPTS(tapestry::affine, (TensorLayer, TensorWeight, Floats), (TensorLayer, float, Floats));
TAPESTRY_ACCEPTS(tapestry::argmax, (Floats, int), (TensorLayer, int));
TAPESTRY_ACCEPTS(tapestry::avgPool2d, (TensorLayer, kernels::Pooling), (DoubleLayer, kernels::Pooling));
TAPESTRY_ACCEPTS(tapestry::maxPool2d, (TensorLayer, kernels::Pooling), (DoubleLayer, kernels::Pooling));
static_assert(TAPESTRY_CALLABLE(tapestry::batchNorm, TensorLayer, Floats, Floats, BatchStatistics<float>));
static_assert(!TAPESTRY_CALLABLE(tapestry::batchNorm, TensorLayer, Floats, Floats, BatchStatistics<double>) &&
              !TAPESTRY_CALLABLE(tapestry::batchNorm, TensorLayer, Doubles, Floats, BatchStatistics<float>) &&
              !TAPESTRY_CALLABLE(tapestry::batchNorm, Text, Text, Text, Text));
TAPESTRY_ACCEPTS(tapestry::broadcastTo, (TensorLayer, Shape), (DoubleLayer, Shape));
TAPESTRY_ACCEPTS(tapestry::concat, (Layers, int), (std::vector<DoubleLayer>));
TAPESTRY_ACCEPTS(tapestry::concat, (Layers, int), (Floats));
TAPESTRY_ACCEPTS(tapestry::concat, (Layers, int), (Text));
TAPESTRY_ACCEPTS(tapestry::stack, (Layers, int), (std::vector<DoubleLayer>));
TAPESTRY_ACCEPTS(tapestry::stack, (Layers, int), (Floats));
TAPESTRY_ACCEPTS(tapestry::stack, (Layers, int), (Text));
TAPESTRY_ACCEPTS(tapestry::conv2d, (TensorLayer, Floats), (TensorLayer, Doubles));
TAPESTRY_ACCEPTS(tapestry::conv2d, (TensorLayer, Floats, Floats, kernels::Convolution),
                 (TensorLayer, float, Floats));
TAPESTRY_ACCEPTS(tapestry::crossEntropy, (TensorLayer, Floats), (TensorLayer, Text));
TAPESTRY_ACCEPTS(tapestry::crossEntropy, (TensorLayer, Labels), (DoubleLayer, Labels));
TAPESTRY_ACCEPTS(tapestry::softmaxCrossEntropy, (TensorLayer, Labels), (TensorLayer, Floats));
TAPESTRY_ACCEPTS(tapestry::softmaxCrossEntropy, (TensorLayer, int), (DoubleLayer, Labels));
TAPESTRY_ACCEPTS(tapestry::dot, (TensorLayer, Floats), (TensorLayer, float));
TAPESTRY_ACCEPTS(tapestry::outer, (TensorLayer, Floats), (TensorLayer, float));
TAPESTRY_ACCEPTS(tapestry::matmul, (TensorLayer, Floats), (TensorLayer, Doubles));
TAPESTRY_ACCEPTS(tapestry::matmul, (TensorLayer, Transpose, Floats, Transpose),
                 (TensorLayer, Transpose, float, Transpose));
TAPESTRY_ACCEPTS(tapestry::einsum, (const char*, TensorLayer, Floats), (const char*, TensorLayer, Doubles));
TAPESTRY_ACCEPTS(tapestry::einsum, (const char*, TensorLayer, Floats), (Floats, Floats, Floats));
TAPESTRY_ACCEPTS(tapestry::dropout, (TensorLayer, double), (DoubleLayer, double));
TAPESTRY_ACCEPTS(tapestry::element, (TensorLayer, Offsets), (DoubleLayer, Offsets));
TAPESTRY_ACCEPTS(tapestry::embedding, (TableWeight, Indices), (TensorWeight, Indices));
TAPESTRY_ACCEPTS(tapestry::embedding, (TableWeight, Indices), (TableWeight, Floats));
TAPESTRY_ACCEPTS(tapestry::expandDims, (TensorLayer, int), (DoubleLayer, int));
TAPESTRY_ACCEPTS(tapestry::gather, (TensorLayer, Indices, int), (DoubleLayer, Indices));
TAPESTRY_ACCEPTS(tapestry::scatter, (TensorLayer, Indices, int, int), (DoubleLayer, Indices, int, int));
TAPESTRY_ACCEPTS(tapestry::layerNorm, (TensorLayer), (DoubleLayer));
TAPESTRY_ACCEPTS(tapestry::layerNorm, (TensorLayer, Floats, float), (TensorLayer, Doubles, Floats));
TAPESTRY_ACCEPTS(tapestry::softmax, (TensorLayer, int), (DoubleLayer));
TAPESTRY_ACCEPTS(tapestry::logSoftmax, (TensorLayer, int), (DoubleLayer));
TAPESTRY_ACCEPTS(tapestry::logSumExp, (TensorLayer, Axes), (DoubleLayer));
TAPESTRY_ACCEPTS(tapestry::norm, (TensorLayer, Axes), (DoubleLayer));
TAPESTRY_ACCEPTS(tapestry::variance, (TensorLayer, Axes), (DoubleLayer));
TAPESTRY_ACCEPTS(tapestry::pad, (TensorLayer, Padding, double), (DoubleLayer, Padding));
TAPESTRY_ACCEPTS(tapestry::permute, (TensorLayer, Offsets), (DoubleLayer, Offsets));
TAPESTRY_ACCEPTS(tapestry::reshape, (TensorLayer, Shape), (DoubleLayer, Shape));
TAPESTRY_ACCEPTS(tapestry::scaledDotProductAttention, (TensorLayer, Floats, Floats),
                 (TensorLayer, Floats, Doubles));
TAPESTRY_ACCEPTS(tapestry::scaledDotProductAttention, (TensorLayer, Floats, Floats, Floats),
                 (TensorLayer, Floats, Floats, Text));
TAPESTRY_ACCEPTS(tapestry::slice, (TensorLayer, std::vector<Slice>), (DoubleLayer, std::vector<Slice>));
TAPESTRY_ACCEPTS(tapestry::split, (TensorLayer, int, int), (DoubleLayer, int, int));
TAPESTRY_ACCEPTS(tapestry::translate, (TensorLayer, Offsets), (DoubleLayer, Offsets));
TAPESTRY_ACCEPTS(tapestry::transpose, (TensorLayer), (DoubleLayer));

// operations as objects
static_assert(std::invocable<decltype(operations::relu), DoubleLayer> &&
              std::invocable<decltype(operations::relu), Floats>);
static_assert(!std::invocable<decltype(operations::relu), Text> &&
              !std::invocable<decltype(operations::relu), TableWeight> &&
              !std::invocable<decltype(operations::relu), std::vector<DoubleLayer>>);
static_assert(std::invocable<decltype(operations::transpose), TensorLayer> &&
              !std::invocable<decltype(operations::transpose), double>);
static_assert(std::invocable<decltype(operations::add), int, DoubleLayer> &&
              std::invocable<decltype(operations::add), double, Floats>);
static_assert(!std::invocable<decltype(operations::add), DoubleLayer, Text> &&
              !std::invocable<decltype(operations::add), TensorLayer, Doubles>);
static_assert(!std::invocable<decltype(operations::dot), TensorLayer, float> &&
              !std::invocable<decltype(operations::dot), int, TensorLayer>);

constexpr auto same = [](const std::floating_point auto& x) { return x; };
constexpr auto withoutForward = unaryOperation<"withoutForward", Keep::nothing>([] { return 1.0; }, same);
constexpr auto withoutDerivative = unaryOperation<"withoutDerivative", Keep::operands>(same, same);
constexpr auto withoutDelta = unaryOperation<"withoutDelta", Keep::nothing>(same, [](const auto&) {});
constexpr auto firstOfTwo = binaryOperation<"firstOfTwo", Keep::output>(
    [](const std::floating_point auto& x, const std::floating_point auto&) { return x; },
    [](const auto& delta, const auto&) { return delta; }, same);
static_assert(!std::invocable<decltype(withoutForward), double>);
static_assert(std::invocable<decltype(withoutDerivative), double> &&
              !std::invocable<decltype(withoutDerivative), DoubleLayer>);
static_assert(!std::invocable<decltype(withoutDelta), DoubleLayer>);
static_assert(std::invocable<decltype(firstOfTwo), double, double> &&
              !std::invocable<decltype(firstOfTwo), DoubleLayer, double> &&
              !std::invocable<decltype(firstOfTwo), double, Floats>);

// factories of operations, deltas and chains
using Formula = decltype([](const auto& x) { return x; });
TAPESTRY_ACCEPTS((tapestry::unaryOperation<"f", Keep::nothing>), (Formula, Formula), (int, Formula));
TAPESTRY_ACCEPTS((tapestry::unaryOperation<"f", Keep::nothing>), (double (*)(double), Formula),
                 (Formula, Text));
TAPESTRY_ACCEPTS((tapestry::unaryOperation<"f", Keep::nothing>), (double (*)(double), Formula), (Formula));
static_assert(TAPESTRY_CALLABLE((tapestry::binaryOperation<"f", Keep::nothing>), Formula, Formula, Formula));
static_assert(!TAPESTRY_CALLABLE((tapestry::binaryOperation<"f", Keep::nothing>), Formula, Formula, Text) &&
              !TAPESTRY_CALLABLE((tapestry::binaryOperation<"f", Keep::nothing>), Formula, Formula));
TAPESTRY_ACCEPTS((tapestry::ternaryOperation<"f", Keep::nothing, Elementwise>),
                 (Formula, Formula, Formula, Formula), (Formula, Formula, Formula, int));
TAPESTRY_ACCEPTS(tapestry::elementwise<"f">, (Formula), (Text));
TAPESTRY_ACCEPTS(tapestry::elementwise<"f">, (Formula, Formula), (Formula, Nothing));
TAPESTRY_ACCEPTS(tapestry::addDelta, (double&, double), (Nothing&, Nothing));
TAPESTRY_ACCEPTS(tapestry::addDelta, (TensorDelta<float>&, TensorDelta<float>), (double&, Nothing));
TAPESTRY_ACCEPTS(tapestry::addDelta, (std::vector<double>&, std::vector<double>), (double&, Nothing));
// a delta of parts, whose parts must add up
using PartDeltas = std::vector<std::tuple<double, std::array<TensorDelta<float>, 2>>>;
static_assert(TAPESTRY_CALLABLE(tapestry::addDelta, PartDeltas&, PartDeltas));
static_assert(!TAPESTRY_CALLABLE(tapestry::addDelta, std::vector<Nothing>&, std::vector<Nothing>) &&
              !TAPESTRY_CALLABLE(tapestry::addDelta, std::array<Nothing, 2>&, std::array<Nothing, 2>) &&
              !TAPESTRY_CALLABLE(tapestry::addDelta, std::pair<double, Nothing>&,
                                 std::pair<double, Nothing>) &&
              !TAPESTRY_CALLABLE(tapestry::addDelta, std::tuple<Nothing>&, std::tuple<Nothing>));
TAPESTRY_ACCEPTS(tapestry::chain, (L2, Sgd), (int));
TAPESTRY_ACCEPTS(tapestry::chain, (Adam), (L2, Text));

// initial values
TAPESTRY_ACCEPTS(tapestry::fansOf, (Shape), (Text));
static_assert(TAPESTRY_CALLABLE(tapestry::uniform, Shape, int, int, Generator&) &&
              !TAPESTRY_CALLABLE(tapestry::uniform, Shape, Text, int, Generator&) &&
              !TAPESTRY_CALLABLE(tapestry::uniform<int>, Shape, int, int, Generator&));
static_assert(TAPESTRY_CALLABLE(tapestry::normal<double>, Shape, int, int, Generator&) &&
              !TAPESTRY_CALLABLE(tapestry::normal, Text, int, int, Generator&) &&
              !TAPESTRY_CALLABLE(tapestry::normal<int>, Shape, int, int, Generator&));
static_assert(TAPESTRY_CALLABLE(tapestry::glorotUniform, Shape, Generator&) &&
              !TAPESTRY_CALLABLE(tapestry::glorotUniform, Text, Generator&) &&
              !TAPESTRY_CALLABLE(tapestry::glorotUniform<int>, Shape, Generator&));
static_assert(TAPESTRY_CALLABLE(tapestry::glorotNormal, Shape, Generator&) &&
              !TAPESTRY_CALLABLE(tapestry::glorotNormal, Text, Generator&) &&
              !TAPESTRY_CALLABLE(tapestry::glorotNormal<int>, Shape, Generator&));
static_assert(TAPESTRY_CALLABLE(tapestry::heUniform, Shape, Generator&) &&
              !TAPESTRY_CALLABLE(tapestry::heUniform, Text, Generator&) &&
              !TAPESTRY_CALLABLE(tapestry::heUniform<int>, Shape, Generator&));
static_assert(TAPESTRY_CALLABLE(tapestry::heNormal, Shape, Generator&) &&
              !TAPESTRY_CALLABLE(tapestry::heNormal, Text, Generator&) &&
              !TAPESTRY_CALLABLE(tapestry::heNormal<int>, Shape, Generator&));
static_assert(TAPESTRY_CALLABLE(tapestry::orthogonal, Shape, Generator&) &&
              !TAPESTRY_CALLABLE(tapestry::orthogonal, Text, Generator&) &&
              !TAPESTRY_CALLABLE(tapestry::orthogonal<int>, Shape, Generator&));

// pictures, measurements and graphs
TAPESTRY_ACCEPTS(tapestry::accuracy, (Floats, Labels), (TensorLayer, Labels));
TAPESTRY_ACCEPTS(tapestry::summary, (DoubleLayer, SummaryOptions), (Text));
TAPESTRY_ACCEPTS(tapestry::summary, (DoubleLayer, SummaryOptions), (DoubleLayer, Nothing));
TAPESTRY_ACCEPTS(tapestry::toDot, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::profile, (Program), (DoubleLayer));
TAPESTRY_ACCEPTS(tapestry::profile, (Program), (Do<void>));
TAPESTRY_ACCEPTS(tapestry::observePasses, (std::shared_ptr<PassObserver>), (Nothing));
TAPESTRY_ACCEPTS(tapestry::extend::graphOf, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::extend::formOf, (TensorWeight), (TensorLayer));
TAPESTRY_ACCEPTS(tapestry::extend::attributeOf, (Axes), (Text));
TAPESTRY_ACCEPTS(tapestry::extend::integersOf, (Offsets), (std::vector<Text>));
TAPESTRY_ACCEPTS(tapestry::extend::integersOf, (Offsets), (int));

// passes and programs
TAPESTRY_ACCEPTS(tapestry::forward, (DoubleLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::nodeOf, (double), (Text));
TAPESTRY_ACCEPTS(tapestry::toProgram, (DoubleLayer), (double));
TAPESTRY_ACCEPTS(tapestry::train, (DoubleLayer, TensorLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::train, (DoubleLayer, ClipByGlobalNorm, Layers), (TableWeight));
TAPESTRY_ACCEPTS(tapestry::train, (DoubleLayer, Reduction, Layers), (DoubleLayer, Text));
TAPESTRY_ACCEPTS(tapestry::train, (DoubleLayer, Reduction, ClipByGlobalNorm),
                 (DoubleLayer, ClipByGlobalNorm, Text));
TAPESTRY_ACCEPTS(tapestry::train, (DoubleLayer, Reduction, ClipByGlobalNorm), (DoubleLayer, Reduction, Text));
TAPESTRY_ACCEPTS(tapestry::train, (DoubleLayer, Reduction, ClipByGlobalNorm),
                 (Text, Reduction, ClipByGlobalNorm));
TAPESTRY_ACCEPTS(tapestry::gradients, (DoubleLayer, TensorLayer), (Text));
TAPESTRY_ACCEPTS(tapestry::gradients, (DoubleLayer, TensorLayer), (std::tuple<DoubleLayer, int>));
TAPESTRY_ACCEPTS(tapestry::gradients, (DoubleLayer, TensorLayer), (DoubleLayer, Text));
TAPESTRY_ACCEPTS(tapestry::predict, (DoubleLayer, Layers), (Text));
TAPESTRY_ACCEPTS(tapestry::predict, (DoubleLayer, Layers), (std::vector<Text>));
TAPESTRY_ACCEPTS(tapestry::predict, (DoubleLayer, Layers), (DoubleLayer, Text));
static_assert(TAPESTRY_CALLABLE(tapestry::trainMicroBatches, std::vector<int>, int, DoubleLayer (*)(int)));
static_assert(!TAPESTRY_CALLABLE(tapestry::trainMicroBatches, int, int, DoubleLayer (*)(int)) &&
              !TAPESTRY_CALLABLE(tapestry::trainMicroBatches, std::vector<int>, int, Text (*)(int)));
TAPESTRY_ACCEPTS(tapestry::withPass, (Program), (Nothing));
TAPESTRY_ACCEPTS(tapestry::countPass, (Program), (Text));
TAPESTRY_ACCEPTS(tapestry::checkFinite, (Program), (DoubleLayer));
TAPESTRY_ACCEPTS(tapestry::checkLoss, (Program), (DoubleLayer));
TAPESTRY_ACCEPTS(tapestry::inMode, (Mode, Program), (Mode, Nothing));
TAPESTRY_ACCEPTS(tapestry::inMode, (Mode, Program), (int, Program));
TAPESTRY_ACCEPTS(tapestry::withSeed, (int, Program), (int, Nothing));
TAPESTRY_ACCEPTS(tapestry::observed, (Program, std::shared_ptr<PassObserver>), (Program, Nothing));
static_assert(TAPESTRY_MEMBER_CALLABLE(of, Gradients<double>, DoubleWeight) &&
              !TAPESTRY_MEMBER_CALLABLE(of, Gradients<double>, DoubleLayer));
static_assert(TAPESTRY_MEMBER_CALLABLE(denseOf, Gradients<double>, TableWeight) &&
              !TAPESTRY_MEMBER_CALLABLE(denseOf, Gradients<double>, DoubleWeight));

// data and files
using Epoch = std::vector<int>;
struct Numbers {
  std::size_t size() const { return 1; }
  int get(std::size_t) const { return 1; }
};
template <class D>
concept Batched = requires(const D& dataset) { Batches(dataset); };
static_assert(Batched<Numbers> && !Batched<Epoch> && !Batched<Nothing>);
TAPESTRY_ACCEPTS(tapestry::prefetchTraverse, (Numbers, Program (*)(int)), (Epoch, Program (*)(int)));
TAPESTRY_ACCEPTS(tapestry::prefetchTraverse, (Numbers, Program (*)(int)), (Numbers, int (*)(int)));
TAPESTRY_ACCEPTS(tapestry::save, (const char*, Model), (const char*, Nothing));
TAPESTRY_ACCEPTS(tapestry::save, (const char*, Weights, SaveOptions), (const char*, Nothing));
TAPESTRY_ACCEPTS(tapestry::load, (const char*, Model), (const char*, Nothing));
TAPESTRY_ACCEPTS(tapestry::load, (const char*, Weights, LoadOptions), (const char*, Nothing));
TAPESTRY_ACCEPTS(tapestry::saving, (const char*, Model), (const char*, Nothing));
TAPESTRY_ACCEPTS(tapestry::loading, (const char*, Model), (const char*, Nothing));
TAPESTRY_ACCEPTS(tapestry::modelArrays, (Weights), (Nothing));
TAPESTRY_ACCEPTS(tapestry::setModelArrays, (Weights, NamedArrays), (Weights, Nothing));
TAPESTRY_ACCEPTS(tapestry::saveSafetensors, (const char*, NamedArrays), (const char*, Nothing));
TAPESTRY_ACCEPTS(tapestry::loadSafetensors, (const char*), (Nothing));
TAPESTRY_ACCEPTS(tapestry::array, (Text), (Nothing));
TAPESTRY_ACCEPTS(tapestry::pytorch::linear, (Text, Text), (Text, Nothing));
TAPESTRY_ACCEPTS(tapestry::pytorch::conv2d, (Text, Text), (Text, Nothing));
TAPESTRY_ACCEPTS(tapestry::pytorch::batchNorm, (Text, Text), (Text, Nothing));
TAPESTRY_ACCEPTS(tapestry::pytorch::layerNorm, (Text, Text), (Text, Nothing));
TAPESTRY_ACCEPTS(tapestry::pytorch::embedding, (Text, Text), (Text, Nothing));
TAPESTRY_ACCEPTS(tapestry::pytorch::lstm, (Text, Text), (Text, Nothing));
TAPESTRY_ACCEPTS(tapestry::pytorch::gru, (Text, Text), (Text, Nothing));
TAPESTRY_ACCEPTS(tapestry::pytorch::multiHeadAttention, (Text, Text), (Text, Nothing));
TAPESTRY_ACCEPTS(tapestry::readCifar10, (const char*, Cifar), (const char*, Nothing));
TAPESTRY_ACCEPTS(tapestry::readCifar100, (const char*, Cifar), (const char*, Nothing));
TAPESTRY_ACCEPTS(tapestry::readCsv, (const char*, CsvOptions), (const char*, Nothing));
TAPESTRY_ACCEPTS(tapestry::readIdx, (const char*, std::initializer_list<std::uint32_t>),
                 (const char*, Nothing));
TAPESTRY_ACCEPTS(tapestry::readImage, (const char*), (Nothing));
TAPESTRY_ACCEPTS(tapestry::saveImage, (const char*, Floats), (const char*, Doubles));
TAPESTRY_ACCEPTS(tapestry::readText, (const char*), (Nothing));

// weights, layers and optimizers
static_assert(!std::is_default_constructible_v<DoubleWeight> &&
              !std::is_default_constructible_v<TensorWeight> &&
              !std::is_default_constructible_v<DoubleLayer>);
static_assert(std::constructible_from<DoubleWeight, double, Sgd> &&
              std::constructible_from<DoubleWeight, double, Chain<Sgd, L2>> &&
              std::constructible_from<TensorWeight, Floats, Adam, Hogwild>);
static_assert(!std::constructible_from<DoubleWeight, double, Nothing> &&
              !std::constructible_from<DoubleWeight, double, Chain<L2, Sgd>> &&
              !std::constructible_from<DoubleWeight, Text> &&
              !std::constructible_from<TensorWeight, Floats, Nothing, Hogwild>);
static_assert(std::constructible_from<DoubleLayer, double> && !std::constructible_from<DoubleLayer, Text>);
static_assert(TAPESTRY_MEMBER_CALLABLE(setOptimizer, DoubleWeight, Sgd) &&
              !TAPESTRY_MEMBER_CALLABLE(setOptimizer, DoubleWeight, Nothing) &&
              !TAPESTRY_MEMBER_CALLABLE(setOptimizer, DoubleWeight, L2));
static_assert(std::invocable<TensorWeight, int, int> && !std::invocable<TensorWeight, Text> &&
              !std::invocable<TensorWeight> && !std::invocable<DoubleWeight, int>);
static_assert(std::invocable<TensorLayer, int, int> && !std::invocable<TensorLayer, Text> &&
              !std::invocable<TensorLayer> && !std::invocable<DoubleLayer, int>);
static_assert(std::convertible_to<Sgd, Optimizer<double>> &&
              std::constructible_from<Optimizer<Table<float>>, Sgd>);
static_assert(!std::constructible_from<Optimizer<double>, Nothing> &&
              !std::constructible_from<Optimizer<Table<float>>, Nothing> &&
              !std::is_default_constructible_v<Optimizer<double>>);
static_assert(std::constructible_from<Rate, int> && std::constructible_from<Rate, StepDecay> &&
              !std::constructible_from<Rate, Nothing>);
TAPESTRY_ACCEPTS(tapestry::sgd, (double), (Text));
TAPESTRY_ACCEPTS(tapestry::adagrad, (Adagrad), (Text));
TAPESTRY_ACCEPTS(tapestry::adam, (Adam), (Text));
TAPESTRY_ACCEPTS(tapestry::adamW, (AdamW), (Text));
TAPESTRY_ACCEPTS(tapestry::momentum, (Momentum), (Text));
TAPESTRY_ACCEPTS(tapestry::nesterov, (Nesterov), (Text));
TAPESTRY_ACCEPTS(tapestry::rmsprop, (Rmsprop), (Text));
TAPESTRY_ACCEPTS(tapestry::l1, (double), (Text));
TAPESTRY_ACCEPTS(tapestry::l2, (double), (Text));
TAPESTRY_ACCEPTS(tapestry::clipByValue, (double), (Text));
TAPESTRY_ACCEPTS(tapestry::clipByGlobalNorm, (double), (Text));
TAPESTRY_ACCEPTS(tapestry::stepDecay, (StepDecay), (Text));
TAPESTRY_ACCEPTS(tapestry::cosineDecay, (CosineDecay), (Text));
TAPESTRY_ACCEPTS(tapestry::weightDecay, (StepDecay), (Text));
TAPESTRY_ACCEPTS(tapestry::warmUp, (int, StepDecay), (int, Text));
static_assert(std::constructible_from<Tape<double, double>, double, UnitContinuation<void> (*)(Do<double>)> &&
              !std::constructible_from<Tape<double, double>, double, Nothing>);
static_assert(HasWeights<Model> && !HasWeights<Nothing>);
static_assert(std::convertible_to<Model, Weights> && !std::convertible_to<Nothing, Weights>);
static_assert(std::constructible_from<Weights::Entry, const char*, TensorWeight> &&
              std::constructible_from<Weights::Entry, const char*, Model> &&
              std::constructible_from<Weights::Entry, const char*, std::vector<Model>> &&
              std::constructible_from<Weights::Entry, Text, Weights>);
static_assert(!std::constructible_from<Weights::Entry, const char*, Nothing> &&
              !std::constructible_from<Weights::Entry, const char*>);
static_assert(TAPESTRY_MEMBER_CALLABLE(setOptimizer, Weights, Sgd) &&
              !TAPESTRY_MEMBER_CALLABLE(setOptimizer, Weights, Nothing));

// models
static_assert(std::invocable<Dense<>, TensorLayer> && !std::invocable<Dense<>, DoubleLayer> &&
              !std::invocable<Dense<>, Doubles>);
static_assert(std::invocable<Conv2d<>, TensorLayer> && !std::invocable<Conv2d<>, Doubles>);
static_assert(std::invocable<BatchNorm<>, TensorLayer> && !std::invocable<BatchNorm<>, Doubles>);
static_assert(std::invocable<LayerNorm<>, TensorLayer> && !std::invocable<LayerNorm<>, Doubles>);
static_assert(std::invocable<Dropout, TensorLayer> && !std::invocable<Dropout, DoubleLayer>);
static_assert(std::invocable<Embedding<>, Indices> && !std::invocable<Embedding<>, TensorLayer>);
static_assert(std::invocable<Gru<>, Layers, TensorLayer> && !std::invocable<Gru<>, TensorLayer, TensorLayer>);
static_assert(std::invocable<Lstm<>, Layers, Lstm<>::State> && !std::invocable<Lstm<>, Layers, TensorLayer>);
static_assert(TAPESTRY_MEMBER_CALLABLE(step, Gru<>, Floats, TensorLayer) &&
              !TAPESTRY_MEMBER_CALLABLE(step, Gru<>, Doubles, TensorLayer));
static_assert(TAPESTRY_MEMBER_CALLABLE(step, Lstm<>, Floats, Lstm<>::State) &&
              !TAPESTRY_MEMBER_CALLABLE(step, Lstm<>, Doubles, Lstm<>::State));
static_assert(std::invocable<MultiHeadAttention<>, TensorLayer> &&
              std::invocable<MultiHeadAttention<>, TensorLayer, TensorLayer, Floats, kernels::Attention>);
static_assert(!std::invocable<MultiHeadAttention<>, Doubles> &&
              !std::invocable<MultiHeadAttention<>, TensorLayer, Text> &&
              !std::invocable<MultiHeadAttention<>, TensorLayer, TensorLayer, Doubles>);
TAPESTRY_ACCEPTS(tapestry::sequential, (Model, double (*)(double)), (Model, int));
template <class M>
concept SequentialOfFunction = requires(const M& model) { sequential(model, relu, model); };
static_assert(!SequentialOfFunction<Model>);
using TwoParts = decltype(sequential(std::declval<Model>(), operations::relu));
static_assert(std::invocable<TwoParts, Floats> && !std::invocable<TwoParts, double> &&
              !std::invocable<TwoParts, Text>);

// operators
template <class A, class B>
concept Adds = requires(const A& a, const B& b) { a + b; };
template <class A, class B>
concept Subtracts = requires(const A& a, const B& b) { a - b; };
template <class A, class B>
concept Multiplies = requires(const A& a, const B& b) { a* b; };
template <class A, class B>
concept Divides = requires(const A& a, const B& b) { a / b; };
template <class A>
concept Negates = requires(const A& a) { -a; };
template <class A, class B>
concept Greater = requires(const A& a, const B& b) { a > b; };
template <class A, class B>
concept GreaterOrEqual = requires(const A& a, const B& b) { a >= b; };
template <class A, class B>
concept Less = requires(const A& a, const B& b) { a < b; };
template <class A, class B>
concept LessOrEqual = requires(const A& a, const B& b) { a <= b; };
template <class A, class B>
concept Equal = requires(const A& a, const B& b) { a == b; };
template <class A, class B>
concept Differs = requires(const A& a, const B& b) { a != b; };

// clang-format off
template <class A, class B>
inline constexpr bool meets = Adds<A, B> && Subtracts<A, B> && Multiplies<A, B> && Divides<A, B> &&
                              Greater<A, B> && GreaterOrEqual<A, B> && Less<A, B> && LessOrEqual<A, B>;
template <class A, class B>
inline constexpr bool cannotMeet = !Adds<A, B> && !Subtracts<A, B> && !Multiplies<A, B> && !Divides<A, B> &&
                                   !Greater<A, B> && !GreaterOrEqual<A, B> && !Less<A, B> && !LessOrEqual<A, B>;
// clang-format on
template <class A, class B>
inline constexpr bool meetsEitherWay = meets<A, B> && meets<B, A>;
template <class A, class B>
inline constexpr bool cannotMeetEitherWay = cannotMeet<A, B> && cannotMeet<B, A>;
template <class A, class B>
inline constexpr bool compares = Equal<A, B> && Equal<B, A> && Differs<A, B> && Differs<B, A>;
template <class A, class B>
inline constexpr bool cannotCompare = !Equal<A, B> && !Equal<B, A> && !Differs<A, B> && !Differs<B, A>;

static_assert(meetsEitherWay<DoubleLayer, int> && meetsEitherWay<TensorWeight, double> &&
              meetsEitherWay<Floats, TensorLayer> && meets<Floats, Floats> && meetsEitherWay<Floats, int>);
static_assert(cannotMeetEitherWay<DoubleLayer, Text> && cannotMeetEitherWay<DoubleLayer, Nothing> &&
              cannotMeetEitherWay<TensorWeight, DoubleTensorLayer> && cannotMeetEitherWay<Floats, Doubles> &&
              cannotMeetEitherWay<DoubleLayer, bool> && cannotMeetEitherWay<TableWeight, int> &&
              cannotMeetEitherWay<DoubleLayer, std::pair<DoubleLayer, DoubleLayer>>);
static_assert(Negates<DoubleLayer> && Negates<Floats> && !Negates<TableWeight> && !Negates<Nothing>);
static_assert(compares<DoubleLayer, int> && compares<TensorWeight, Floats> && compares<Floats, Floats>);
static_assert(cannotCompare<DoubleLayer, Text> && cannotCompare<TensorWeight, Nothing> &&
              cannotCompare<TensorWeight, Doubles> && cannotCompare<Floats, Doubles> &&
              cannotCompare<Floats, int> && cannotCompare<Floats, Text> && cannotCompare<TableWeight, int>);
static_assert(std::same_as<decltype(std::declval<Floats>() == std::declval<Floats>()), bool> &&
              std::same_as<decltype(std::declval<TensorWeight>() == std::declval<Floats>()), TensorLayer>);

}  // namespace refusal

namespace user {

struct Mine {};
[[maybe_unused]] static int sigmoid(Mine) { return 1; }
[[maybe_unused]] static int mse(Mine, const DoubleLayer&) { return 2; }

/// What takes layers, and other things, by a conversion.
struct Handle {
  Handle(Mine) {}
  template <class Data>
  Handle(const Layer<Data>&) {}
};
[[maybe_unused]] static int train(const Handle&) { return 3; }
[[maybe_unused]] static int operator+(const Handle&, const Handle&) { return 4; }
[[maybe_unused]] static bool operator==(const Mine&, const Handle&) { return true; }
template <class T>
int operator*(Mine, const T&) {
  return 5;
}

template <class T>
concept HasSigmoid = requires(const T& x) { sigmoid(x); };
static_assert(HasSigmoid<Mine> && HasSigmoid<DoubleLayer> && !HasSigmoid<Nothing>);

template <class T>
int kindOf(const T&) {
  return 0;
}
template <class T>
  requires requires(const T& x) { tapestry::sigmoid(x); }
int kindOf(const T&) {
  return 1;
}

}  // namespace user

// a node tells the data of its layer, unless only its base is known
static_assert(std::is_constructible_v<TensorLayer, detail::Ref<detail::LiteralNode<Tensor<float>>>>);
static_assert(!std::is_constructible_v<TensorLayer, detail::Ref<detail::LiteralNode<double>>>);
static_assert(!std::is_constructible_v<TensorLayer, detail::Ref<detail::GraphNode>>);

TEST_CASE("functions of the user's own are called where those of the library refuse the argument") {
  using tapestry::mse;
  using tapestry::sigmoid;
  using tapestry::train;
  const DoubleLayer layer(2);
  CHECK(sigmoid(user::Mine()) == 1);
  CHECK(mse(user::Mine(), layer) == 2);
  CHECK(train(user::Handle(layer)) == 3);
  CHECK(train(user::Mine()) == 3);
}

TEST_CASE("operators of the user's own are called where those of the library refuse the operand") {
  const DoubleLayer layer(2);
  CHECK(user::Mine() + layer == 4);
  CHECK(layer + user::Mine() == 4);
  CHECK(user::Mine() * layer == 5);
  CHECK((user::Mine() == layer));
  CHECK((layer == user::Mine()));
  CHECK_FALSE((user::Mine() != layer));
}

TEST_CASE("overloads can be chosen by whether an operation accepts the argument") {
  CHECK(user::kindOf(DoubleLayer(2)) == 1);
  CHECK(user::kindOf(std::string()) == 0);
}
