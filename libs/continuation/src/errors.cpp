#include "tapestry/continuation/errors.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

namespace tapestry {

const char* BrokenCallback::what() const noexcept {
  return "tapestry::async: the callback was destroyed without being called";
}

const char* ExecutorStopped::what() const noexcept {
  return "tapestry::Executor: the executor was stopped and refuses work";
}

namespace {

/// So many errors are told.
constexpr std::size_t maxTold = 8;

void appendText(std::string& text, const std::exception_ptr& error) {
  if (!error) {
    text += "no exception";
    return;
  }
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& exception) {
    text += exception.what();
  } catch (...) {
    text += "an exception that is no std::exception";
  }
}

std::string textOf(const std::vector<std::exception_ptr>& errors) {
  const std::size_t count = errors.size();
  std::string text =
      "tapestry::MultipleException: " + std::to_string(count) + (count == 1 ? " error" : " errors");
  const std::size_t told = std::min(count, maxTold);
  for (std::size_t i = 0; i < told; ++i) {
    text += i == 0 ? ": " : "; ";
    appendText(text, errors[i]);
  }
  if (told < count) text += "; and " + std::to_string(count - told) + " more";
  return text;
}

}  // namespace

struct MultipleException::Shared {
  ~Shared() { delete text.load(); }
  std::vector<std::exception_ptr> errors;
  mutable std::atomic<const std::string*> text{nullptr};  ///< owned; null until it is asked for
};

MultipleException::MultipleException(std::vector<std::exception_ptr> errors) {
  auto shared = std::make_shared<Shared>();
  shared->errors = std::move(errors);
  shared_ = std::move(shared);
}

MultipleException::~MultipleException() = default;

const std::vector<std::exception_ptr>& MultipleException::errors() const noexcept { return shared_->errors; }

const char* MultipleException::what() const noexcept {
  const std::string* text = shared_->text.load();
  if (text) return text->c_str();
  try {
    // in no lock, since the errors' texts are the user's
    auto made = std::make_unique<const std::string>(textOf(shared_->errors));
    if (shared_->text.compare_exchange_strong(text, made.get())) text = made.release();
    return text->c_str();
  } catch (...) {
    return "tapestry::MultipleException: several errors";  // there is no memory for the text
  }
}

Errors::List& Errors::list() {
  if (!list_) list_ = std::make_unique<List>();
  return *list_;
}

void Errors::append(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const MultipleException& several) {
    const auto& errors = several.errors();
    if (!errors.empty()) list().insert(list().end(), errors.begin(), errors.end());
  } catch (...) {
    list().push_back(error);
  }
}

void Errors::append(const Errors& errors) {
  if (errors.list_) list().insert(list().end(), errors.list_->begin(), errors.list_->end());
}

std::exception_ptr Errors::toException() const {
  if (!list_) return nullptr;
  return list_->size() == 1 ? list_->front() : std::make_exception_ptr(MultipleException(*list_));
}

}  // namespace tapestry
