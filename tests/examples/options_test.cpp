#include "support/options.hpp"

#include <doctest/doctest.h>

#include <CLI/CLI.hpp>
#include <array>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "support/input_error.hpp"

namespace tapestry::examples {
namespace {

/// Catches what goes to a standard stream meanwhile.
class Captured {
 public:
  explicit Captured(std::ostream& stream) : stream_(stream), before_(stream.rdbuf(text_.rdbuf())) {}
  ~Captured() { stream_.rdbuf(before_); }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::ostream& stream_;
  std::streambuf* before_;
};

/// An example with one option of each kind.
struct Example {
  std::size_t epochs = 5;
  double rate = 0.1;
  std::optional<std::filesystem::path> data;
  std::string form = "direct";
  bool quiet = false;
  Options options{"example", "Shows how options are read."};
  int status = -1;
  std::string out, err;
  bool ran = false;

  explicit Example(
      std::vector<const char*> arguments, const std::function<void()>& body = [] {}) {
    options.count("--epochs", epochs, "passes over the data", {.most = 100})
        .real("--rate", rate, "learning rate")
        .path("--data", data, "directory to read")
        .choice("--form", form, "how it is written", {"eager", "direct"})
        .flag("--quiet", quiet, "say less");
    arguments.insert(arguments.begin(), "./example");
    const Captured capturedOut(std::cout), capturedErr(std::cerr);
    status = options.run(static_cast<int>(arguments.size()), arguments.data(), [&] {
      ran = true;
      body();
    });
    out = capturedOut.text();
    err = capturedErr.text();
  }
};

/// Checks that a command line is refused with nothing but this line.
void checkRefused(const std::vector<const char*>& arguments, const std::string& message) {
  const Example example(arguments);
  CHECK(example.status == 2);
  CHECK(example.err == "example: " + message + '\n');
  CHECK(example.out.empty());
  CHECK_FALSE(example.ran);
}

TEST_CASE("Without arguments, the body runs with the defaults") {
  const Example example({});
  CHECK(example.status == 0);
  CHECK(example.ran);
  CHECK(example.epochs == 5);
  CHECK_FALSE(example.data.has_value());
  CHECK(example.options.seed() == 1);
  CHECK(example.options.threads() >= 1);
  CHECK(example.out + example.err == "");
}

TEST_CASE("Arguments set the variables before the body runs, and the last of several counts") {
  const Example example({"--epochs", "7", "--rate=1e-3", "--data", "some where", "--form", "eager", "--quiet",
                         "--seed", "18446744073709551615", "--threads", "3", "--epochs=8"});
  CHECK(example.status == 0);
  CHECK(example.epochs == 8);
  CHECK(example.rate == 1e-3);
  CHECK(*example.data == "some where");
  CHECK(example.form == "eager");
  CHECK(example.quiet);
  CHECK(example.options.seed() == 18'446'744'073'709'551'615U);
  CHECK(example.options.threads() == 3);
}

TEST_CASE("Help lists every option with its default and ends well") {
  const Example example({"--help"});
  CHECK(example.status == 0);
  CHECK_FALSE(example.ran);
  CHECK(example.err.empty());
  for (const char* text : {"Shows how options are read.", "--help", "--threads", "--seed NUMBER=1",
                           "--epochs NUMBER=5", "--data PATH", "--form WORD=direct",
                           "how it is written: \"eager\", \"direct\"", "--quiet", "passes over the data"})
    CHECK_MESSAGE(example.out.find(text) != std::string::npos, text);
}

TEST_CASE("Help says of an option that every example takes that it has no effect here, and why") {
  std::ostringstream out;
  auto* const console = std::cout.rdbuf(out.rdbuf());
  Options options("example", "Draws nothing.");
  options.unused("--seed", "nothing is drawn");
  const std::array arguments{"example", "--help"};
  CHECK(options.run(static_cast<int>(arguments.size()), arguments.data(), [] {}) == 0);
  std::cout.rdbuf(console);
  CHECK(out.str().find("no effect: nothing is drawn") != std::string::npos);
  CHECK(out.str().find("what all random choices follow from") == std::string::npos);
  CHECK(out.str().find("threads to run on") != std::string::npos);
}

TEST_CASE("A malformed number is refused, and the message says the expected range") {
  const std::string epochs = ", expected a whole number from 1 to 100";
  for (const std::string text : {"x", "-1", "0", "101", "3x", "2.5", "", " 3", "99999999999999999999999"})
    checkRefused({"--epochs", text.c_str()}, "--epochs: got \"" + text + '"' + epochs);
  for (const std::string text : {"0", "010", "0x10"})
    checkRefused({"--threads", text.c_str()},
                 "--threads: got \"" + text + "\", expected a whole number from 1 to 1024");
  for (const std::string text : {"-1", "010"})
    checkRefused({"--seed", text.c_str()},
                 "--seed: got \"" + text + "\", expected a whole number from 0 to 18446744073709551615");
  for (const std::string text : {"fast", "nan", "-0.1", "1.5", "", "0.1s"})
    checkRefused({"--rate", text.c_str()}, "--rate: got \"" + text + "\", expected a number from 0 to 1");
}

TEST_CASE("A word that is not one of the choices is refused, and the message lists the choices") {
  checkRefused({"--form", "lazy"}, "--form: got \"lazy\", expected one of \"eager\", \"direct\"");
}

TEST_CASE("Unknown arguments, missing values and superfluous values are refused") {
  checkRefused({"--epoch", "3"}, "unknown argument \"--epoch\", \"3\", expected what --help lists");
  checkRefused({"extra"}, "unknown argument \"extra\", expected what --help lists");
  checkRefused({"--epochs"}, "--epochs: 1 required NUMBER missing, expected what --help lists");
  checkRefused({"--quiet=yes"}, "quiet was given a disallowed flag override, expected what --help lists");
}

TEST_CASE("A message stays on one line for any argument") {
  checkRefused({"--epochs", "a\nb\r"}, "--epochs: got \"a?b?\", expected a whole number from 1 to 100");
}

TEST_CASE("An exception of the body becomes one line and an exit status") {
  const Example input({}, [] { throw InputError("some/file", "truncated,\ngot 3 bytes"); });
  CHECK(input.status == 2);
  CHECK(input.err == "example: some/file: truncated,?got 3 bytes\n");
  const Example shown({}, [] { throw InputError("column 1", "no number", "  x\n  ^\n"); });
  CHECK(shown.err == "example: column 1: no number\n  x\n  ^\n");
  const Example other({}, [] { throw std::logic_error("tapestry::matmul: shapes do not match"); });
  CHECK(other.status == 1);
  CHECK(other.err == "example: tapestry::matmul: shapes do not match\n");
  const Example strange({}, [] { throw 3; });
  CHECK(strange.status == 1);
  CHECK(strange.err == "example: an exception of an unknown type\n");
}

TEST_CASE("A program can add options to the underlying parser") {
  Options options("example", "Reads an expression.");
  std::string expression;
  options.app().add_option("expression", expression)->required();
  const char* arguments[] = {"example", "x*y"};
  CHECK(options.run(2, arguments, [] {}) == 0);
  CHECK(expression == "x*y");
}

}  // namespace
}  // namespace tapestry::examples
