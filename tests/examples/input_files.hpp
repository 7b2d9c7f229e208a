// Defines what the tests of the examples' files share.
#pragma once

#include "support/input_error.hpp"
#include "support/system/input_bytes.hpp"

namespace tapestry::examples {

using test::Bytes;
using test::first;
using test::gzipped;
using test::header;
using test::images;
using test::labels;
using test::operator+;

struct TemporaryDirectory : test::TemporaryDirectory {
  std::filesystem::path write(const std::string& name, const Bytes& bytes) const {
    return test::written(*this, name, bytes);
  }
};

/// The message of the InputError that `action` throws, without the `directory` before the file that it names.
template <class Action>
std::string messageOf(const TemporaryDirectory& directory, const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    const std::string message = error.what(), place = directory.path().string() + '/';
    return message.starts_with(place) ? message.substr(place.size()) : message;
  }
  return "no error";
}

}  // namespace tapestry::examples
