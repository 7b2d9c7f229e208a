// What docs/pictures.md shows. With a directory as its argument, the program writes the files of the page's
// pictures.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <tapestry/asio.hpp>
#include <tapestry/continuation/monad/trace.hpp>
#include <tapestry/deeplearning.hpp>
#include <tapestry/pictures.hpp>
#include <vector>

using namespace tapestry;

namespace {

// [model]
struct Gated {
  std::size_t inputs = 3, outputs = 2;
  Generator generator{3};
  Dense<float> gate{inputs, 1, generator};
  Dense<float> left{inputs, outputs, generator};
  Dense<float> right{inputs, outputs, generator};

  Weights weights() const { return {{"gate", gate}, {"left", left}, {"right", right}}; }

  TensorLayer operator()(const Tensor<float>& x) const {
    const DoubleLayer score = tanh(sum(gate(x)));
    return TensorLayer(forward(score).flatMap([*this, x, score](const auto& tape) {
      return forward(score * (tape.data > 0 ? left(x) : right(x)));
    }));
  }
};

DoubleLayer lossOf(const TensorLayer& output) { return mean(output * output); }

const Gated model;
const Tensor<float> input({1, 3}, {1, 2, 3});
// [/model]

std::string graphOf() {
  // [dot]
  const TensorLayer output = model(input);
  const auto record = std::make_shared<PassRecord>();
  observed(train(lossOf(output)), record).blockingAwait();
  const std::string dot = toDot(output, {.values = true, .weights = model.weights(), .pass = record});
  // [/dot]
  return dot;
}

std::string summaryOf() {
  // [summary]
  const TensorLayer hidden = relu(model.left(input));
  const std::string table = summary(softmax(hidden), {.weights = model.weights()}).table();
  // [/summary]
  return table;
}

std::string profileOf() {
  // [profile]
  Generator generator(1);
  const Dense<float> first(784, 256, generator), second(256, 100, generator), third(100, 10, generator);
  const auto images = Tensor<float>::full({64, 784}, 0.5F);
  const TensorLayer logits = third(relu(second(relu(first(images)))));
  const auto loss = softmaxCrossEntropy(logits, std::vector<std::uint32_t>(64, 3));
  train(loss).blockingAwait();  // the first pass prepares kernels
  const auto [value, measured] = profile(train(loss)).blockingAwait();
  const std::string table = measured.table();
  // [/profile]
  return value > 0 ? table : "";
}

std::string traceOfPass() {
  // [trace]
  ThreadPool pool(2);
  const auto trace = std::make_shared<ChromePassTrace>();
  observed(train(lossOf(model(input))), trace).blockingAwait(pool);
  const std::string file = ChromePassTrace::file(trace->events());
  // [/trace]
  return file;
}

/// The trace of passes with four branches, whose layers are wide enough for their bars to be seen.
std::string traceOfWidePasses() {
  Generator generator(5);
  const Dense<float> last(1024, 1024, generator);
  const Gated wide{.inputs = 1024, .outputs = 1024};
  const auto branch = [&](float x) { return lossOf(last(relu(wide(Tensor<float>::full({32, 1024}, x))))); };
  const DoubleLayer loss = (branch(0.5F) + branch(-0.5F)) + (branch(0.25F) + branch(-0.25F));
  ThreadPool pool(1);  // besides the calling thread
  const auto trace = std::make_shared<ChromePassTrace>();
  for (int pass = 0; pass < 30; ++pass) observed(train(loss), trace).blockingAwait(pool);
  return ChromePassTrace::file(trace->events());
}

std::string csvOf() {
  // [log]
  TrainingLog log({.title = "Gated", .items = "rows"});
  constexpr double rate = 0.1;
  model.weights().setOptimizer(sgd(rate));
  for (int epoch = 0; epoch < 2; ++epoch) {
    log.startEpoch();
    for (int step = 0; step < 10; ++step) {
      const auto stepped = observed(train(lossOf(model(input)), clipByGlobalNorm(1)), log.norms());
      log.add({.loss = stepped.blockingAwait(), .learningRate = rate, .items = 1});
    }
  }
  std::ostringstream page, csv;
  log.writeHtml(page);
  log.writeCsv(csv);
  // [/log]
  return csv.str();
}

std::string explained() {
  // [failure]
  const TensorWeight w(Tensor<float>::zeros({4, 2}));
  const TensorLayer chosen(forward(w).flatMap([w](const auto&) { return forward(w); }));
  const auto loss = mean(relu(matmul(input, chosen)));  // the shape of `chosen` is not known before a pass
  const std::string text = describe(train(loss).attempt().blockingAwait().error());
  // [/failure]
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string graph = graphOf(), file = traceOfPass(), table = profileOf(), csv = csvOf();
  std::printf("%d\n", graph.find("label=\"chosen\"") != std::string::npos);
  std::printf("%s", summaryOf().c_str());
  std::printf("%d\n", table.find("affine") != std::string::npos);
  std::printf("%d\n", file.find("\"backward\"") != std::string::npos);
  std::printf("%s\n", csv.substr(0, csv.find('\n')).c_str());
  std::printf("%s\n", explained().c_str());
  if (argc < 2) return 0;
  std::ofstream(std::filesystem::path(argv[1]) / "gated_graph.dot") << graph;
  std::ofstream(std::filesystem::path(argv[1]) / "gated_trace.json") << traceOfWidePasses();
  std::ofstream(std::filesystem::path(argv[1]) / "profile.txt") << table;
}
