// Defines InputError, which says what is wrong with something that the user gave to an example.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace tapestry::examples {

/// Its message reads `PLACE: what is wrong, got ..., expected ...`, where the place is a file or a directory.
/// `Options::run` prints it as one line and ends the program with status 2.
class InputError : public std::runtime_error {
 public:
  InputError(const std::filesystem::path& place, const std::string& problem)
      : runtime_error(place.string() + ": " + problem) {}
};

}  // namespace tapestry::examples
