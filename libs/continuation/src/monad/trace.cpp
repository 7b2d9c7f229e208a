#include "tapestry/continuation/monad/trace.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

#include "exception_header.hpp"
#include "tapestry/continuation/monad/detail/at.hpp"

namespace tapestry {

namespace detail {

namespace {

struct PlaceNote {
  const char* operation;  ///< empty for a step, whose text is the name
  std::source_location location;
  std::string name;
  std::size_t times = 1;

  bool isSame(const char* otherOperation, const std::source_location& other,
              std::string_view otherName) const noexcept {
    return location.line() == other.line() && location.column() == other.column() && name == otherName &&
           location.file_name() == other.file_name() && std::strcmp(operation, otherOperation) == 0;
  }
};

/// The trace of one exception object: the first places, and the last ones in a ring.
struct Notes {
  std::vector<PlaceNote> places;
  std::size_t ringed = 0;  ///< the number of places that have been put into the ring
  ExceptionDestructor destructor = nullptr;

  PlaceNote& last() noexcept {
    return ringed == 0 ? places.back() : places[Trace::most + (ringed - 1) % Trace::most];
  }

  void add(const char* operation, const std::source_location& location, std::string_view name) {
    if (!places.empty() && last().isSame(operation, location, name)) {
      ++last().times;
      return;
    }
    PlaceNote note{operation, location, std::string(name)};
    if (places.empty()) places.reserve(8);
    if (places.size() == Trace::most) places.reserve(2 * Trace::most);  // may throw: before `ringed` changes
    if (places.size() >= Trace::most) ++ringed;
    if (places.size() < 2 * Trace::most)
      places.push_back(std::move(note));
    else
      last() = std::move(note);
  }

