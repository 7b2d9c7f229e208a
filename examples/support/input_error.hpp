// Defines InputError, a mistake in the input that the user gave to an example.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

namespace tapestry::examples {

/// Its message reads `PLACE: PROBLEM, got ..., expected ...`, where the place is a file or a directory, or a
/// column of the excerpt. `Options::run` prints it as one line, and then the excerpt, whole lines that show
/// the place, if there is one; and ends the program with status 2.
class InputError : public std::runtime_error {
 public:
  InputError(const std::filesystem::path& place, const std::string& problem, std::string excerpt = {})
      : runtime_error(place.string() + ": " + problem), excerpt_(std::move(excerpt)) {}

  [[nodiscard]] const std::string& excerpt() const noexcept { return excerpt_; }

 private:
  std::string excerpt_;
};

}  // namespace tapestry::examples
