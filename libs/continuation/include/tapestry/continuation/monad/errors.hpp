// Defines Cancelled, BrokenCallback, ExecutorStopped, MultipleException and Errors, with which runs end
// without a value.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace tapestry {

/// Thrown to a caller whose run was cancelled. Not a std::exception: cancellation is an outcome of its own,
/// and handlers for errors do not catch it.
struct Cancelled final {};

/// The error of a run whose leaf destroyed its callback without calling it.
struct BrokenCallback final : std::exception {
  const char* what() const noexcept override;
};

/// The error of a run whose executor was stopped and refuses work.
struct ExecutorStopped final : std::exception {
  const char* what() const noexcept override;
};

namespace detail {

/// One error, or two lists of errors; immutable and counted.
class ErrorTree;

/// A counted pointer to a list of errors, or null for none. The last pointer destroys the list without
/// recursion.
class ErrorList {
 public:
  ErrorList() noexcept = default;
  explicit ErrorList(std::exception_ptr error);
  ErrorList(const ErrorList& other) noexcept : tree_(other.tree_) {
    if (tree_) retain();
  }
  ErrorList(ErrorList&& other) noexcept : tree_(std::exchange(other.tree_, nullptr)) {}
  ErrorList& operator=(ErrorList other) noexcept {
    std::swap(tree_, other.tree_);
    return *this;
  }
  ~ErrorList() {
    if (tree_) release();
  }

  bool empty() const noexcept { return !tree_; }
  std::size_t size() const noexcept;
  /// The first errors, in order, at most `count`.
  std::vector<std::exception_ptr> first(std::size_t count) const;
  /// Adds a list at the end. Cost: O(1).
  void append(ErrorList other);

 private:
  friend class ErrorTree;
  void retain() const noexcept;
  void release() noexcept;

  const ErrorTree* tree_ = nullptr;
};

}  // namespace detail

/// One error that represents several; `errors()` holds them all, in the order that the operation documents.
/// Copies share the errors and cost a reference count.
class MultipleException final : public std::exception {
 public:
  /// Throws std::invalid_argument if there are no errors, or an error is null.
  explicit MultipleException(const std::vector<std::exception_ptr>& errors);
  // no moves, which would leave an object without errors
  MultipleException(const MultipleException&) noexcept = default;
  MultipleException& operator=(const MultipleException&) noexcept = default;
  ~MultipleException() override;

  /// Cost: O(number of errors) when it is first asked for.
  const std::vector<std::exception_ptr>& errors() const;
  /// The number of errors and the texts of the first eight. Made at the first call, which rethrows these
  /// errors.
  const char* what() const noexcept override;

 private:
  friend class Errors;
  struct Shared;
  struct Checked {};
  MultipleException(Checked, detail::ErrorList list);

  std::shared_ptr<const Shared> shared_;
};

/// An ordered list of errors; empty means that nothing failed. Copied, and appended to another, in O(1).
class Errors {
 public:
  Errors() noexcept = default;
  explicit Errors(const std::exception_ptr& error) { append(error); }

  bool empty() const noexcept { return list_.empty(); }

  /// Adds an error at the end; of a MultipleException, adds its errors. For a null pointer, adds a
  /// std::invalid_argument.
  void append(const std::exception_ptr& error);
  void append(const Errors& errors) { list_.append(errors.list_); }

  /// Null when empty, a single error as itself, several as one MultipleException.
  std::exception_ptr toException() const;

 private:
  detail::ErrorList list_;
};

namespace detail {

/// The function that returns these errors and then its argument's.
inline auto after(Errors first) {
  return [first = std::move(first)](const Errors& more) {
    Errors all = first;
    all.append(more);
    return all;
  };
}

}  // namespace detail

}  // namespace tapestry
#pragma GCC visibility pop
