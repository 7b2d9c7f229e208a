// Nodes of one's own, which are counted.
#include "tapestry/continuation/extend/node.hpp"

#include <doctest/doctest.h>

using namespace tapestry;

namespace {

struct Link final : extend::Node {
  explicit Link(extend::Ref<Link> given) : next(std::move(given)) {}
  ~Link() override { ++gone; }
  extend::Ref<Link> next;
  static inline int gone = 0;
};

}  // namespace

TEST_CASE("the last reference to a user-defined node destroys the node") {
  Link::gone = 0;
  extend::Ref<Link> first = extend::makeRef<Link>(nullptr);
  extend::Ref<Link> second = first;
  CHECK(first->references() == 2);
  first = nullptr;
  CHECK(Link::gone == 0);
  second = nullptr;
  CHECK(Link::gone == 1);
}

TEST_CASE("a chain of a million user-defined nodes is destroyed without recursion") {
  Link::gone = 0;
  extend::Ref<Link> chain;
  for (int i = 0; i < 1'000'000; ++i) chain = extend::makeRef<Link>(std::move(chain));
  chain = nullptr;
  CHECK(Link::gone == 1'000'000);
}
