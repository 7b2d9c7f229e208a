#include "tapestry/continuation/errors.hpp"

namespace tapestry {

const char* BrokenCallback::what() const noexcept {
  return "tapestry::async: the callback was destroyed without being called";
}

const char* ExecutorStopped::what() const noexcept {
  return "tapestry::Executor: the executor was stopped and refuses work";
}

const char* MultipleException::what() const noexcept { return "tapestry::MultipleException: several errors"; }

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
