#include "support/pass_trace.hpp"

#include <nlohmann/json.hpp>

namespace tapestry::examples {

namespace {

/// In us, on a clock that all processes of a machine share.
double microseconds() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

void PassTrace::observe(Event event, std::string_view name, const void*) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    const double now = microseconds();
    const auto [found, isNew] = lanes_.try_emplace(std::this_thread::get_id(), Lane{lanes_.size(), now});
    Lane& lane = found->second;
    if (event != Event::release && !lane.backward.empty()) {
      add(lane, lane.backward, "backward", lane.last, now);
      lane.backward.clear();
    }
    if (event == Event::forward) add(lane, name, "forward", lane.last, now);
    if (event == Event::step) add(lane, name, "step", now, now);
    if (event == Event::backward) lane.backward = name;
    if (event != Event::release) lane.last = now;
  } catch (const std::exception&) {
    // a trace without this event
  }
}

void PassTrace::add(const Lane& lane, std::string_view name, const char* category, double begin, double end) {
  const nlohmann::json bar{{"ph", "X"},       {"pid", process_}, {"tid", lane.number}, {"name", name},
                           {"cat", category}, {"ts", begin},     {"dur", end - begin}};
  events_ += bar.dump() + ",\n";
}

std::string PassTrace::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

std::string PassTrace::file(const std::string& events) {
  return "[\n" + events.substr(0, events.rfind(',')) + "\n]\n";
}

}  // namespace tapestry::examples
