#include "tapestry/concurrent/stream/lines.hpp"

#include <stdexcept>
#include <string_view>
#include <utility>

#include "tapestry/concurrent/detail/arguments.hpp"
#include "tapestry/concurrent/stream/detail/staged.hpp"

namespace tapestry {

namespace {

struct LinesStage {
  using Item = std::string;

  bool apply(const Chunk<std::string>& blocks, Chunk<std::string>& to) {
    for (const std::string& block : blocks) {
      std::string_view left = block;
      for (auto end = left.find('\n'); end != left.npos; end = left.find('\n')) {
        add(left.substr(0, end));
        if (line.ends_with('\r')) line.pop_back();
        to.push_back(takeLine());
        left.remove_prefix(end + 1);
      }
      add(left);
    }
    return true;
  }
  void end(Chunk<std::string>& to) {
    if (!line.empty()) to.push_back(takeLine());
  }

  std::size_t longest;
  std::string line = {};

 private:
  void add(std::string_view part) {
    const std::size_t size = line.size() + part.size();
    if (size > longest && size - longest > 1) refuse();  // one more for the "\r" of an end that is to come
    line += part;
  }
  std::string takeLine() {
    if (line.size() > longest) refuse();
    return std::exchange(line, {});
  }
  [[noreturn]] void refuse() const {
    const auto most = std::to_string(longest);
    throw std::length_error("tapestry::lines: a line is too long, got more than " + most +
                            " bytes, expected at most " + most);
  }
};

}  // namespace

Stream<std::string> lines(const Stream<std::string>& blocks, std::size_t longest, detail::Location location) {
  return Stream<std::string>(detail::staged<std::string>(
      blocks.open(), LinesStage{detail::positive(longest, "lines", "the longest line")},
      {"lines", location}));
}

}  // namespace tapestry
