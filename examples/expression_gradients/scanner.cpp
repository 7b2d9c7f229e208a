#include "expression_gradients/scanner.hpp"

#include <algorithm>
#include <system_error>

#include "expression_gradients/read_real.hpp"

namespace tapestry::examples {
namespace {

bool isDigit(char c) { return '0' <= c && c <= '9'; }
bool isLetter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_'; }
bool isSpace(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }
bool continuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

char Scanner::next() {
  while (position_ < text_.size() && isSpace(text_[position_])) ++position_;
  return position_ < text_.size() ? text_[position_] : '\0';
}

bool Scanner::nextIsLetter() { return isLetter(next()); }
bool Scanner::nextIsNumber() { return isDigit(next()) || next() == '.'; }

std::string Scanner::takeWord() {
  const std::string taken(word());
  position_ += taken.size();
  return taken;
}

double Scanner::takeNumber() {
  const char* const begin = text_.data() + position_;
  double value = 0;
  const auto [end, problem] = readReal(begin, text_.data() + text_.size(), value);
  if (problem != std::errc()) fail("no number that a double can hold", "one such as 2 or 0.5 or 1e-3");
  position_ += static_cast<std::size_t>(end - begin);
  return value;
}

void Scanner::fail(const std::string& problem, const std::string& expected) {
  const bool atEnd = next() == '\0';
  const std::string got = atEnd ? "the end" : '"' + std::string(word()) + '"';
  const std::size_t end = position_ + (atEnd ? 1 : word().size());
  throw Expression{text_}.error({position_, end}, problem + ", got " + got + ", expected " + expected);
}

std::string_view Scanner::word() const {
  const auto rest = std::string_view(text_).substr(position_);
  const auto end = isLetter(rest[0]) || isDigit(rest[0])
                       ? std::ranges::find_if_not(rest, [](char c) { return isLetter(c) || isDigit(c); })
                       : std::ranges::find_if_not(rest.substr(1), continuesCharacter);
  return {rest.begin(), end};
}

}  // namespace tapestry::examples
