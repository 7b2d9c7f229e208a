// Learns a text letter by letter with a recurrent network, and writes on in its manner.
#include <tapestry/data.hpp>
#include <tapestry/deeplearning.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <ranges>
#include <string>
#include <vector>

#include "support/input_file.hpp"
#include "support/options.hpp"
#include "support/place.hpp"
#include "support/progress.hpp"
#include "support/random.hpp"
#include "support/text.hpp"
#include "support/workers.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::examples;

constexpr std::size_t window = 48;  // letters through which deltas go back
constexpr std::size_t batch = 16;   // windows for one step of the optimizer
constexpr std::size_t units = 128;

struct Settings {
  std::size_t epochs = 12;
  std::size_t letters = 400;
  double temperature = 0.7;
  std::optional<std::filesystem::path> data;
  std::string device = "cpu";
};

/// A text as numbers: each byte that it has is a letter of its alphabet.
struct Text {
  Vocabulary alphabet;
  std::vector<std::uint32_t> letters;

  explicit Text(const std::string& bytes) : alphabet(Vocabulary::ofBytes(bytes)) {
    const Indices numbers = alphabet.encode(bytes);
    letters.assign(numbers.values().begin(), numbers.values().end());
  }
};

Text read(const std::filesystem::path& path) {
  const std::string bytes = readInput([&path] { return readText(path); });
  if (bytes.size() > window) return Text(bytes);
  throw InputError(path, "the text is too short, got " + std::to_string(bytes.size()) +
                             " bytes, expected more than " + std::to_string(window));
}

// [network]
template <class Place>
struct Network {
  using Values = typename Place::Values;
  Embedding<Values> letters;
  Gru<Values> memory;
  Dense<Values> answer;

  Network(std::size_t alphabet, Generator& generator, const Place& place)
      : letters(alphabet, 32, generator, place),
        memory(32, units, generator, place),
        answer(units, alphabet, generator, place) {}

  /// For each letter of several windows, how well the next one is foreseen; in nats.
  Layer<typename Place::Number> loss(const Text& text, const std::vector<std::size_t>& begins) const {
    std::vector<Layer<Values>> seen;
    std::vector<std::uint32_t> next;
    for (std::size_t i = 0; i < window; ++i) {
      std::vector<std::int64_t> column;
      for (const std::size_t begin : begins) {
        column.push_back(text.letters[begin + i]);
        next.push_back(text.letters[begin + i + 1]);
      }
      seen.push_back(letters(column));
    }
    const auto states = memory(seen, memory.initial(begins.size()));
    return softmaxCrossEntropy(answer(concat(states, 0)), next);
  }

  Weights weights() const { return {{"letters", letters}, {"memory", memory}, {"answer", answer}}; }
};
// [/network]

/// Trains on windows from anywhere in the text; returns the mean loss of the last epoch. A letter waits for
/// the one before it, but not for other windows: threads share the two halves of a batch, whose gradients
/// have the same sum in either order.
template <class Place>
double learn(const Network<Place>& network, const Text& text, std::size_t epochs, const Options& options) {
  // as many mini-batches as cover the text, and enough to see something of a short one
  const std::size_t steps = std::max<std::size_t>(50, text.letters.size() / (window * batch));
  const auto rate = cosineDecay({.initial = 0.01, .steps = epochs * steps});
  network.weights().setOptimizer(adam({.learningRate = rate}));
  Progress progress({epochs, steps * batch * window, "letters"});
  const Workers workers(options.threads());
  Random random(options.seed());
  const auto lossOf = [&](const std::vector<std::size_t>& begins) { return network.loss(text, begins); };
  double sum = 0;
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    progress.startEpoch();
    sum = 0;
    for (std::size_t i = 0; i < steps; ++i) {
      std::vector halves(2, std::vector<std::size_t>(batch / 2));
      for (std::size_t& begin : halves | std::views::join) begin = random.below(text.letters.size() - window);
      const auto step = trainMicroBatches(halves, halves.size(), lossOf, clipByGlobalNorm(1));
      const auto losses = workers.run(step.flatMap([](const auto& values) {
        return tuple2(Place::fetchNumber(values[0]), Place::fetchNumber(values[1]));
      }));
      const double loss = (get<0>(losses) + get<1>(losses)) / 2;
      progress.advance(batch * window, loss);
      sum += loss;
    }
    progress.finishEpoch();
  }
  return sum / static_cast<double>(steps);
}

/// Draws one letter after the other, each from what the network foresees; begins with the text's first one.
template <class Place>
std::string write(const Network<Place>& network, const Text& text, const Settings& settings, Random& random) {
  std::size_t letter = text.letters.front();
  std::string written = text.alphabet.symbols()[letter];
  Layer<typename Place::Values> state = network.memory.initial(1);
  while (written.size() < settings.letters) {
    const auto next = network.memory.step(network.letters({static_cast<std::int64_t>(letter)}), state);
    const auto likely = softmax(network.answer(next) / static_cast<float>(settings.temperature), 1);
    const auto [memory, values] = predict(next, likely).blockingAwait();
    const Tensor<float> chances = Place::fetch(values).blockingAwait();
    state = memory;
    double rest = static_cast<double>(random.below(1'000'000)) / 1e6;
    letter = 0;
    while (letter + 1 < chances.size() && (rest -= chances.values()[letter]) >= 0) ++letter;
    written += text.alphabet.symbols()[letter];
  }
  return written;
}

template <class Place>
void run(const Place& place, const Settings& settings, const Options& options) {
  const Text text = read(settings.data.value_or(TAPESTRY_README));
  std::cout << text.letters.size() << " letters, " << text.alphabet.size() << " different ones" << std::endl;
  Generator generator(options.seed());
  const Network<Place> network(text.alphabet.size(), generator, place);
  const double loss = learn(network, text, settings.epochs, options);
  Random random(options.seed());
  std::cout << write(network, text, settings, random) << "\n\nloss: " << fixed(loss, 3) << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Options options("char_rnn", "Learns a text letter by letter, and writes on in its manner.");
  options.count("--epochs", settings.epochs, "passes over the text, of at least 50 steps each")
      .count("--letters", settings.letters, "how many letters to write")
      .real("--temperature", settings.temperature, "how freely to choose them", {.least = 0.01, .most = 10})
      .path("--data", settings.data, "a text, plain or gzipped; without it, this project's README.md")
      .text("--device", settings.device, "cpu, or a device, such as opencl or cuda:0");
  options.traced(tracePasses);
  return options.run(argc, argv, [&] {
    withPlace(settings.device, [&](const auto& place) { run(place, settings, options); });
  });
}
