#include "support/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>
#include <thread>

#include "support/input_error.hpp"

namespace tapestry::examples {
namespace {

/// Accepts the texts that `fits`; `expected` is shown in messages.
CLI::Validator check(std::function<bool(const std::string&)> fits, std::string expected) {
  return {
      [=](const std::string& text) { return fits(text) ? "" : "got \"" + text + "\", expected " + expected; },
      ""};
}

CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most) {
  const auto fits = [=](const std::string& text) {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    // CLI11 takes a number that begins with 0 as octal
    const bool decimal = text == "0" || text[0] != '0';
    return decimal && error == std::errc{} && stop == end && least <= value && value <= most;
  };
  return check(fits, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
}

CLI::Validator realNumber(double least, double most) {
  const auto fits = [=](const std::string& text) {
    char* stop = nullptr;
    const double value = std::strtod(text.c_str(), &stop);
    return !text.empty() && *stop == '\0' && least <= value && value <= most;
  };
  std::ostringstream expected;
  expected << "a number from " << least << " to " << most;
  return check(fits, expected.str());
}

std::string quoted(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "\"" : ", \"") + word + '"';
  return text;
}

/// Prints one line, whatever characters an argument has brought into the message, and returns `status`.
int fail(const CLI::App& app, std::string message, int status) {
  std::ranges::replace_if(
      message, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  std::cerr << app.get_name() << ": " << message << std::endl;
  return status;
}

}  // namespace

Options::Options(const std::string& program, const std::string& description)
    : app_(std::make_unique<CLI::App>(description, program)),
      threads_(std::max(1U, std::thread::hardware_concurrency())) {
  app_->option_defaults()->always_capture_default()->take_last();
  app_->get_help_ptr()->description("print this help and exit");
  count("--threads", threads_, "threads to run on", {.most = 1024});
  app_->add_option("--seed", seed_, "what all random choices follow from")
      ->type_name("NUMBER")
      ->check(wholeNumber(0, std::numeric_limits<std::uint64_t>::max()));
}

Options::~Options() = default;

Options& Options::count(const std::string& name, std::size_t& value, const std::string& help,
                        CountRange range) {
  app_->add_option(name, value, help)->type_name("NUMBER")->check(wholeNumber(range.least, range.most));
  return *this;
}

Options& Options::real(const std::string& name, double& value, const std::string& help, RealRange range) {
  app_->add_option(name, value, help)->type_name("NUMBER")->check(realNumber(range.least, range.most));
  return *this;
}

Options& Options::path(const std::string& name, std::optional<std::filesystem::path>& value,
                       const std::string& help) {
  app_->add_option(name, value, help)->type_name("PATH");
  return *this;
}

Options& Options::text(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(name, value, help)->capture_default_str();
  return *this;
}

Options& Options::choice(const std::string& name, std::string& value, const std::string& help,
                         const std::vector<std::string>& choices) {
  const auto fits = [=](const std::string& text) {
    return std::ranges::find(choices, text) != choices.end();
  };
  app_->add_option(name, value, help + ": " + quoted(choices))
      ->type_name("WORD")
      ->check(check(fits, "one of " + quoted(choices)));
  return *this;
}

Options& Options::flag(const std::string& name, bool& value, const std::string& help) {
  app_->add_flag(name, value, help)->disable_flag_override();
  return *this;
}

Options& Options::unused(const std::string& name, const std::string& reason) {
  app_->get_option(name)->description("no effect: " + reason);
  return *this;
}

Options& Options::traced(const Tracer& tracer) {
  tracer_ = &tracer;
  return path("--trace", trace_,
              std::string("file that gets ") + tracer.recorded + ", for Chrome's trace viewer");
}

void Options::runTraced(const std::function<void()>& body) const {
  if (!trace_) return body();
  std::ofstream file(*trace_);
  if (!file) throw InputError("--trace", "cannot write " + trace_->string());
  const auto write = tracer_->begin();
  body();
  write(file);
  if (!file.flush()) throw InputError("--trace", "cannot write " + trace_->string());
}

int Options::run(int argc, const char* const* argv, const std::function<void()>& body) {
  try {
    app_->parse(argc, argv);
    runTraced(body);
    return EXIT_SUCCESS;
  } catch (const CLI::Success& help) {
    return app_->exit(help);
  } catch (const CLI::ExtrasError&) {
    return fail(*app_, "unknown argument " + quoted(app_->remaining()) + ", expected what --help lists", 2);
  } catch (const CLI::ValidationError& error) {
    return fail(*app_, error.what(), 2);
  } catch (const CLI::ParseError& error) {
    return fail(*app_, error.what() + std::string(", expected what --help lists"), 2);
  } catch (const InputError& error) {
    const int status = fail(*app_, error.what(), 2);
    std::cerr << error.excerpt() << std::flush;
    return status;
  } catch (const std::exception& error) {
    return fail(*app_, error.what(), EXIT_FAILURE);
  } catch (...) {
    return fail(*app_, "an exception of an unknown type", EXIT_FAILURE);
  }
}

}  // namespace tapestry::examples
