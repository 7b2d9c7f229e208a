#include "tapestry/deeplearning/pictures/chrome_pass_trace.hpp"

#include <algorithm>
#include <chrono>

#include "begins_work.hpp"
#include "json_library.hpp"
#include "tapestry/deeplearning/extend/graph.hpp"

namespace tapestry {

namespace {

/// Lanes before this one are of threads.
constexpr std::size_t firstExchangeLane = 1000;

/// In us, on a clock that all processes of a machine share.
double microseconds() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

nlohmann::json argumentsOf(const extend::NodeView& node) {
  nlohmann::json arguments = nlohmann::json::object();
  const extend::NodeDetails details = node.details();
  if (details.shape) arguments["shape"] = toString(*details.shape);
  std::string operands;
  for (const auto& shape : details.operands)
    operands += (operands.empty() ? "" : ", ") + (shape ? toString(*shape) : std::string("?"));
  if (!operands.empty()) arguments["operands"] = operands;
  if (details.place.line() != 0)
    arguments["place"] = std::string(details.place.file_name()) + ':' + std::to_string(details.place.line());
  return arguments;
}

/// A line of a file; a name that is not UTF-8, such as that of a file, has other characters instead.
std::string lineOf(const nlohmann::json& event) {
  return event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + ",\n";
}

/// From `begin` to `end`, in us.
nlohmann::json barOf(std::size_t process, std::size_t lane, std::string_view name, std::string_view category,
                     double begin, double end) {
  return {{"ph", "X"},       {"pid", process}, {"tid", lane},       {"name", name},
          {"cat", category}, {"ts", begin},    {"dur", end - begin}};
}

/// A point in time, in us.
nlohmann::json pointOf(std::size_t process, std::string_view name, std::string_view category, double at) {
  return {{"ph", "i"}, {"pid", process}, {"name", name}, {"cat", category}, {"ts", at}, {"s", "t"}};
}

}  // namespace

void ChromePassTrace::passOpened(const void* pass) noexcept try {
  const std::lock_guard guard(mutex_);
  if (passes_ == options_.mostPasses)
    left_.insert(pass);
  else
    ++passes_;
} catch (...) {  // NOLINT: no memory; the pass is recorded
}

void ChromePassTrace::passEnded(const void* pass) noexcept {
  const std::lock_guard guard(mutex_);
  left_.erase(pass);
  // computations that have failed, and exchanges that were cancelled
  std::erase_if(begun_, [pass](const auto& each) { return each.first.first == pass; });
  std::erase_if(exchanges_, [pass](const auto& each) { return each.first.first == pass; });
}

void ChromePassTrace::observeNode(Event event, const extend::NodeView& node) noexcept try {
  note(event, node);
} catch (...) {  // NOLINT: no memory for the event, which is left out
}

void ChromePassTrace::note(Event event, const extend::NodeView& node) {
  const double now = microseconds();
  const bool begins = detail::beginsWork(event, node);
  const bool ends = event == Event::forward || event == Event::sent;
  const bool isPoint = event == Event::step || (ends && node.kind() == extend::NodeKind::program);
  if (!begins && !ends && !isPoint) return;
  double begun = now;
  {
    const std::lock_guard guard(mutex_);
    if (left_.contains(node.pass())) return;
    const std::pair key(node.pass(), node.id());
    if (begins) {
      begun_[key] = microseconds();
      return;
    }
    if (!isPoint) {
      const auto found = begun_.extract(key);
      if (!found) return;
      begun = found.mapped();
    }
  }
  // without the lock, since a user's operation lists its own attributes
  nlohmann::json drawn =
      isPoint ? pointOf(options_.process, node.name(), event == Event::step ? "step" : "program", now)
              : barOf(options_.process, 0, node.name(), event == Event::forward ? "forward" : "backward",
                      begun, now);
  drawn["args"] = argumentsOf(node);
  const std::lock_guard guard(mutex_);
  drawn["tid"] = lane();
  events_ += lineOf(drawn);
}

void ChromePassTrace::observe(Event event, std::string_view name, const void* pass) noexcept {
  if (event != Event::exchange && event != Event::exchanged) return;
  try {
    noteExchange(event, {pass, std::string(name)});
  } catch (...) {  // NOLINT: no memory for the event, which is left out
  }
}

void ChromePassTrace::noteExchange(Event event, Exchange exchange) {
  const double now = microseconds();
  const std::lock_guard guard(mutex_);
  if (left_.contains(exchange.first)) return;
  if (event == Event::exchange) {  // takes the first lane that no other exchange has
    std::size_t lane = firstExchangeLane;
    const auto isTaken = [&](const auto& each) { return each.second.lane == lane; };
    while (std::ranges::any_of(exchanges_, isTaken)) ++lane;
    exchanges_[std::move(exchange)] = {lane, now};
  } else if (const auto begun = exchanges_.extract(exchange)) {
    const auto [at, began] = begun.mapped();
    const auto bar = barOf(options_.process, at, "exchange " + exchange.second, "exchange", began, now);
    events_ += lineOf(bar);
  }
}

std::size_t ChromePassTrace::lane() {
  return lanes_.try_emplace(std::this_thread::get_id(), lanes_.size()).first->second;
}

std::string ChromePassTrace::events() const {
  const std::lock_guard guard(mutex_);
  return events_;
}

std::string ChromePassTrace::file(const std::string& events) {
  const auto last = events.rfind(',');
  return last == std::string::npos ? "[\n]\n" : "[\n" + events.substr(0, last) + "\n]\n";
}

}  // namespace tapestry
