// Runs jobs: at most three at a time, one begun every two milliseconds, each tried again where it fails. An
// interrupt (Ctrl-C; here the tenth job sends it) ends it gracefully: the jobs that have begun are finished,
// and no other is begun.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tapestry/concurrent/rate_limiter.hpp>
#include <tapestry/continuation/asio/stop_on_signal.hpp>
#include <tapestry/continuation/sleep_for.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/mask.hpp>
#include <tapestry/raii/par_traverse.hpp>
#include <tapestry/raii/retry.hpp>
#include <vector>

#include "support/options.hpp"

namespace {

using namespace tapestry;
using namespace std::chrono_literals;

constexpr std::size_t limit = 3;
constexpr Clock::Duration betweenJobs = 2ms;

struct Report {
  const Clock::TimePoint start = Clock::system().now();
  int begun = 0;
  int tooEarly = 0;
  int atWork = 0;
  int mostAtWork = 0;
  int done = 0;
  int failed = 0;
  std::map<int, int> attempts;
};

/// Takes a while; every second job fails at first, and job 4 always does.
Do<void> work(int job, Report& report) {
  return Do<void>::lift(sleepFor(3ms)).map([job, &report] {
    if (job == 4 || (job % 2 == 1 && ++report.attempts[job] == 1)) throw std::runtime_error("no luck");
  });
}

/// Tries three times; never fails. Masked, so that what has begun is finished.
Do<void> perform(int job, Report& report) {
  const auto begin = Do<void>::delay([&report] {
    if (Clock::system().now() < report.start + report.begun * betweenJobs) ++report.tooEarly;
    report.mostAtWork = std::max(report.mostAtWork, ++report.atWork);
    if (++report.begun == 10) std::raise(SIGINT);
  });
  const auto tried = retry(work(job, report), {.attempts = 3, .delay = 1ms, .factor = 2, .jitter = 0.5});
  const auto end = [&report](const Try<void>& result) {
    --report.atWork;
    ++(result.hasValue() ? report.done : report.failed);
  };
  return mask(begin.flatMap([=] { return tried.attempt().map(end); })).named("job " + std::to_string(job));
}

void runJobs() {
  Report report;
  const RateLimiter rate({.permits = 1, .per = betweenJobs});
  std::vector<int> jobs(1000);
  std::iota(jobs.begin(), jobs.end(), 0);

  const auto all = parTraverse(jobs, limit, [&](int job) {
    return rate.acquire().flatMap([&, job] { return perform(job, report); });
  });
  const StopOnSignal interrupt;
  bool stopped = false;
  try {
    all.blockingAwait(interrupt.token());
  } catch (const Cancelled&) {
    stopped = true;
  }

  const bool finished = report.atWork == 0 && report.begun == report.done + report.failed;
  std::cout << (stopped ? "interrupted" : "not interrupted") << '\n'
            << "at most " << report.mostAtWork << " jobs at a time, "
            << (report.begun < 1000 ? "not all were begun, " : "all were begun, ") << report.tooEarly
            << " too early\n"
            << "the jobs that were begun are " << (finished ? "finished" : "not finished") << ", "
            << report.failed << " failed three times\n";
}

}  // namespace

int main(int argc, char** argv) {
  examples::Options options("job_runner", "Runs 1000 jobs, few at a time, until it is interrupted.");
  options.unused("--threads", "all happens on one").unused("--seed", "nothing is drawn");
  options.traced(examples::traceRuns);
  return options.run(argc, argv, runJobs);
}
