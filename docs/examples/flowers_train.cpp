// Trains a model on a table of flowers, and saves it: flowers_train TABLE.csv MODEL.safetensors
#include "flowers.hpp"

#include <cstdio>

// [main]
int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: flowers_train TABLE.csv MODEL.safetensors\n");
    return 2;
  }
  const Csv table = readCsv(arguments[1], {.header = true, .texts = {"species"}});
  const std::vector<std::string>& species = table.classes("species");
  const Flowers seen(table.part(0, 100)), unseen(table.part(100, 150));

  const Model model(species.size(), Generator(1));
  model.weights().setOptimizer(adam({.learningRate = 0.03}));
  const auto loss = [&](const Flowers& flowers) {
    return mean(crossEntropy(model(flowers.measures), flowers.labels));
  };
  EarlyStopping stopping(model.weights(), {.patience = 20, .least = 1e-3});
  do train(loss(seen)).blockingAwait();
  while (stopping.goesOn(predict(loss(unseen)).blockingAwait()).blockingAwait());
  stopping.restore().blockingAwait();  // to the weights with the lowest loss on flowers that it has not seen

  const Tensor<float> scores = predict(model(unseen.measures)).blockingAwait();
  std::printf("stopped: %d\n", stopping.epochs() == stopping.best() + 21);
  std::printf("right: %.0f %%\n", 100 * accuracy(scores, unseen.labels));
  save(arguments[2], model, {.notes = {{"species", joined(species)}}});
}
// [/main]
