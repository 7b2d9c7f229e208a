#include "tapestry/concurrent/stream/file_blocks.hpp"

#include <doctest/doctest.h>

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

TEST_CASE("a file that cannot be opened or read fails, with its name") {
  const test::TemporaryDirectory directory;
  const auto missing = directory.path() / "missing";
  CHECK_THROWS_AS(fileBlocks(missing).toVector().blockingAwait(), std::system_error);
  const std::string text = test::errorOfRun(fileBlocks(missing).toVector());
  CHECK(text.find("tapestry::fileBlocks: cannot open " + missing.string()) == 0);
  CHECK(test::errorOfRun(fileBlocks(directory.path()).toVector()).find("cannot read") != std::string::npos);
}
