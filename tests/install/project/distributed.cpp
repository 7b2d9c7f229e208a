// components: continuation tryt resourcet raii concurrent tensor deeplearning distributed
#include <tapestry/distributed.hpp>

#include <optional>

using namespace tapestry;

int main() {
  const auto all = localCommunicators(2);
  const auto greeting =
      all[0].send(Bytes(42), 1, 0).flatMap([all] { return all[1].receive(std::nullopt, 0); });
  return greeting.blockingAwait().bytes.size() == 42 ? 0 : 1;
}
