// Defines PassTrace, which records the passes of a process for Chrome's trace viewer.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tapestry/deeplearning/pass_observer.hpp>
#include <thread>

namespace tapestry::examples {

/// A bar for each forward and backward computation of an operation, in a lane for each thread of a process.
/// The bar of a forward begins with the event before it on its thread, and that of a backward ends with the
/// event after it.
class PassTrace final : public PassObserver {
 public:
  /// `process` numbers the process in the file.
  explicit PassTrace(std::size_t process) : process_(process) {}

  void observe(Event event, std::string_view name, const void* node) noexcept override;

  /// The events so far, each followed by a comma and a new line.
  [[nodiscard]] std::string events() const;
  /// A file of the events of processes.
  [[nodiscard]] static std::string file(const std::string& events);

 private:
  struct Lane {
    std::size_t number = 0;
    double last = 0;            ///< the time of the last event, in us
    std::string backward = {};  ///< the operation whose backward has begun
  };
  void add(const Lane& lane, std::string_view name, const char* category, double begin, double end);

  const std::size_t process_;
  mutable std::mutex mutex_;
  std::map<std::thread::id, Lane> lanes_;
  std::string events_;
};

}  // namespace tapestry::examples
