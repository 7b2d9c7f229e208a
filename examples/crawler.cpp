// Crawls a small web, breadth first, a bounded number of pages at a time; then crawls an endless one until
// time is up: the requests that are under way then are cancelled, and every connection is closed.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <set>
#include <stdexcept>
#include <string>
#include <tapestry/continuation/sleep_for.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/direct/direct.hpp>
#include <tapestry/raii/par_traverse.hpp>
#include <tapestry/raii/timeout.hpp>
#include <vector>

#include "support/options.hpp"

namespace {

using namespace tapestry;
using namespace std::chrono_literals;

constexpr std::size_t limit = 4;

using Links = std::vector<int>;

/// A web inside this program: page n links to 2n + 1 and 2n + 2, and back to the first; every seventh page is
/// missing. Fetching takes a while.
class Web {
 public:
  explicit Web(int pages) : pages_(pages) {}

  /// The links of the page, or the error where there is no such page. The connection is closed when it
  /// completes.
  Do<Try<Links>> fetch(int page) {
    const auto connect = Do<int>::delay([this] {
      most_ = std::max(most_, ++open_);
      return open_;
    });
    return resource(connect, [this](int) { --open_; })
        .flatMap([](int) { return Do<void>::lift(sleepFor(1ms)); })
        .map([this, page] { return linksOf(page); })
        .attempt()
        .run();
  }

  int open() const { return open_; }
  int most() const { return most_; }  ///< connections that were open at once

 private:
  Links linksOf(int page) const {
    if (page % 7 == 6) throw std::runtime_error("no page " + std::to_string(page));
    Links links{0};
    for (const int next : {2 * page + 1, 2 * page + 2})
      if (next < pages_) links.push_back(next);
    return links;
  }

  const int pages_;
  int open_ = 0;
  int most_ = 0;
};

struct Found {
  int pages = 0;
  std::vector<std::string> broken;
};

/// Level by level from page 0; `found` has the pages found so far.
Do<void> crawl(Web& web, Found& found) {
  return direct<Do>([&] {
    std::set<int> known{0};
    for (std::vector<int> level{0}, next; !level.empty(); level.swap(next)) {
      auto pages = !parTraverse(level, limit, [&](int page) { return web.fetch(page); });
      next.clear();
      for (auto& page : pages) try {
          for (const int link : std::move(page).valueOrThrow())
            if (known.insert(link).second) next.push_back(link);
          ++found.pages;
        } catch (const std::runtime_error& error) {
          found.broken.emplace_back(error.what());
        }
    }
  });
}

void crawlBoth() {
  Web small(60);
  Found all;
  crawl(small, all).blockingAwait();
  std::cout << all.pages << " pages, " << all.broken.size()
            << " broken links, the first: " << all.broken.at(0) << "\nconnections: at most " << small.most()
            << " at once, " << small.open() << " still open\n";

  Web endless(1'000'000'000);
  Found some;
  try {
    timeout(crawl(endless, some), 500ms).blockingAwait();
  } catch (const TimeoutError&) {
    std::cout << "time is up: " << (some.pages > 0 ? "some" : "no") << " pages, " << endless.open()
              << " connections still open\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  examples::Options options("crawler", "Crawls a small web whole, and a large one until its time is up.");
  options.unused("--threads", "all happens on one").unused("--seed", "nothing is drawn");
  options.traced(examples::traceRuns);
  return options.run(argc, argv, crawlBoth);
}
