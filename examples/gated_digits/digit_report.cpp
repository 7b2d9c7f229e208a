#include "gated_digits/digit_report.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include "support/input_error.hpp"
#include "support/text.hpp"

namespace tapestry::examples {
namespace {

using Counts = std::array<std::array<std::size_t, 10>, 10>;

/// By digit and by answer.
Counts confusionOf(const Digits& digits, const std::vector<DigitAnswer>& answers) {
  Counts counts{};
  for (std::size_t i = 0; i < answers.size(); ++i) ++counts.at(digits.labels[i]).at(answers[i].digit);
  return counts;
}

std::string headings(const std::string& first, std::size_t count) {
  std::string text = "<tr><th>" + first + "</th>";
  for (std::size_t i = 0; i < count; ++i) text += "<th>" + std::to_string(i) + "</th>";
  return text;
}

/// A cell whose background colour shows its share.
std::string cell(const std::string& text, double share, bool isGood) {
  return std::string("<td style=\"background:rgba(") + (isGood ? "22,163,74," : "220,38,38,") +
         fixed(share, 3) + ")\">" + text + "</td>";
}

/// The image as squares, one for each pixel with ink.
std::string drawing(Digits::Image pixels) {
  std::string text = "<svg width=\"84\" height=\"84\" viewBox=\"0 0 28 28\" fill=\"currentColor\">";
  for (std::size_t i = 0; i < pixels.size(); ++i)
    if (pixels[i] >= 32)
      text += "<rect x=\"" + std::to_string(i % Digits::side) + "\" y=\"" + std::to_string(i / Digits::side) +
              "\" width=\"1\" height=\"1\" opacity=\"" + fixed(pixels[i] / 255.0, 2) + "\"/>";
  return text + "</svg>";
}

double shareOf(std::size_t count, std::size_t total) {
  return total == 0 ? 0 : static_cast<double>(count) / static_cast<double>(total);
}

}  // namespace

std::string confusionHtml(const Digits& digits, const std::vector<DigitAnswer>& answers) {
  const Counts counts = confusionOf(digits, answers);
  std::string text = "<table>" + headings("digit", 10) + "<th>right</th></tr>\n";
  for (std::size_t digit = 0; digit < counts.size(); ++digit) {
    std::size_t total = 0;
    for (const std::size_t count : counts[digit]) total += count;
    text += "<tr><th>" + std::to_string(digit) + "</th>";
    for (std::size_t answer = 0; answer < counts.size(); ++answer) {
      const double share = shareOf(counts[digit][answer], total);
      // mistakes are few, so that their colour is five times as strong
      text += cell(std::to_string(counts[digit][answer]),
                   answer == digit ? share / 2 : std::min(1.0, 5 * share), answer == digit);
    }
    text += "<td>" + percent(shareOf(counts[digit][digit], total), 1) + "</td></tr>\n";
  }
  return text + "</table>\n";
}

std::string expertsHtml(const Digits& digits, const std::vector<DigitAnswer>& answers) {
  std::array<std::array<std::size_t, 10>, 2> counts{};
  std::array<std::size_t, 10> totals{};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    ++counts.at(answers[i].expert).at(digits.labels[i]);
    ++totals.at(digits.labels[i]);
  }
  std::string text = "<table>" + headings("digit", 10) + "</tr>\n";
  for (std::size_t expert = 0; expert < counts.size(); ++expert) {
    text += "<tr><th>expert " + std::to_string(expert) + "</th>";
    for (std::size_t digit = 0; digit < totals.size(); ++digit) {
      const double share = shareOf(counts[expert][digit], totals[digit]);
      text += cell(percent(share, 0), share / 2, true);
    }
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

std::string mistakesHtml(const Digits& digits, const std::vector<DigitAnswer>& answers, std::size_t most) {
  std::string text = "<div class=\"images\">\n";
  std::size_t mistakes = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].digit == digits.labels[i] || mistakes++ >= most) continue;
    text += "<figure>" + drawing(digits.image(i)) + "<figcaption>" + std::to_string(digits.labels[i]) +
            " read as " + std::to_string(answers[i].digit) + ", by expert " +
            std::to_string(answers[i].expert) + "</figcaption></figure>\n";
  }
  return "<p>" + std::to_string(mistakes) + " of " + std::to_string(answers.size()) + " images" +
         (mistakes > most ? ", of which the first " + std::to_string(most) + ':' : std::string()) + "</p>\n" +
         text + "</div>\n";
}

void requireWritable(const std::filesystem::path& path) {
  if (!std::ofstream(path)) throw InputError("--report", "cannot write " + path.string());
}

void writeReport(const std::filesystem::path& path, TrainingLog& log, const Digits& digits,
                 const std::vector<DigitAnswer>& answers, const std::string& summary) {
  log.addSection("Confusion matrix", confusionHtml(digits, answers));
  log.addSection("Experts by digit", expertsHtml(digits, answers));
  log.addSection("Mistaken images", mistakesHtml(digits, answers));
  log.addSection("The network, for one image", "<pre>" + TrainingLog::escaped(summary) + "</pre>");
  std::ofstream file(path);
  try {
    log.writeHtml(file);
  } catch (const std::ios_base::failure&) {
    throw InputError("--report", "cannot write " + path.string());
  }
}

}  // namespace tapestry::examples
