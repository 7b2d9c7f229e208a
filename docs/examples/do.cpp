// The steps of the tutorial on Do.
#include <tapestry/raii.hpp>
#include <tapestry/raii/pool.hpp>
#include <tapestry/raii/semaphore.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>

using namespace tapestry;

// [resource]
Do<std::string> file(std::string name) {
  return resource(Do<std::string>::delay([=] {
                    std::printf("open %s\n", name.c_str());
                    return name;
                  }),
                  [](const std::string& opened) { std::printf("close %s\n", opened.c_str()); });
}
// [/resource]

int main() {
  // [scope]
  Do<std::string> copy = file("in").flatMap([](const std::string& in) {
    return file("out").map([in](const std::string& out) { return in + " -> " + out; });
  });
  std::printf("%s\n", copy.blockingAwait().c_str());
  // [/scope]

  // [error]
  Do<std::string> failing = file("log").flatMap(
      [](const std::string&) -> Do<std::string> { throw std::runtime_error("disk full"); });
  Do<std::string> handled =
      failing.handleError([](std::exception_ptr) { return Do<std::string>::now("recovered"); });
  std::printf("%s\n", handled.blockingAwait().c_str());
  // [/error]

  // [shared]
  Do<Handle<std::string>> table = file("table").shared();
  auto both = tuple2(parallel(table), parallel(table)).map([](const auto& handles) {
    return *std::get<0>(handles) == *std::get<1>(handles);
  });
  std::printf("%d\n", both.blockingAwait());
  // [/shared]

  // [intransitive]
  Do<std::size_t> size = file("in").intransitiveMap([](const std::string& in) { return in.size(); });
  std::printf("%zu\n", size.flatMap([](std::size_t) { return file("out"); }).blockingAwait().size());
  // [/intransitive]

  // [validate]
  Do<int> noHost = Do<int>::raiseError(std::runtime_error("no host"));
  Do<int> noPort = Do<int>::raiseError(std::runtime_error("no port"));
  auto address = validate2(noHost, noPort).attempt().blockingAwait();
  try {
    std::rethrow_exception(address.error());
  } catch (const MultipleException& several) {
    std::printf("%zu errors\n", several.errors().size());
  }
  // [/validate]

  // [semaphore]
  Semaphore seats(2);
  Do<std::size_t> seated = seats.permit().map([=] { return seats.available(); });
  std::printf("%zu of %zu\n", seated.blockingAwait(), seats.available());
  // [/semaphore]

  // [pool]
  Do<int> sizes = Pool<std::string>::scoped(2, file("connection")).flatMap([](const auto& pool) {
    Do<int> query = pool.with([](const auto& connection) { return int(connection->size()); });
    return tuple2(query, query).map([](const auto& two) { return std::get<0>(two) + std::get<1>(two); });
  });
  std::printf("%d\n", sizes.blockingAwait());
  // [/pool]
}
