// Defines TextWindows, the pieces of a text from which a model learns to predict the next symbol.
#pragma once

#include <cstddef>

#include "tapestry/tensor/indices.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// A piece of a text, and the symbol that follows each of its symbols; both have shape [length]. As labels,
/// losses take the latter by std::vector<std::uint32_t>(next.values().begin(), next.values().end()).
struct TextWindow {
  Indices text;
  Indices next;
};

/// A Dataset for Batches: window i is the symbols from i * stride on.
class TextWindows {
 public:
  /// With a stride of 0, a window begins where the previous one ends. Throws std::invalid_argument for a
  /// length of 0.
  explicit TextWindows(Indices symbols, std::size_t length, std::size_t stride = 0);

  /// The number of whole windows; 0 for a text without one.
  std::size_t size() const noexcept { return size_; }
  TextWindow get(std::size_t index) const;

 private:
  Indices symbols_;
  std::size_t length_;
  std::size_t stride_;
  std::size_t size_;
};

}  // namespace tapestry
#pragma GCC visibility pop
