// Defines ModelMismatch, the error of ranks that do not have the same model.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#pragma GCC visibility push(default)
namespace tapestry {

/// A rank has another model than rank 0, or other values.
class ModelMismatch final : public std::runtime_error {
 public:
  ModelMismatch(const std::string& message, std::size_t rank) : std::runtime_error(message), rank_(rank) {}

  /// The first rank that differs from rank 0.
  std::size_t rank() const noexcept { return rank_; }

 private:
  std::size_t rank_;
};

}  // namespace tapestry
#pragma GCC visibility pop
