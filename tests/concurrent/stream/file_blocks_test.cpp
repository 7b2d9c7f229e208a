#include "tapestry/concurrent/stream/file_blocks.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "support/programs/error_of_run.hpp"
#include "support/system/temporary_directory.hpp"
#include "tapestry/concurrent/stream/lines.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/raii/on.hpp"

using namespace tapestry;

TEST_CASE("a file is read in blocks, by each consumer from its beginning") {
  const test::TemporaryDirectory directory;
  const std::filesystem::path path = directory.path() / "text";
  std::ofstream(path) << "0123456789";
  const auto blocks = fileBlocks(path, 4);
  const std::vector<std::string> expected{"0123", "4567", "89"};
  CHECK(blocks.toVector().blockingAwait() == expected);
  CHECK(blocks.toVector().blockingAwait() == expected);
  CHECK(lines(blocks).toVector().blockingAwait() == std::vector<std::string>{"0123456789"});
  CHECK_THROWS_WITH_AS(static_cast<void>(fileBlocks(path, 0)),
                       "tapestry::fileBlocks: the size is 0, expected at least 1", std::invalid_argument);
}

TEST_CASE("with an executor, a file is read there, and consumed where the run is") {
  const test::TemporaryDirectory directory;
  const std::filesystem::path path = directory.path() / "text";
  std::ofstream(path) << std::string(100'000, 'x');
  ThreadPool pool(1);
  ThreadPool runs(1);
  const auto readsOn = Do<std::thread::id>::execute(pool, std::this_thread::get_id).blockingAwait();
  std::size_t size = 0;
  const auto program = fileBlocks(path, pool, 1'000).forEach([&](const std::string& block) {
    size += block.size();
    CHECK(std::this_thread::get_id() != readsOn);
  });
  on(runs, program).blockingAwait();
  CHECK(size == 100'000);
}

TEST_CASE("a signal that is handled while a file is read does not fail the stream") {
  const test::TemporaryDirectory directory;
  const std::filesystem::path path = directory.path() / "fifo";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  struct sigaction handled = {}, before = {};
  handled.sa_handler = [](int) {};  // without SA_RESTART, as Asio's handlers of signals
  REQUIRE(::sigaction(SIGUSR1, &handled, &before) == 0);
  std::vector<std::string> got;
  std::thread reader([&] { got = fileBlocks(path, 2).toVector().blockingAwait(); });
  std::ofstream writer(path);
  writer << 'a' << std::flush;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ::pthread_kill(reader.native_handle(), SIGUSR1);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  writer << "bc" << std::flush;
  writer.close();
  reader.join();
  ::sigaction(SIGUSR1, &before, nullptr);
  CHECK(got == std::vector<std::string>{"ab", "c"});
}

TEST_CASE("a file that cannot be opened or read fails, with its name") {
  const test::TemporaryDirectory directory;
  const auto missing = directory.path() / "missing";
  CHECK_THROWS_AS(fileBlocks(missing).toVector().blockingAwait(), std::system_error);
  const std::string text = test::errorOfRun(fileBlocks(missing).toVector());
  CHECK(text.find("tapestry::fileBlocks: cannot open " + missing.string()) == 0);
  CHECK(test::errorOfRun(fileBlocks(directory.path()).toVector()).find("cannot read") != std::string::npos);
}
