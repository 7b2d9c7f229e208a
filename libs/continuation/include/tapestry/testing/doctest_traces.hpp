// Defines DoctestTraces, a listener of doctest that shows the trace of an error that leaves a test case.
#pragma once

#include <exception>
#include <iostream>
#include <string>

#ifndef DOCTEST_LIBRARY_INCLUDED
#include <doctest/doctest.h>
#endif

#include "tapestry/continuation/monad/trace.hpp"

#ifndef DOCTEST_CONFIG_DISABLE

#pragma GCC visibility push(default)
namespace tapestry::testing {

/// Writes the name of the test case and what `describe` returns to stderr if an error with a trace leaves a
/// test case; doctest itself reports only the message. Including this header in one file of a test program
/// registers the listener; doctest 2.4. Errors that assertions such as CHECK_THROWS_WITH catch are not shown,
/// and assertions compare messages as before.
class DoctestTraces final : public doctest::IReporter {
 public:
  explicit DoctestTraces(const doctest::ContextOptions&) {}

  void test_case_start(const doctest::TestCaseData& data) override { name_ = data.m_name; }
  /// doctest calls this in its handler, and also while an error leaves a subcase, when no current exception
  /// can be read.
  void test_case_exception(const doctest::TestCaseException&) override {
    const std::exception_ptr error = std::current_exception();
    if (!error || traceOf(error).empty()) return;
    std::cerr << "the test case \"" << name_ << "\" has ended with an error: " << describe(error) << '\n';
  }

  // doctest's other events are ignored
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  std::string name_;
};

}  // namespace tapestry::testing

namespace tapestry::detail {

DOCTEST_REGISTER_LISTENER("tapestry traces", 1, testing::DoctestTraces);

}  // namespace tapestry::detail
#pragma GCC visibility pop

#endif
