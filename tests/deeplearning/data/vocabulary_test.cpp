#include <tapestry/deeplearning/data/vocabulary.hpp>

#include <doctest/doctest.h>

#include "support/error_text.hpp"

using tapestry::Indices;
using tapestry::Vocabulary;
using tapestry::test::errorOf;
using Symbols = std::vector<std::string>;

TEST_CASE("the bytes of a text are numbered in ascending order") {
  const auto bytes = Vocabulary::ofBytes("banana\n\xff");
  CHECK(bytes.symbols() == Symbols{"\n", "a", "b", "n", "\xff"});
  CHECK(bytes.encode("nab") == Indices{3, 1, 2});
  CHECK(bytes.decode(Indices{2, 1, 3}) == "ban");
  CHECK(bytes.encode("").size() == 0);
  CHECK(bytes.decode(bytes.encode("banana\n\xff")) == "banana\n\xff");
  CHECK(Vocabulary::ofBytes(bytes.symbols()).encode("b") == Indices{2});
}

TEST_CASE("words are numbered by how often they occur, with 0 for the others") {
  const auto words = Vocabulary::ofWords("the cat, the dog; Größe the\tcat\n");
  CHECK(words.symbols() == Symbols{"", "the", "cat", ",", ";", "Größe", "dog"});
  CHECK(words.encode("the Größe cat!") == Indices{1, 5, 2, 0});
  CHECK(words.decode(Indices{1, 2, 0}) == "the cat ?");
  const auto few = Vocabulary::ofWords("a b b c c c", 2);
  CHECK(few.symbols() == Symbols{"", "c", "b"});
  CHECK(few.encode("a b c") == Indices{0, 2, 1});
  CHECK(Vocabulary::ofWords(few.symbols()).encode("c") == Indices{1});
}

TEST_CASE("symbols without a number, and lists that are no vocabulary, are errors") {
  const auto bytes = Vocabulary::ofBytes("ab");
  CHECK(errorOf([&] { (void)bytes.encode("abc"); }) ==
        "tapestry::Vocabulary: a byte without a number, got \"c\" at byte 2, expected one of 2 bytes");
  CHECK(errorOf([&] { (void)bytes.decode(Indices{2}); }) ==
        "tapestry::Vocabulary: no symbol, got 2, expected a number from 0 to 1");
  CHECK(errorOf([&] { (void)Vocabulary::ofBytes("").decode(Indices{0}); }) ==
        "tapestry::Vocabulary: no symbol, got 0, expected none, since the vocabulary is empty");
  CHECK(errorOf([&] {
          (void)Vocabulary::ofBytes(Symbols{"a", "a"});
        }) == "tapestry::Vocabulary: a symbol occurs twice, got \"a\", expected each once");
  CHECK(errorOf([&] { (void)Vocabulary::ofBytes(Symbols{"ab"}); }) ==
        "tapestry::Vocabulary: no byte, got \"ab\", expected symbols of one byte");
  CHECK(errorOf([&] { (void)Vocabulary::ofWords(Symbols{"a"}); }) ==
        "tapestry::Vocabulary: no symbol for other words, got \"a\", expected an empty text first");
}
