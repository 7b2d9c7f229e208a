// Defines errorText, an error as a text that tests compare.
#pragma once

#include <exception>
#include <string>

#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/continuation/outcome.hpp"

namespace tapestry::test {

/// The message; "[first, second]" for a MultipleException; "none" where there is no error.
inline std::string errorText(const std::exception_ptr& error) {
  if (!error) return "none";
  try {
    std::rethrow_exception(error);
  } catch (const MultipleException& several) {
    std::string text;
    for (const auto& each : several.errors()) text += (text.empty() ? "[" : ", ") + errorText(each);
    return text + "]";
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (const Cancelled&) {
    return "Cancelled";
  } catch (...) {
    return "unknown";
  }
}

inline std::string errorText(const Errors& errors) { return errorText(errors.toException()); }

/// The text of the error that the function throws; what it returns is of no interest.
template <class F>
std::string errorOf(const F& function) {
  try {
    static_cast<void>(function());
    return "none";
  } catch (...) {
    return errorText(std::current_exception());
  }
}

/// How a run ended: "value", "cancelled", or the error.
template <class A>
std::string outcomeText(const Outcome<A>& outcome) {
  if (outcome.hasValue()) return "value";
  return outcome.hasError() ? errorText(outcome.error()) : "cancelled";
}

}  // namespace tapestry::test
