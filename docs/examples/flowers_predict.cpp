// Predicts the species of a flower by a model that flowers_train has saved: flowers_predict MODEL.safetensors
#include "flowers.hpp"

#include <cstdio>

// [main]
int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: flowers_predict MODEL.safetensors\n");
    return 2;
  }
  const std::vector<std::string> species = split(notesOf(arguments[1]).at("species"));
  const Model model(species.size(), Generator(0));  // any values: load replaces them
  load(arguments[1], model, {.optimizers = false});
  const Tensor<float> flower({1, 4}, {6.1F, 2.9F, 4.6F, 1.4F});
  const Tensor<float> odds = predict(softmax(model(flower))).blockingAwait();
  const auto best = static_cast<std::size_t>(argmax(odds, 1).values()[0]);
  std::printf("a %s, surely: %d\n", species[best].c_str(), odds(0, best) > 0.9F);
}
// [/main]
