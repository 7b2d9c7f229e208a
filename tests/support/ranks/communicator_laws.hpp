// Defines communicatorLaws, what holds for each rank's communicator, of whatever type.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tapestry/distributed/communicator.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/par_for_each.hpp"

namespace tapestry::test {

inline Bytes bytesOf(const std::string& text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return Bytes(data, data + text.size());
}
inline std::string textOf(const Bytes& bytes) {
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}
inline std::vector<std::string> textsOf(const std::vector<Bytes>& all) {
  std::vector<std::string> texts;
  for (const auto& bytes : all) texts.push_back(textOf(bytes));
  return texts;
}
/// A text whose length depends on the rank; empty for rank 1.
inline std::string textOfRank(std::size_t rank) {
  return rank == 1 ? "" : std::string(3 * rank + 2, static_cast<char>('a' + rank));
}

template <Communicator C>
struct CommunicatorLaws {
  const C c;

  Do<void> all() const {
    return sums<float>()
        .flatMap([*this] { return sums<double>(); })
        .flatMap([*this] { return sums<std::uint64_t>(); })
        .flatMap([*this] { return least(); })
        .flatMap([*this] { return sameBits(); })
        .flatMap([*this] { return inPlace(); })
        .flatMap([*this] { return broadcasts(0); })
        .flatMap([*this] { return gathers(0); })
        .flatMap([*this] { return gathersToAll(); })
        .flatMap([*this] { return c.barrier(); })
        .flatMap([*this] { return ring(); })
        .flatMap([*this] { return fromAny(); })
        .flatMap([*this] { return splits(); });
  }

