#include "tapestry/continuation/errors.hpp"

namespace tapestry {

const char* BrokenCallback::what() const noexcept {
  return "tapestry::async: the callback was destroyed without being called";
}

const char* ExecutorStopped::what() const noexcept {
  return "tapestry::Executor: the executor was stopped and refuses work";
}

const char* MultipleException::what() const noexcept { return "tapestry::MultipleException: several errors"; }

void Errors::append(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const MultipleException& several) {
    list_.insert(list_.end(), several.errors().begin(), several.errors().end());
  } catch (...) {
    list_.push_back(error);
  }
}

void Errors::append(const Errors& errors) {
  list_.insert(list_.end(), errors.list_.begin(), errors.list_.end());
}

std::exception_ptr Errors::toException() const {
  if (list_.size() <= 1) return list_.empty() ? nullptr : list_.front();
  return std::make_exception_ptr(MultipleException(list_));
}

}  // namespace tapestry
