#include "digit_server/digit_model.hpp"

#include <algorithm>
#include <tapestry/deeplearning.hpp>
#include <utility>

#include "support/digits.hpp"

namespace tapestry::examples {
namespace {

using Answers = std::vector<Answer>;

/// The images, one below the other.
Tensor<float> stacked(const std::vector<Tensor<float>>& images) {
  auto rows = Tensor<float>::uninitialized({images.size(), Digits::imageSize});
  float* row = rows.exclusiveData();
  for (const auto& image : images) row = std::ranges::copy(image.values(), row).out;
  return rows;
}

/// The rows whose answers have chosen the expert, and its scores for them, as a column.
struct Share {
  Share(std::size_t expert, const Tensor<float>& all, const Answers& answers, std::size_t count)
      : images(count == answers.size() ? all : Tensor<float>::uninitialized({count, Digits::imageSize})),
        scores(Tensor<float>::uninitialized({count, 1})) {
    float* score = scores.exclusiveData();
    for (const Answer& answer : answers)
      if (answer.expert == expert) *score++ = answer.scores[expert];
    if (count == answers.size()) return;
    float* row = images.exclusiveData();
    for (std::size_t i = 0; i < answers.size(); ++i)
      if (answers[i].expert == expert)
        row = std::copy_n(all.data() + i * Digits::imageSize, Digits::imageSize, row);
  }

  Tensor<float> images;
  Tensor<float> scores;
};

}  // namespace

std::size_t Answer::digit() const {
  return static_cast<std::size_t>(std::ranges::max_element(probabilities) - probabilities.begin());
}

Do<Answers> DigitModel::answer(const std::vector<Tensor<float>>& images) const {
  const auto all = stacked(images);
  return predict(sigmoid(network_.gates[0](all)), sigmoid(network_.gates[1](all)))
      .flatMap([this, all](const auto& scores) {
        const auto& [left, right] = scores;
        Answers answers(left.size());
        for (std::size_t i = 0; i < answers.size(); ++i) {
          answers[i].scores = {left.values()[i], right.values()[i]};
          answers[i].expert = left.values()[i] > right.values()[i] ? 0 : 1;
        }
        return ask(0, all, std::move(answers));
      })
      .flatMap([this, all](Answers answers) { return ask(1, all, std::move(answers)); });
}

/// Yields the answers with the probabilities of those that have chosen this expert.
Do<Answers> DigitModel::ask(std::size_t expert, const Tensor<float>& all, Answers answers) const {
  const auto count = static_cast<std::size_t>(std::ranges::count(answers, expert, &Answer::expert));
  if (count == 0) return Do<Answers>::now(std::move(answers));
  const Share share(expert, all, answers, count);
  return predict(softmax(share.scores * network_.experts[expert](share.images)))
      .map([expert, answers = std::move(answers)](const Tensor<float>& probabilities) {
        Answers answered = answers;
        const float* row = probabilities.data();
        for (Answer& answer : answered)
          if (answer.expert == expert) {
            std::copy_n(row, answer.probabilities.size(), answer.probabilities.begin());
            row += answer.probabilities.size();
          }
        return answered;
      });
}

}  // namespace tapestry::examples
