// Sums up the log of a server by windows of one second. The log is read by lines, parsed in parallel, summed
// up in order, and given to a store that takes its time. A stage asks for items when it has room for them, so
// that reading waits while the store is busy: however long the log is, a few blocks of it are in memory.
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tapestry/asio.hpp>
#include <tapestry/concurrent/stream/file_blocks.hpp>
#include <tapestry/concurrent/stream/lines.hpp>
#include <tapestry/continuation/sleep_for.hpp>
#include <tapestry/raii.hpp>
#include <vector>

#include "support/input_error.hpp"
#include "support/options.hpp"
#include "support/random.hpp"

namespace {

using namespace tapestry;
using namespace std::chrono_literals;
using examples::InputError;

constexpr std::size_t blockSize = 1 << 16;
constexpr std::size_t linesAtATime = 256;  // which one thread parses
constexpr std::size_t parsers = 4;
constexpr std::uint64_t blocksAhead = 2;
constexpr auto storeTakes = 2ms;

/// One line of the log, `MILLISECONDS PATH STATUS MICROSECONDS`: when, what, how it ended and how long it
/// took.
struct Request {
  std::uint64_t millisecond = 0;
  int status = 0;
  std::uint64_t microseconds = 0;
};

/// The requests of some lines in a row.
struct Parsed {
  std::vector<Request> requests;
  std::uint64_t bytes = 0;
  std::uint64_t malformed = 0;
};

/// The requests that began within one second of the log.
struct Window {
  std::uint64_t second = 0;
  std::uint64_t requests = 0;
  std::uint64_t failed = 0;
  std::uint64_t slowest = 0;  // in microseconds
};

/// A number up to the next space or the end, which is taken away from the text.
template <class Number>
bool takeNumber(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto size = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || (size < text.size() && text[size] != ' ')) return false;
  text.remove_prefix(std::min(size + 1, text.size()));
  return true;
}

std::optional<Request> parseLine(std::string_view line) {
  Request request;
  if (!takeNumber(line, request.millisecond)) return std::nullopt;
  line.remove_prefix(std::min(line.find(' '), line.size() - 1) + 1);
  if (!takeNumber(line, request.status) || !takeNumber(line, request.microseconds) || !line.empty())
    return std::nullopt;
  return request;
}

/// In a turn of its own, which any thread of the pool takes.
Do<Parsed> parse(std::vector<std::string> lines) {
  return Do<Parsed>::delay([lines = std::move(lines)] {
    Parsed parsed;
    for (const std::string& line : lines) {
      parsed.bytes += line.size() + 1;
      if (const auto request = parseLine(line))
        parsed.requests.push_back(*request);
      else
        ++parsed.malformed;
    }
    return parsed;
  });
}

/// The windows of the requests, each as soon as a request of a later one comes, and the last one at the end.
class Windows {
 public:
  /// Adds the requests; no value means that the log has ended.
  Windows next(const std::optional<Parsed>& parsed) && {
    complete_.clear();
    if (parsed)
      for (const Request& request : parsed->requests) add(request);
    else if (open_.requests != 0)
      complete_.push_back(open_);
    return std::move(*this);
  }
  const std::vector<Window>& complete() const { return complete_; }

 private:
  void add(const Request& request) {
    const std::uint64_t second = request.millisecond / 1000;
    if (second > open_.second) {
      if (open_.requests != 0) complete_.push_back(open_);
      open_ = {.second = second};
    }
    ++open_.requests;
    if (request.status >= 500) ++open_.failed;
    open_.slowest = std::max(open_.slowest, request.microseconds);
  }

  Window open_;
  std::vector<Window> complete_;
};

/// How far reading is ahead of summing up. Stages count on whatever threads they run.
struct Progress {
  std::atomic<std::uint64_t> read = 0;
  std::atomic<std::uint64_t> parsed = 0;
  std::atomic<std::uint64_t> mostAhead = 0;
  std::uint64_t malformed = 0;

  void hasRead(std::uint64_t bytes) {
    const std::uint64_t ahead = (read += bytes) - parsed;
    mostAhead = std::max<std::uint64_t>(mostAhead, ahead);
  }
};