  template <class T>
  Do<void> sums() const {
    auto values = std::make_shared<std::vector<T>>(5);
    for (std::size_t i = 0; i < 5; ++i) (*values)[i] = static_cast<T>((c.rank() + 1) * (i + 1));
    return c.allReduce(std::span<T>(*values)).map([values, n = c.size()] {
      for (std::size_t i = 0; i < 5; ++i) CHECK((*values)[i] == static_cast<T>(n * (n + 1) / 2 * (i + 1)));
    });
  }
  Do<void> least() const {
    auto values = std::make_shared<std::vector<double>>(std::vector<double>{
        double(c.rank()) + 1, -double(c.rank()), std::numeric_limits<double>::infinity()});
    auto counts = std::make_shared<std::vector<std::uint64_t>>(1, c.rank() + 7);
    const auto last = double(c.size() - 1);
    return c.allReduce(std::span<double>(*values), ReduceOp::min)
        .flatMap([*this, values, last] {
          CHECK((*values)[0] == 1);
          CHECK((*values)[1] == -last);
          CHECK((*values)[2] == std::numeric_limits<double>::infinity());
          return c.allReduce(std::span<double>(*values), ReduceOp::max);
        })
        .flatMap([*this, values, counts, last] {
          CHECK((*values)[1] == -last);
          return c.allReduce(std::span<std::uint64_t>(*counts), ReduceOp::max);
        })
        .map([counts, last] { CHECK((*counts)[0] == std::uint64_t(last) + 7); });
  }
  /// Sums whose last bits depend on the order of the additions.
  Do<void> sameBits() const {
    auto values = std::make_shared<std::vector<float>>(1'000);
    for (std::size_t i = 0; i < values->size(); ++i)
      (*values)[i] = std::sin(float(i * 7 + c.rank() * 131)) * std::pow(10.0F, float(c.rank()));
    return c.allReduce(std::span<float>(*values))
        .flatMap([*this, values] {
          const auto* data = reinterpret_cast<const std::byte*>(values->data());
          return c.allGather(Bytes(data, data + values->size() * sizeof(float)));
        })
        .map([](const std::vector<Bytes>& sums) {
          for (const auto& each : sums) CHECK(each == sums.front());
        });
  }
  /// The owner alone keeps the values.
  Do<void> inPlace() const {
    auto values = std::make_shared<std::vector<double>>(3, double(c.rank()));
    const std::span<double> span(*values);
    std::weak_ptr<const void> weak = values;
    return Do<void>::suspend([*this, span, values] { return c.allReduce(span, ReduceOp::sum, values); })
        .map([span, n = double(c.size()), weak] {
          REQUIRE(!weak.expired());
          CHECK(span[2] == n * (n - 1) / 2);
        });
  }
  Do<void> broadcasts(std::size_t root) const {
    if (root == c.size()) return Do<void>::now();
    return c.broadcast(bytesOf(textOfRank(c.rank())), root).flatMap([*this, root](const Bytes& bytes) {
      CHECK(textOf(bytes) == textOfRank(root));
      return broadcasts(root + 1);
    });
  }
  Do<void> gathers(std::size_t root) const {
    if (root == c.size()) return Do<void>::now();
    return c.gather(bytesOf(textOfRank(c.rank())), root)
        .flatMap([*this, root](const std::vector<Bytes>& all) {
          CHECK(textsOf(all) == (c.rank() == root ? textsOfRanks() : std::vector<std::string>()));
          return gathers(root + 1);
        });
  }
  Do<void> gathersToAll() const {
    return c.allGather(bytesOf(textOfRank(c.rank()))).map([*this](const std::vector<Bytes>& all) {
      CHECK(textsOf(all) == textsOfRanks());
    });
  }
  std::vector<std::string> textsOfRanks() const {
    std::vector<std::string> texts;
    for (std::size_t rank = 0; rank < c.size(); ++rank) texts.push_back(textOfRank(rank));
    return texts;
  }
  /// Each rank sends twice to the next, and receives from the rank before, in order, by tag.
  Do<void> ring() const {
    const std::size_t next = (c.rank() + 1) % c.size();
    const std::size_t before = (c.rank() + c.size() - 1) % c.size();
    return c.send(bytesOf("other"), next, 4)
        .flatMap([*this, next] { return c.send(bytesOf("first"), next, 3); })
        .flatMap([*this, next] { return c.send(bytesOf(textOfRank(c.rank())), next, 3); })
        .flatMap([*this, before] { return c.receive(before, 3); })
        .flatMap([*this, before](const Message& message) {
          CHECK(textOf(message.bytes) == "first");
          CHECK(message.from == before);
          return c.receive(before, 3);
        })
        .flatMap([*this, before](const Message& message) {
          CHECK(textOf(message.bytes) == textOfRank(before));
          return c.receive(std::nullopt, 4);
        })
        .map([before](const Message& message) {
          CHECK(textOf(message.bytes) == "other");
          CHECK(message.from == before);
        });
  }
  Do<void> fromAny() const {
    if (c.rank() > 0) return c.send(bytesOf(std::to_string(c.rank())), 0, lastTag);
    return receiveFrom(c.size() - 1);
  }
  Do<void> receiveFrom(std::size_t left) const {
    if (left == 0) return Do<void>::now();
    return c.receive(std::nullopt, lastTag).flatMap([*this, left](const Message& message) {
      CHECK(textOf(message.bytes) == std::to_string(message.from));
      return receiveFrom(left - 1);
    });
  }
  /// The parts, the parts' parts and the whole, in use at once.
  Do<void> splits() const {
    return c.split(c.rank() % 2).flatMap([*this](const C& part) {
      CHECK(part.rank() == c.rank() / 2);
      CHECK(part.size() == (c.size() + 1 - c.rank() % 2) / 2);
      const CommunicatorLaws laws{part};
      const auto inPart =
          laws.gathersToAll().flatMap([laws] { return laws.template sums<float>(); }).flatMap([part] {
            return part.split(part.rank()).map([](const C& alone) { CHECK(alone.size() == 1); });
          });
      const auto inWhole = gathersToAll().flatMap([*this] { return sums<float>(); });
      return tuple2(parallel(inPart), parallel(inWhole)).map([](const auto&) {});
    });
  }
};

/// All laws, for this rank. Every rank runs them.
template <Communicator C>
Do<void> communicatorLaws(const C& communicator) {
  return CommunicatorLaws<C>{communicator}.all();
}

}  // namespace tapestry::test
