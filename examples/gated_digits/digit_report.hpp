// Defines confusionHtml, expertsHtml and mistakesHtml, the sections of the page that gated_digits writes with
// --report.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <tapestry/deeplearning/pictures/training_log.hpp>
#include <vector>

#include "support/digits.hpp"

namespace tapestry::examples {

/// The answer to one image.
struct DigitAnswer {
  std::size_t digit = 0;
  std::size_t expert = 0;
};

/// The matrix of digits and answers: for each digit, a row with the number of each answer.
[[nodiscard]] std::string confusionHtml(const Digits& digits, const std::vector<DigitAnswer>& answers);

/// How often each of two experts was chosen, for each digit.
[[nodiscard]] std::string expertsHtml(const Digits& digits, const std::vector<DigitAnswer>& answers);

/// The first images with wrong answers, as many as `most`.
[[nodiscard]] std::string mistakesHtml(const Digits& digits, const std::vector<DigitAnswer>& answers,
                                       std::size_t most = 60);

/// Throws InputError if the file of the page cannot be written.
void requireWritable(const std::filesystem::path& path);

/// Writes a page with curves of the training, the three parts above, and a summary of the network. Throws
/// InputError if the file cannot be written.
void writeReport(const std::filesystem::path& path, TrainingLog& log, const Digits& digits,
                 const std::vector<DigitAnswer>& answers, const std::string& summary);

}  // namespace tapestry::examples
