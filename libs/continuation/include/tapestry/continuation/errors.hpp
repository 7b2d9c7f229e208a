// Defines the ways in which a run ends without a value: Cancelled, BrokenCallback, ExecutorStopped, and
// several Errors.
#pragma once

#include <exception>
#include <memory>
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
/// Copies, which share them, cost a count.
class MultipleException final : public std::exception {
 public:
  explicit MultipleException(std::vector<std::exception_ptr> errors);
  // no moves, which would leave nothing to ask
  MultipleException(const MultipleException&) noexcept = default;
  MultipleException& operator=(const MultipleException&) noexcept = default;
  ~MultipleException() override;

  const std::vector<std::exception_ptr>& errors() const noexcept;
  /// How many they are, and the texts of the first eight. Made when it is first asked for, which
  /// rethrows those.
  const char* what() const noexcept override;

 private:
  struct Shared;

  std::shared_ptr<const Shared> shared_;
};

/// An ordered list of errors; empty means that nothing failed.
class Errors {
 public:
  Errors() noexcept = default;
  explicit Errors(const std::exception_ptr& error) { append(error); }
  Errors(const Errors& other) { append(other); }
  Errors(Errors&&) noexcept = default;
  Errors& operator=(Errors other) noexcept {
    list_ = std::move(other.list_);
    return *this;
  }
  ~Errors() = default;

  bool empty() const noexcept { return !list_; }

  /// Adds an error at the end; a MultipleException adds what it holds. Precondition: not null.
  void append(const std::exception_ptr& error);
  void append(const Errors& errors);

  /// Null when empty, a single error as itself, several as one MultipleException.
  std::exception_ptr toException() const;

 private:
  using List = std::vector<std::exception_ptr>;
  List& list();

  std::unique_ptr<List> list_;  ///< null, or not empty: for it is kept, and moved, where there are none
};

}  // namespace tapestry