  Trace trace() const {
    Trace trace;
    const auto copy = [&](const PlaceNote& note) {
      const bool isStep = *note.operation == '\0';
      trace.places.push_back({isStep ? note.name : note.operation, isStep ? std::string() : note.name,
                              note.location, note.times});
    };
    for (std::size_t i = 0; i < places.size() && i < Trace::most; ++i) copy(places[i]);
    const std::size_t kept = ringed < Trace::most ? ringed : Trace::most;
    for (std::size_t i = ringed - kept; i < ringed; ++i) copy(places[Trace::most + i % Trace::most]);
    trace.omitted = ringed - kept;
    return trace;
  }
};

/// A lock that costs one locked instruction where no other thread has it. Unlike SpinLock it may be held
/// while memory is allocated, so a thread that waits lets other threads have the processor.
class Lock {
 public:
  void lock() noexcept {
    while (isHeld_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() noexcept { isHeld_.clear(std::memory_order_release); }

 private:
  std::atomic_flag isHeld_;
};

/// The only place of an exception object: most errors are handled where they are raised. A free entry is
/// taken with the shard's lock; the destructor of the object frees it without, since nobody else can look it
/// up then.
struct OnlyPlace {
  std::atomic<const void*> object = nullptr;  ///< null in a free entry
  const char* operation = nullptr;
  std::source_location location;
  ExceptionDestructor destructor = nullptr;
};

/// The traces of the exception objects in some part of the memory.
struct Shard {
  Lock mutex;
  std::array<OnlyPlace, 4> onlyPlaces;
  std::unordered_map<const void*, Notes> notes;  ///< of the objects without an entry above

  OnlyPlace* find(const void* object) noexcept {
    const auto found = std::ranges::find_if(onlyPlaces, [&](const OnlyPlace& place) {
      return place.object.load(std::memory_order_acquire) == object;
    });
    return found == onlyPlaces.end() ? nullptr : &*found;
  }

  /// The notes of the object, to which its only place is moved.
  Notes& notesOf(const void* object) {
    OnlyPlace* const only = find(object);
    if (!only) return notes[object];
    Notes all;
    all.add(only->operation, only->location, {});
    all.destructor = only->destructor;
    Notes& moved = notes.emplace(object, std::move(all)).first->second;
    only->object.store(nullptr, std::memory_order_release);
    return moved;
  }
};

/// Never destroyed, since exceptions may outlive static objects.
Shard& shardOf(const void* object) noexcept {
  constexpr std::size_t count = 64;
  static Shard* const shards = new Shard[count];
  return shards[(reinterpret_cast<std::uintptr_t>(object) >> 6) % count];
}

/// Replaces an exception object's own destructor; also drops its trace.
void destroyTraced(void* object) {
  Shard& shard = shardOf(object);
  ExceptionDestructor destroy = nullptr;
  if (OnlyPlace* const only = shard.find(object)) {
    destroy = only->destructor;
    only->object.store(nullptr, std::memory_order_release);
  } else {
    std::unique_lock lock(shard.mutex);
    const auto node = shard.notes.extract(object);
    lock.unlock();  // before the node is destroyed
    destroy = node.mapped().destructor;
  }
  if (destroy) destroy(object);
}

/// Returns whether the location is in a header of the library, not in the user's source.
bool isOwn(const std::source_location& location) noexcept {
  static constinit std::atomic<const char*> latest = nullptr;  // the name of a file that is the user's
  const char* const name = location.file_name();
  if (name == latest.load(std::memory_order_relaxed)) return false;
  if (std::strstr(name, "include/tapestry/")) return true;
  latest.store(name, std::memory_order_relaxed);
  return false;
}

std::terminate_handler nextHandler = nullptr;

[[noreturn]] void endDescribing() noexcept {
  const std::exception_ptr error = std::current_exception();
  if (error && !traceOf(error).empty()) std::fprintf(stderr, "uncaught error: %s\n", describe(error).c_str());
  if (nextHandler) nextHandler();
  std::abort();
}

/// The first call installs a handler that runs before the present handler of std::set_terminate: a process
/// that ends by an uncaught error with a trace then writes the trace.
void endWithTrace() noexcept {
  static const bool isSet = [] {
    nextHandler = std::set_terminate(endDescribing);
    return true;
  }();
  static_cast<void>(isSet);
}

void addNote(const std::exception_ptr& error, const char* operation, const std::source_location& location,
             std::string_view name) noexcept {
  ExceptionHeader* const header = headerOf(error);
  if (!header) return;
  endWithTrace();
  const void* const object = objectOf(error);
  Shard& shard = shardOf(object);
  const std::lock_guard guard(shard.mutex);
  const bool isNew = header->destructor != destroyTraced;
  // the destructor is read when the last pointer to the object is destroyed, which is later than this
  if (OnlyPlace* const free = isNew && name.empty() ? shard.find(nullptr) : nullptr) {
    free->operation = operation;
    free->location = location;
    free->destructor = std::exchange(header->destructor, destroyTraced);
    free->object.store(object, std::memory_order_release);
    return;
  }
  try {
    Notes& notes = shard.notesOf(object);
    if (isNew) notes.destructor = std::exchange(header->destructor, destroyTraced);
    notes.add(operation, location, name);
  } catch (...) {  // NOLINT: no memory for the trace, which is then shorter
  }
}

}  // namespace

void addPlace(const std::exception_ptr& error, const char* operation, const std::source_location& location,
              std::string_view name) noexcept {
  if (location.line() != 0 && !isOwn(location)) addNote(error, operation, location, name);
}

}  // namespace detail

void extend::noteStep(const std::exception_ptr& error, const std::string& text) noexcept {
  if (error) detail::addNote(error, "", std::source_location(), text);
}

Trace traceOf(const std::exception_ptr& error) {
  if (!error) return {};
  const void* const object = detail::objectOf(error);
  detail::Shard& shard = detail::shardOf(object);
  const std::lock_guard guard(shard.mutex);
  if (const detail::OnlyPlace* const only = shard.find(object))
    return {.places = {{only->operation, {}, only->location, 1}}};
  const auto found = shard.notes.find(object);
  return found == shard.notes.end() ? Trace() : found->second.trace();
}

}  // namespace tapestry
