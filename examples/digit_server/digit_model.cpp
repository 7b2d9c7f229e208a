#include "digit_server/digit_model.hpp"

#include <algorithm>
#include <iterator>
#include <tapestry/deeplearning.hpp>
#include <utility>

#include "support/digits.hpp"

namespace tapestry::examples {
namespace {

/// The images of an expert, one below the other.
Tensor<float> rowsOf(std::size_t expert, const std::vector<Tensor<float>>& images,
                     const std::vector<Answer>& answers, std::size_t count) {
  auto rows = Tensor<float>::uninitialized({count, Digits::imageSize});
  float* row = rows.exclusiveData();
  for (std::size_t i = 0; i < images.size(); ++i)
    if (answers[i].expert == expert) row = std::ranges::copy(images[i].values(), row).out;
  return rows;
}

Tensor<float> scoresOf(std::size_t expert, const std::vector<Answer>& answers, std::size_t count) {
  auto scores = Tensor<float>::uninitialized({count, 1});
  float* score = scores.exclusiveData();
  for (const Answer& answer : answers)
    if (answer.expert == expert) *score++ = answer.scores[expert];
  return scores;
}

}  // namespace

std::size_t Answer::digit() const {
  return static_cast<std::size_t>(std::ranges::max_element(probabilities) - probabilities.begin());
}

Do<std::vector<Answer>> DigitModel::answer(const std::vector<Tensor<float>>& images) const {
  const auto all = rowsOf(0, images, std::vector<Answer>(images.size()), images.size());
  return predict(sigmoid(network_.gates[0](all)), sigmoid(network_.gates[1](all)))
      .flatMap([this, images](const auto& scores) {
        const auto& [left, right] = scores;
        std::vector<Answer> answers(images.size());
        for (std::size_t i = 0; i < answers.size(); ++i) {
          answers[i].scores = {left.values()[i], right.values()[i]};
          answers[i].expert = left.values()[i] > right.values()[i] ? 0 : 1;
        }
        return ask(0, images, std::move(answers));
      })
      .flatMap([this, images](const std::vector<Answer>& answers) { return ask(1, images, answers); });
}

/// Yields the answers with the probabilities of those that have chosen this expert.
Do<std::vector<Answer>> DigitModel::ask(std::size_t expert, const std::vector<Tensor<float>>& images,
                                        std::vector<Answer> answers) const {
  const auto count =
      static_cast<std::size_t>(std::ranges::count(answers, expert, [](const Answer& a) { return a.expert; }));
  if (count == 0) return Do<std::vector<Answer>>::now(std::move(answers));
  const auto logits = network_.experts[expert](rowsOf(expert, images, answers, count));
  return predict(softmax(scoresOf(expert, answers, count) * logits))
      .map([expert, answers = std::move(answers)](const Tensor<float>& probabilities) {
        std::vector<Answer> answered = answers;
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
