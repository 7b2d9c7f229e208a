// Defines Vocabulary, which numbers the bytes or the words of texts.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tapestry/tensor/indices.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The different symbols of a text, bytes or words, numbered from 0; an Embedding and a layer of scores have
/// a row for each symbol. Words are the longest runs of letters, digits and bytes beyond ASCII, so that UTF-8
/// stays whole, and each other character but space and control characters.
class Vocabulary {
 public:
  /// The different bytes of the text, in ascending order.
  static Vocabulary ofBytes(std::string_view text);
  /// The words that occur most often, the most frequent first, equally frequent ones in alphabetical order.
  /// Symbol 0 represents all other words.
  static Vocabulary ofWords(std::string_view text,
                            std::size_t most = std::numeric_limits<std::size_t>::max());
  /// Symbols from a file of a model, as symbols() gave them. Throws std::invalid_argument unless they are
  /// different, and of one byte each for bytes.
  static Vocabulary ofBytes(std::vector<std::string> symbols);
  static Vocabulary ofWords(std::vector<std::string> symbols);

  std::size_t size() const noexcept { return symbols_.size(); }
  /// In the order of their numbers; of words, the first is empty.
  const std::vector<std::string>& symbols() const noexcept { return symbols_; }

  /// The numbers of the text's symbols, [symbols]. Throws std::out_of_range for a byte without a number.
  Indices encode(std::string_view text) const;
  /// The text of symbols, words separated by spaces, with "?" for words without a number. Throws
  /// std::out_of_range for a number that no symbol has.
  std::string decode(const Indices& numbers) const;

 private:
  Vocabulary(std::vector<std::string> symbols, bool words);

  std::vector<std::string> symbols_;
  std::map<std::string, std::int64_t, std::less<>> numbers_;
  bool words_;
};

}  // namespace tapestry
#pragma GCC visibility pop
