#include "npy_header.hpp"

#include <charconv>

namespace tapestry {

namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  std::optional<NpyHeader> header() {
    if (!take('{')) return {};
    while (!take('}')) {
      const auto key = string();
      if (!key || !take(':') || !value(*key)) return {};
      if (!take(',') && !next('}')) return {};
    }
    skipSpace();
    if (!rest_.empty() || !descr_ || !fortranOrder_ || !shape_) return {};
    return NpyHeader{*std::move(descr_), *fortranOrder_, *std::move(shape_)};
  }

 private:
  /// A key that is repeated or unknown is an error.
  bool value(std::string_view key) {
    if (key == "descr" && !descr_) return (descr_ = string()).has_value();
    if (key == "fortran_order" && !fortranOrder_) return (fortranOrder_ = boolean()).has_value();
    if (key == "shape" && !shape_) return (shape_ = tuple()).has_value();
    return false;
  }

  std::optional<std::string> string() {
    const char quote = next('"') ? '"' : '\'';
    if (!take(quote)) return {};
    const auto end = rest_.find(quote);
    if (end == std::string_view::npos) return {};
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }

  std::optional<bool> boolean() {
    if (take("True")) return true;
    if (take("False")) return false;
    return {};
  }

  std::optional<std::vector<std::size_t>> tuple() {
    if (!take('(')) return {};
    std::vector<std::size_t> extents;
    while (!take(')')) {
      const auto extent = integer();
      if (!extent) return {};
      extents.push_back(*extent);
      if (!take(',') && (!next(')') || extents.size() == 1)) return {};  // (3) is a number in Python
    }
    return extents;
  }

  std::optional<std::size_t> integer() {
    skipSpace();
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc{}) return {};
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    if (rest_.starts_with('L')) rest_.remove_prefix(1);  // as Python 2 wrote it
    return number;
  }

  void skipSpace() {
    const auto begin = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(begin == std::string_view::npos ? rest_.size() : begin);
  }
  bool next(char character) {
    skipSpace();
    return rest_.starts_with(character);
  }
  bool take(char character) { return take(std::string_view(&character, 1)); }
  bool take(std::string_view token) {
    skipSpace();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  std::string_view rest_;
  std::optional<std::string> descr_;
  std::optional<bool> fortranOrder_;
  std::optional<std::vector<std::size_t>> shape_;
};

}  // namespace

std::optional<NpyHeader> parseNpyHeader(std::string_view text) { return Parser(text).header(); }

}  // namespace tapestry
