#include "cifar_columns/speed_tables.hpp"

#include <doctest/doctest.h>

namespace tapestry::examples {
namespace {

TEST_CASE("A table has the figures from here beside the paper's, each in its place") {
  SpeedTables tables;
  tables.set(true, 2, 4, 1234.56);
  tables.set(true, 4, 1, 7);
  CHECK(tables.table(true) ==
        "mini-batches per second, fine classifiers that do not match skipped, here (and in the paper)\n"
        "columns            1 thread           2 threads           4 threads\n"
        "      1          - (12.430)          - (13.531)          - (14.513)\n"
        "      2          -  (8.702)          -  (9.527)     1234.6  (8.831)\n"
        "      4        7.0  (5.314)          -  (5.484)          -  (5.607)\n");
  CHECK(tables.table(false).find("(6.328)\n      2          -  (3.345)") != std::string::npos);
}

TEST_CASE("Measurements that the paper does not have are left out") {
  SpeedTables tables;
  tables.set(false, 3, 1, 7);
  tables.set(false, 1, 8, 7);
  CHECK(tables.table(false) == SpeedTables().table(false));
}

}  // namespace
}  // namespace tapestry::examples