Stream<Window> windowsOf(const std::filesystem::path& log, Progress& progress) {
  const auto blocks = fileBlocks(log, blockSize).map([&progress](std::string block) {
    progress.hasRead(block.size());
    return block;
  });
  const auto parsed = lines(blocks).chunk(linesAtATime).parMap(parsers, parse);
  const auto ended = Stream<std::optional<Parsed>>::of({std::nullopt});
  return parsed
      .map([&progress](Parsed some) {
        progress.parsed += some.bytes;
        progress.malformed += some.malformed;
        return std::optional(std::move(some));
      })
      .concat(ended)
      .scan(Windows(), [](Windows windows, const auto& some) { return std::move(windows).next(some); })
      .flatMap([](const Windows& windows) { return Stream<Window>::of(windows.complete()); });
}

/// A log of two requests a millisecond, one of a hundred of which failed, with one line in every
/// 50,000 that is no request.
void writeLog(const std::filesystem::path& path, std::size_t count, std::uint64_t seed) {
  const std::vector<std::string> paths = {"/", "/cart", "/search", "/pay"};
  examples::Random random(seed);
  std::ofstream log(path);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 50'000 == 49'999) log << "-- rotated --\n";
    const int status = random.below(100) == 0 ? 503 : 200;
    log << i / 2 << ' ' << paths[random.below(paths.size())] << ' ' << status << ' '
        << random.between(100, 20'000) << '\n';
  }
  if (!log.flush()) throw std::system_error(errno, std::generic_category(), path.string());
}

/// A drawn log, which is removed at the end of the scope.
Do<std::filesystem::path> drawnLog(std::size_t count, std::uint64_t seed) {
  const auto make = Do<std::filesystem::path>::delay([] {
    std::string path = std::filesystem::temp_directory_path() / "pipeline-XXXXXX";
    const int file = mkstemp(path.data());
    if (file < 0) throw std::system_error(errno, std::generic_category(), path);
    close(file);
    return std::filesystem::path(path);
  });
  return resource(make, [](const std::filesystem::path& path) { std::filesystem::remove(path); })
      .map([=](const std::filesystem::path& path) {
        writeLog(path, count, seed);
        return path;
      });
}

struct Summary {
  std::vector<Window> windows;
  Progress progress;
};

Do<void> sumUp(const std::filesystem::path& log, Summary& summary) {
  return windowsOf(log, summary.progress).forEach([&summary](const Window& window) {
    return Do<void>::lift(sleepFor(storeTakes)).map([&summary, window] {
      summary.windows.push_back(window);
    });
  });
}

void print(const Summary& summary) {
  Window all;
  Window worst;
  for (const Window& window : summary.windows) {
    all.requests += window.requests;
    all.failed += window.failed;
    if (window.slowest > worst.slowest) worst = window;
  }
  const bool held = summary.progress.mostAhead <= blocksAhead * blockSize;
  std::cout << all.requests << " requests in " << summary.windows.size() << " windows, " << all.failed
            << " failed, " << summary.progress.malformed << " lines were malformed\n"
            << "the slowest took " << worst.slowest << " us, in second " << worst.second << '\n'
            << "the slow store held " << (held ? "reading" : "nothing")
            << " up: " << (held ? "at most " : "more than ") << blocksAhead << " blocks were ahead of it\n";
}

}  // namespace

int main(int argc, char** argv) {
  examples::Options options("pipeline", "Sums up the log of a server by windows of one second.");
  std::optional<std::filesystem::path> path;
  std::size_t count = 200'000;
  options
      .path("--log", path, "lines of MILLISECONDS PATH STATUS MICROSECONDS; if there is none, one is drawn")
      .count("--lines", count, "of a drawn log");
  options.traced(examples::traceRuns);
  return options.run(argc, argv, [&] {
    if (path && !std::filesystem::exists(*path)) throw InputError(*path, "no such file, expected a log");
    Summary summary;
    const auto log = path ? Do<std::filesystem::path>::now(*path) : drawnLog(count, options.seed());
    const auto sum = log.flatMap([&](const std::filesystem::path& file) { return sumUp(file, summary); });
    ThreadPool pool(static_cast<unsigned>(options.threads()));
    sum.blockingAwait(pool);
    print(summary);
  });
}
