#include "tapestry/continuation/chrome_trace.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tapestry {

namespace {

/// The length of the UTF-8 character at the beginning of the text, or 0 if there is none.
std::size_t characterLength(std::string_view text) noexcept {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // not in the shortest form, a surrogate, or beyond the last character
  if (length > 2) {
    const unsigned lead = first << 8 | byte(1);
    if (lead < 0xE0A0 || (lead >= 0xEDA0 && lead < 0xEE80) || (lead >= 0xF000 && lead < 0xF090) ||
        lead >= 0xF490)
      return 0;
  }
  return length;
}

/// The text as a JSON string, with the quotation marks. Bytes that are not UTF-8 become U+FFFD.
std::string jsonText(std::string_view text) {
  std::string json = "\"";
  while (!text.empty()) {
    const std::size_t length = characterLength(text);
    const char first = text.front();
    if (length == 0) {
      json += "\\ufffd";
    } else if (static_cast<unsigned char>(first) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(first));
      json += escaped;
    } else {
      if (first == '"' || first == '\\') json += '\\';
      json += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return json += '"';
}

}  // namespace

/// Bars are pairs of events B and E, which nest in their lane; arrows are pairs of events s and f.
class ChromeTrace::Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out) { out_ << '['; }
  ~Writer() {
    write("\n]\n");
    try {
      out_.flush();
    } catch (...) {  // NOLINT: see write
    }
  }

  void enter(const RunSpan& span) {
    const std::lock_guard guard(mutex_);
    Lane& lane = laneHere();
    open(lane, span);
    last_[span.id()] = {lane.number, now()};
  }
  void suspend(const RunSpan& span, const void* run, const std::string& wait) {
    const std::lock_guard guard(mutex_);
    suspended_[run] = closeAll(span, wait);
  }
  void endBranch(const RunSpan& span) {
    const std::lock_guard guard(mutex_);
    closeAll(span, {});
  }
  void beginBranch(const RunSpan& span) {
    const std::lock_guard guard(mutex_);
    Lane& lane = laneHere();
    openAll(lane, span);
    if (const auto last = last_.find(span.id()); last != last_.end())
      arrow(last->second, {lane.number, now()});
  }
  void resume(const RunSpan& span, const void* run) {
    const std::lock_guard guard(mutex_);
    Lane& lane = laneHere();
    openAll(lane, span);
    const Point here{lane.number, now()};
    if (const auto before = suspended_.extract(run)) arrow(before.mapped(), here);
    if (const auto last = last_.find(span.id()); last != last_.end()) last->second = here;
  }
  void leave(const RunSpan& span) {
    const std::lock_guard guard(mutex_);
    Lane& lane = laneHere();
    if (!lane.open.empty() && lane.open.back() == span.id()) close(lane, now(), {});
    last_.erase(span.id());
  }

 private:
  struct Lane {
    int number = 0;
    std::vector<std::uint64_t> open;  ///< the spans of the open bars, the innermost last
  };
  /// The lane of a run at some time.
  struct Point {
    int lane;
    std::int64_t time;  ///< in nanoseconds, like all times here
  };

  std::int64_t now() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin_)
        .count();
  }

  Lane& laneHere() {
    Lane& lane = lanes_[std::this_thread::get_id()];
    if (lane.number != 0) return lane;
    lane.number = static_cast<int>(lanes_.size());
    event("M", {lane.number, 0},
          R"(,"name":"thread_name","args":{"name":"thread )" + std::to_string(lane.number) + "\"}");
    return lane;
  }

  void openAll(Lane& lane, const RunSpan& innermost) {
    std::vector<RunSpan> spans;
    for (std::optional<RunSpan> at = innermost; at; at = at->outer()) spans.push_back(*at);
    for (auto at = spans.rbegin(); at != spans.rend(); ++at) open(lane, *at);
  }
  void open(Lane& lane, const RunSpan& span) {
    const std::string place =
        std::string(span.location().file_name()) + ':' + std::to_string(span.location().line());
    event("B", {lane.number, now()},
          R"(,"cat":"run","name":)" + jsonText(span.name()) + R"(,"args":{"at":)" + jsonText(place) +
              R"(,"span":)" + std::to_string(span.id()) + "}");
    lane.open.push_back(span.id());
  }
  /// Closes the bars of the spans that a run is in, but not those of another run below them.
  Point closeAll(const RunSpan& innermost, const std::string& wait) {
    Lane& lane = laneHere();
    const Point here{lane.number, now()};
    const std::string none;
    const std::string* why = &wait;
    for (std::optional<RunSpan> at = innermost; at && !lane.open.empty() && lane.open.back() == at->id();
         at = at->outer())
      close(lane, here.time, *std::exchange(why, &none));
    if (const auto last = last_.find(innermost.id()); last != last_.end()) last->second = here;
    return here;
  }
  void close(Lane& lane, std::int64_t time, const std::string& wait) {
    event("E", {lane.number, time}, wait.empty() ? "" : R"(,"args":{"waits for":)" + jsonText(wait) + "}");
    lane.open.pop_back();
  }

  void arrow(const Point& from, const Point& to) {
    if (from.lane == to.lane) return;
    const std::string common = R"(,"cat":"run","name":"continues","id":)" + std::to_string(++arrows_);
    event("s", {from.lane, from.time - 1}, common);  // within the bar, which may have ended then
    event("f", to, common + R"(,"bp":"e")");
  }

  void event(const char* phase, const Point& at, const std::string& more) {
    char text[96];
    const long long time = at.time < 0 ? 0 : at.time;  // in microseconds, whatever the locale's decimal point
    std::snprintf(text, sizeof text, "%s\n{\"ph\":\"%s\",\"pid\":1,\"tid\":%d,\"ts\":%lld.%03lld",
                  isFirst_ ? "" : ",", phase, at.lane, time / 1000, time % 1000);
    isFirst_ = false;
    write(text + more + '}');
  }

  /// A stream that throws has noted the failure in its state, where its owner can ask for it.
  void write(const std::string& text) noexcept {
    try {
      out_ << text;
    } catch (...) {  // NOLINT
    }
  }

  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::ostream& out_;
  bool isFirst_ = true;
  std::uint64_t arrows_ = 0;
  std::unordered_map<std::thread::id, Lane> lanes_;
  std::unordered_map<std::uint64_t, Point> last_;     ///< by span: its last place of work
  std::unordered_map<const void*, Point> suspended_;  ///< by run: the place where it left its thread
};

ChromeTrace::ChromeTrace(std::ostream& out) : writer_(std::make_unique<Writer>(out)) {}
ChromeTrace::~ChromeTrace() = default;

void ChromeTrace::entered(const RunSpan& span, const void*) noexcept { writer_->enter(span); }

void ChromeTrace::suspended(const RunSpan& span, const void* run, const char* operation,
                            const std::source_location& location) noexcept {
  std::string wait = operation;
  if (location.line() != 0)
    wait += std::string(" (") + location.file_name() + ':' + std::to_string(location.line()) + ')';
  writer_->suspend(span, run, wait);
}

void ChromeTrace::resumed(const RunSpan& span, const void* run) noexcept { writer_->resume(span, run); }

void ChromeTrace::branchBegan(const RunSpan& span, const void*) noexcept { writer_->beginBranch(span); }

void ChromeTrace::branchEnded(const RunSpan& span, const void*) noexcept { writer_->endBranch(span); }

void ChromeTrace::left(const RunSpan& span, const void*) noexcept { writer_->leave(span); }

}  // namespace tapestry
