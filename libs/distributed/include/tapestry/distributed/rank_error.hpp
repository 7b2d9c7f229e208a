// Defines RankError, the error of a rank that has waited for ranks that did not come, have ended, or have
// failed.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace tapestry {

/// Other ranks have not come to a collective within its time limit, have ended, or have failed.
class RankError final : public std::runtime_error {
 public:
  /// `ranks` are the ranks at fault, at least one, in their communicator's numbers.
  RankError(const std::string& message, std::vector<std::size_t> ranks)
      : std::runtime_error(message), ranks_(std::move(ranks)) {}

  /// The first rank at fault.
  std::size_t rank() const noexcept { return ranks_.front(); }
  /// All ranks at fault, in order.
  const std::vector<std::size_t>& ranks() const noexcept { return ranks_; }

 private:
  std::vector<std::size_t> ranks_;
};

}  // namespace tapestry
#pragma GCC visibility pop
