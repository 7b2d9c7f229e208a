#include "tapestry/continuation/monad/errors.hpp"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>
#include <version>

#include "tapestry/continuation/monad/detail/at.hpp"
#include "tapestry/continuation/monad/trace.hpp"

namespace tapestry {

const char* BrokenCallback::what() const noexcept {
  return "tapestry::async: the callback was destroyed without being called";
}

const char* ExecutorStopped::what() const noexcept {
  return "tapestry::Executor: the executor was stopped and refuses work";
}

namespace {

/// The number of errors in a text.
constexpr std::size_t maxTold = 8;

void appendText(std::string& text, const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& exception) {
    text += exception.what();
  } catch (...) {
    text += "an exception that is no std::exception";
  }
}

/// The error if it is a MultipleException, else null. Does not throw the error where its type can be read.
const MultipleException* severalOf(const std::exception_ptr& error) noexcept {
#if defined(_LIBCPP_VERSION)
  try {
    std::rethrow_exception(error);
  } catch (const MultipleException& several) {
    return &several;
  } catch (...) {
    return nullptr;
  }
#else
  if (*error.__cxa_exception_type() != typeid(MultipleException)) return nullptr;
  return static_cast<const MultipleException*>(detail::objectOf(error));
#endif
}

std::string textOf(const detail::ErrorList& errors) {
  const std::size_t count = errors.size();
  std::string text =
      "tapestry::MultipleException: " + std::to_string(count) + (count == 1 ? " error" : " errors");
  const char* separator = ": ";
  for (const auto& error : errors.first(maxTold)) {
    text += std::exchange(separator, "; ");
    appendText(text, error);
  }
  if (maxTold < count) text += "; and " + std::to_string(count - maxTold) + " more";
  return text;
}

detail::ErrorList listOf(const std::vector<std::exception_ptr>& errors) {
  if (errors.empty())
    throw std::invalid_argument("tapestry::MultipleException: got no errors, expected at least one");
  detail::ErrorList list;
  for (const auto& error : errors) {
    if (!error)
      throw std::invalid_argument("tapestry::MultipleException: got a null exception_ptr, expected errors");
    list.append(detail::ErrorList(error));
  }
  return list;
}

void appendPlace(std::string& text, const Trace::Place& place, const char* how) {
  text += how;
  text += place.name.empty() ? place.operation : '"' + place.name + '"';
  if (place.location.line() != 0)
    text +=
        std::string(" (") + place.location.file_name() + ':' + std::to_string(place.location.line()) + ')';
  if (place.times > 1) text += ", " + std::to_string(place.times) + " times";
}

void appendTrace(std::string& text, const Trace& trace, const std::string& margin) {
  for (std::size_t i = 0; i < trace.places.size(); ++i) {
    if (i == Trace::most && trace.omitted > 0)
      text += margin + "  and " + std::to_string(trace.omitted) + " more";
    text += margin;
    appendPlace(text, trace.places[i], i == 0 ? "  raised in " : "  passed ");
  }
}

void appendError(std::string& text, const std::exception_ptr& error, const std::string& margin);

void appendErrors(std::string& text, const std::vector<std::exception_ptr>& errors,
                  const std::string& margin) {
  for (std::size_t i = 0; i < errors.size() && i < maxTold; ++i) {
    text += margin + "  error " + std::to_string(i + 1) + ": ";
    appendError(text, errors[i], margin + "  ");
  }
}

/// Appends the message and further lines, each of which begins with the margin.
void appendError(std::string& text, const std::exception_ptr& error, const std::string& margin) {
  if (!error) {
    text += "no error";
    return;
  }
  appendText(text, error);
  appendTrace(text, traceOf(error), margin);
  if (const MultipleException* const several = severalOf(error))
    appendErrors(text, several->errors(), margin);
}

/// Returns the result of `make`, which is called at the first call, without a lock: if several threads make
/// it, the result of one thread is kept.
template <class T, class F>
const T& madeOnce(std::atomic<const T*>& slot, F make) {
  const T* present = slot.load();
  if (present) return *present;
  auto made = std::make_unique<const T>(make());
  if (slot.compare_exchange_strong(present, made.get())) present = made.release();
  return *present;
}

}  // namespace

struct MultipleException::Shared {
  explicit Shared(detail::ErrorList all) noexcept : list(std::move(all)) {}
  ~Shared() {
    delete errors.load();
    delete text.load();
  }
  const detail::ErrorList list;
  // owned; null until first used
  mutable std::atomic<const std::vector<std::exception_ptr>*> errors{nullptr};
  mutable std::atomic<const std::string*> text{nullptr};
};

MultipleException::MultipleException(const std::vector<std::exception_ptr>& errors)
    : MultipleException(Checked(), listOf(errors)) {}

MultipleException::MultipleException(Checked, detail::ErrorList list)
    : shared_(std::make_shared<Shared>(std::move(list))) {}

MultipleException::~MultipleException() = default;

const std::vector<std::exception_ptr>& MultipleException::errors() const {
  return madeOnce(shared_->errors, [this] { return shared_->list.first(shared_->list.size()); });
}

const char* MultipleException::what() const noexcept {
  try {
    return madeOnce(shared_->text, [this] { return textOf(shared_->list); }).c_str();
  } catch (...) {
    return "tapestry::MultipleException: several errors";  // there is no memory for the text
  }
}

void Errors::append(const std::exception_ptr& error) {
  if (!error) {
    const std::invalid_argument null("tapestry::Errors::append: got a null exception_ptr, expected an error");
    return list_.append(detail::ErrorList(std::make_exception_ptr(null)));
  }
  const MultipleException* const several = severalOf(error);
  list_.append(several ? several->shared_->list : detail::ErrorList(error));
}

std::exception_ptr Errors::toException() const {
  if (list_.empty()) return nullptr;
  if (list_.size() == 1) return list_.first(1).front();
  return std::make_exception_ptr(MultipleException(MultipleException::Checked(), list_));
}

std::string describe(const std::exception_ptr& error) {
  std::string text;
  appendError(text, error, "\n");
  return text;
}

}  // namespace tapestry
