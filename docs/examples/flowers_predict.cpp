// Predicts the species of a flower by a model that flowers_train has saved: flowers_predict MODEL.safetensors
#include "flowers.hpp"

#include <cstdio>

// [main]
int main(int, char** arguments) {
  const Model model(Generator(0));  // any values: load replaces them
  load(arguments[1], model, {.optimizers = false});
  Csv flower;
  flower.columns = 5;
  flower.values = {6.1, 2.9, 4.6, 1.4, 0};  // the last column, the species, is not looked at
  const Tensor<float> odds = predict(softmax(model(Flowers(flower, 0, 1).measures))).blockingAwait();
  const auto best = static_cast<std::size_t>(argmax(odds, 1).values()[0]);
  std::printf("a %s, surely: %d\n", species[best], odds(0, best) > 0.9f);
}
// [/main]
