#include <algorithm>
#include <set>
#include <stdexcept>

#include <tapestry/deeplearning/data/input_file.hpp>
#include <tapestry/deeplearning/data/read_text.hpp>
#include <tapestry/deeplearning/data/text_windows.hpp>
#include <tapestry/deeplearning/data/vocabulary.hpp>

#include "tapestry/tensor/storage/shape_in_file.hpp"

namespace tapestry {

namespace {

/// Letters and digits of ASCII, and what is beyond it.
bool isOfWord(char character) {
  const auto byte = static_cast<unsigned char>(character);
  const auto lower = static_cast<unsigned char>(byte | 0x20U);
  return byte >= 0x80 || (byte >= '0' && byte <= '9') || (lower >= 'a' && lower <= 'z');
}

/// Calls f(word) for each word.
void forEachWord(std::string_view text, const auto& f) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t first = at++;
    if (isOfWord(text[first]))
      while (at < text.size() && isOfWord(text[at])) ++at;
    else if (static_cast<unsigned char>(text[first]) <= ' ' || text[first] == '\x7f')
      continue;
    f(text.substr(first, at - first));
  }
}

}  // namespace

std::string readText(const std::filesystem::path& path) { return InputFile(path, "readText").takeText(); }

Vocabulary::Vocabulary(std::vector<std::string> symbols, bool words)
    : symbols_(std::move(symbols)), words_(words) {
  for (const auto& symbol : symbols_) {
    if (!words && symbol.size() != 1)
      throw std::invalid_argument("tapestry::Vocabulary: no byte, got " + excerpt(symbol) +
                                  ", expected symbols of one byte");
    if (!numbers_.emplace(symbol, static_cast<std::int64_t>(numbers_.size())).second)
      throw std::invalid_argument("tapestry::Vocabulary: a symbol occurs twice, got " + excerpt(symbol) +
                                  ", expected each once");
  }
}

Vocabulary Vocabulary::ofBytes(std::vector<std::string> symbols) { return {std::move(symbols), false}; }
Vocabulary Vocabulary::ofWords(std::vector<std::string> symbols) {
  if (symbols.empty() || !symbols.front().empty())
    throw std::invalid_argument("tapestry::Vocabulary: no symbol for other words, got " +
                                (symbols.empty() ? "none" : excerpt(symbols.front())) +
                                ", expected an empty text first");
  return {std::move(symbols), true};
}

Vocabulary Vocabulary::ofBytes(std::string_view text) {
  const std::set<unsigned char> bytes(text.begin(), text.end());
  std::vector<std::string> symbols;
  for (const auto byte : bytes) symbols.emplace_back(1, static_cast<char>(byte));
  return ofBytes(std::move(symbols));
}

Vocabulary Vocabulary::ofWords(std::string_view text, std::size_t most) {
  std::map<std::string_view, std::size_t> counts;
  forEachWord(text, [&](std::string_view word) { ++counts[word]; });
  std::vector<std::pair<std::string_view, std::size_t>> words(counts.begin(), counts.end());
  std::ranges::stable_sort(words, std::greater<>(), &std::pair<std::string_view, std::size_t>::second);
  std::vector<std::string> symbols{""};
  for (const auto& [word, count] : words)
    if (symbols.size() <= most) symbols.emplace_back(word);
  return ofWords(std::move(symbols));
}

Indices Vocabulary::encode(std::string_view text) const {
  std::vector<std::int64_t> numbers;
  if (words_) {
    forEachWord(text, [&](std::string_view word) {
      const auto found = numbers_.find(word);
      numbers.push_back(found == numbers_.end() ? 0 : found->second);
    });
    return numbers;
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto found = numbers_.find(text.substr(at, 1));
    if (found == numbers_.end())
      throw std::out_of_range("tapestry::Vocabulary: a byte without a number, got " +
                              excerpt(text.substr(at, 1)) + " at byte " + std::to_string(at) +
                              ", expected one of " + std::to_string(size()) + " bytes");
    numbers.push_back(found->second);
  }
  return numbers;
}

std::string Vocabulary::decode(const Indices& numbers) const {
  std::string text;
  for (const auto number : numbers.values()) {
    if (number < 0 || static_cast<std::size_t>(number) >= size())
      throw std::out_of_range("tapestry::Vocabulary: no symbol, got " + std::to_string(number) +
                              ", expected " +
                              (size() == 0 ? "none, since the vocabulary is empty"
                                           : "a number from 0 to " + std::to_string(size() - 1)));
    if (words_ && !text.empty()) text += ' ';
    text += words_ && number == 0 ? "?" : symbols_[static_cast<std::size_t>(number)];
  }
  return text;
}

TextWindows::TextWindows(Indices symbols, std::size_t length, std::size_t stride)
    : symbols_(std::move(symbols)), length_(length), stride_(stride == 0 ? length : stride), size_(0) {
  if (length == 0)
    throw std::invalid_argument("tapestry::TextWindows: no length, got 0, expected at least 1");
  const std::size_t count = symbols_.size();
  if (count > length) size_ = (count - length - 1) / stride_ + 1;
}

TextWindow TextWindows::get(std::size_t index) const {
  if (index >= size_)
    throw std::out_of_range("tapestry::TextWindows: no window, got " + std::to_string(index) +
                            ", expected less than " + std::to_string(size_));
  const auto from = [&](std::size_t first) {
    const auto values = symbols_.values().subspan(first, length_);
    return Indices(std::vector<std::int64_t>(values.begin(), values.end()));
  };
  return {from(index * stride_), from(index * stride_ + 1)};
}

}  // namespace tapestry
