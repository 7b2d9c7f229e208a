// The snippets of the page on files of other programs.
#include <tapestry/data.hpp>
#include <tapestry/deeplearning.hpp>
#include <tapestry/onnx.hpp>
#include <tapestry/storage.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <unistd.h>

using namespace tapestry;

// [folder]
/// A directory of the program's own.
const auto folder = std::filesystem::temp_directory_path() / ("tapestry-files-" + std::to_string(::getpid()));
// [/folder]

void writeAndReadOnnx() {
  // [export]
  Generator generator(1);
  const auto model = sequential(Dense<>(4, 16, generator), operations::relu, Dense<>(16, 3, generator));
  const TensorLayer x(Tensor<float>::zeros({1, 4}));  // the shape of the input, and its place in the network
  exportOnnx(model(x), {{"flowers", x}}, folder / "flowers.onnx",
             {.weights = model.weights(), .outputs = {"scores"}, .batch = "N"});
  // [/export]

  // [import]
  const OnnxNetwork network = importOnnx(folder / "flowers.onnx");
  std::printf("%s: %zu weights\n", network.inputs()[0].name.c_str(), network.weights().elements());
  const Tensor<float> two({2, 4}, {5.1f, 3.5f, 1.4f, 0.2f, 6.3f, 2.9f, 5.6f, 1.8f});
  const auto scores = predict(network(two)).blockingAwait();         // [2, 3]
  train(softmaxCrossEntropy(network(two), {0, 2})).blockingAwait();  // its weights are trained
  // [/import]
  const auto same = predict(model(two)).blockingAwait();
  std::printf("%s, equal to the model's: %s\n", toString(scores.shape()).c_str(),
              scores == same ? "yes" : "no");
}

/// Prints the message with its path as a name alone.
void print(std::string message) {
  const auto at = message.find(" made at ") + 9;
  message.erase(at, message.rfind('/') + 1 - at);
  std::printf("%s\n", message.c_str());
}

void refuse() {
  // [dynamic]
  const TensorLayer x(Tensor<float>::zeros({1, 4}));
  auto next = [x](const auto& tape) { return forward(tape.data(0, 0) > 0 ? TensorLayer(x * 2) : x); };
  const TensorLayer y(forward(x).flatMap(next));  // the layer is made while a pass runs
  std::string problem;
  try {
    exportOnnx(y + 1, {{"x", x}}, folder / "dynamic.onnx");
  } catch (const std::invalid_argument& error) {
    problem = error.what();  // ..., got the program (flatMap, tuple2 or direct) of the layer made at ...
  }
  // [/dynamic]
  print(problem);
}

void choose() {
  // [choice]
  const TensorLayer x(Tensor<float>::zeros({1, 4}));
  const OnnxChoice choice(x(0, 0) > 0.0f, x * 2, x - 1);  // a condition, and a layer for each case
  exportOnnx(relu(choice.layer()), {{"x", x}}, folder / "choice.onnx", {.choices = {choice}});
  // [/choice]
  const auto network = importOnnx(folder / "choice.onnx");
  const auto y = predict(network(Tensor<float>({1, 4}, {1, 2, 3, 4}))).blockingAwait();
  std::printf("%g\n", static_cast<double>(y(0, 3)));
}

void writeAgain() {
  // [again]
  const TensorLayer x(Tensor<float>::zeros({1, 4}));
  const OnnxLayers made = importOnnx(folder / "choice.onnx").layers({x});
  exportOnnx(made.outputs[0], {{"x", x}}, folder / "again.onnx", {.choices = made.choices});
  // [/again]
}

/// What PyTorch's save_file(model.state_dict(), path) writes for a Linear(4, 3), here by hand.
void writeStateDict(const std::filesystem::path& path) {
  saveSafetensors(path, {{{"fc.weight", Tensor<float>({3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})},
                          {"fc.bias", Tensor<float>({3}, {0.5f, -0.5f, 0})}},
                         {{"format", "pt"}}});
}

void loadFromPyTorch() {
  writeStateDict(folder / "model.safetensors");
  // [pytorch]
  Generator generator(1);
  const auto model = sequential(Dense<>(4, 3, generator), operations::relu);
  load(folder / "model.safetensors", model, pytorch::linear("0", "fc"));
  // [/pytorch]
  std::printf("%g\n", static_cast<double>(std::get<0>(model.parts).weight.data()(3, 2)));
}

void readTables() {
  std::ofstream(folder / "flowers.csv") << "length,width,kind\n5.1,3.5,0\n6.3,2.9,2\n";
  // [csv]
  const Csv table = readCsv(folder / "flowers.csv", {.header = true});
  const Tensor<float> features = table.tensor({"length", "width"});  // [rows, 2]
  const Indices kinds = table.indices("kind");                       // [rows]
  // [/csv]
  std::printf("%s %s\n", toString(features.shape()).c_str(), toString(kinds.shape()).c_str());
}

void readImages() {
  // [image]
  saveImage(folder / "dot.pgm", Tensor<float>({2, 3}, {0, 0, 0, 0, 1, 0}));
  const Tensor<float> image = readImage(folder / "dot.pgm");  // [1, 2, 3], from 0 to 1
  // [/image]
  std::printf("%s %g\n", toString(image.shape()).c_str(), static_cast<double>(image(0, 1, 1)));
}

void readTexts() {
  std::ofstream(folder / "text.txt") << "to be or not to be";
  // [text]
  const std::string text = readText(folder / "text.txt");
  const auto letters = Vocabulary::ofBytes(text);
  const TextWindows windows(letters.encode(text),
                            8);  // a Dataset: pieces of 8 letters, and what follows each
  std::printf("%zu letters, %zu windows: \"%s\"\n", letters.size(), windows.size(),
              letters.decode(windows.get(1).next).c_str());
  const auto words = Vocabulary::ofWords(text, 3);  // the 3 most frequent words; 0 stands for the others
  std::printf("%s\n", words.decode(words.encode("to be or not")).c_str());
  // [/text]
}

int main() {
  std::filesystem::create_directories(folder);
  writeAndReadOnnx();
  loadFromPyTorch();
  readTables();
  readImages();
  readTexts();
  refuse();
  choose();
  writeAgain();
  std::filesystem::remove_all(folder);
}
