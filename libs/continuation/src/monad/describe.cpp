#include <exception>
#include <string>

#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/continuation/monad/trace.hpp"

namespace tapestry {

namespace {

constexpr std::size_t mostErrors = 8;

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
  for (std::size_t i = 0; i < errors.size() && i < mostErrors; ++i) {
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
  try {
    std::rethrow_exception(error);
  } catch (const MultipleException& several) {
    text += several.what();
    appendTrace(text, traceOf(error), margin);
    appendErrors(text, several.errors(), margin);
    return;
  } catch (const std::exception& exception) {
    text += exception.what();
  } catch (...) {
    text += "an exception that is no std::exception";
  }
  appendTrace(text, traceOf(error), margin);
}

}  // namespace

std::string describe(const std::exception_ptr& error) {
  std::string text;
  appendError(text, error, "\n");
  return text;
}

}  // namespace tapestry
