// Defines the ways in which a run ends without a value: Cancelled, BrokenCallback, ExecutorStopped, and
// several Errors.
#pragma once

#include <exception>
#include <utility>
#include <vector>

namespace tapestry {

/// Thrown to a caller whose run was cancelled. Not a std::exception: cancellation is an outcome of its own
/// and no handler for errors catches it.
struct Cancelled {};

/// The error of a run whose leaf destroyed its callback without calling it.
struct BrokenCallback final : std::exception {
  const char* what() const noexcept override;
};

/// The error of a run whose executor refuses work, since it was stopped.
struct ExecutorStopped final : std::exception {
  const char* what() const noexcept override;
};

/// The error that stands for several; `errors()` holds them all, in the order that the operation documents.
class MultipleException final : public std::exception {
 public:
  explicit MultipleException(std::vector<std::exception_ptr> errors) : errors_(std::move(errors)) {}
  const std::vector<std::exception_ptr>& errors() const noexcept { return errors_; }
  const char* what() const noexcept override;

 private:
  std::vector<std::exception_ptr> errors_;
};

/// An ordered list of errors; empty means that nothing failed.
class Errors {
 public:
  Errors() noexcept = default;
  explicit Errors(std::exception_ptr error) { append(std::move(error)); }

  bool empty() const noexcept { return list_.empty(); }

  /// Adds an error at the end; a MultipleException adds what it holds.
  void append(const std::exception_ptr& error);
  void append(const Errors& errors);

  /// Null when empty, a single error as itself, several as one MultipleException.
  std::exception_ptr toException() const;

 private:
  std::vector<std::exception_ptr> list_;
};

}  // namespace tapestry
