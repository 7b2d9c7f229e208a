// Defines forEachElement, the loop of an elementwise formula, in the vectors of the machine that it runs on.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

#include <tapestry/tensor/formula/number.hpp>

#pragma GCC visibility push(default)
namespace tapestry::formula {

/// The values of an operand: `data` has one for each element, or a single one for all of them.
template <class T>
struct Operand {
  const T* data;
  bool isSingle;
};

namespace detail {

/// The instruction sets for which each loop is compiled; the best that the machine has.
enum class InstructionSet { baseline, avx2, avx512 };
InstructionSet instructionSet() noexcept;

/// Elements in blocks of four vectors of the widest kind: a number that is known to the compiler, so that it
/// needs no other loop for a remainder. The last block is filled up with ones.
template <class T, std::size_t inputs, std::size_t outputs, class F>
struct Blocks {
  static constexpr std::size_t lanes = 256 / sizeof(T);
  using Block = T[lanes];

  [[gnu::always_inline]] void run(const F& f, std::size_t n) {
    for (std::size_t k = 0; k < inputs; ++k)
      std::fill_n(own[k], lanes, from[k].isSingle ? *from[k].data : T{1});
    const std::size_t whole = n - n % lanes;
    for (std::size_t i = 0; i < whole; i += lanes) {
      const T* in[inputs];
      for (std::size_t k = 0; k < inputs; ++k) in[k] = from[k].isSingle ? own[k] : from[k].data + i;
      store(f, in, i, lanes, std::make_index_sequence<inputs>());
    }
    if (whole == n) return;
    const T* in[inputs];
    for (std::size_t k = 0; k < inputs; ++k) {
      if (!from[k].isSingle) std::copy_n(from[k].data + whole, n - whole, own[k]);
      in[k] = own[k];
    }
    store(f, in, whole, n - whole, std::make_index_sequence<inputs>());
  }

  // By way of arrays of its own, which no operand overlaps: a result may take the place of an operand.
  template <std::size_t... k>
  [[gnu::always_inline]] void store(const F& f, const T* const (&in)[inputs], std::size_t at,
                                    std::size_t count, std::index_sequence<k...>) const {
    Block results[outputs];
    for (std::size_t j = 0; j < lanes; ++j) {
      const auto put = [&](std::size_t o, Number<T> y) { results[o][j] = y.value(); };
      TAPESTRY_INLINE_CALLS f(put, Number<T>(in[k][j])...);
    }
    for (std::size_t o = 0; o < outputs; ++o)
      if (to[o]) std::memcpy(to[o] + at, results[o], count * sizeof(T));
  }

  const std::array<Operand<T>, inputs>& from;
  const std::array<T*, outputs>& to;
  Block own[inputs];
};

template <class T, std::size_t inputs, std::size_t outputs, class F>
[[gnu::flatten]] void runOnBaseline(const F& f, const std::array<Operand<T>, inputs>& from,
                                    const std::array<T*, outputs>& to, std::size_t n) {
  Blocks<T, inputs, outputs, F>{from, to, {}}.run(f, n);
}

#if defined(__x86_64__)
template <class T, std::size_t inputs, std::size_t outputs, class F>
[[gnu::target("avx2,fma"), gnu::flatten]] void runOnAvx2(const F& f,
                                                         const std::array<Operand<T>, inputs>& from,
                                                         const std::array<T*, outputs>& to, std::size_t n) {
  Blocks<T, inputs, outputs, F>{from, to, {}}.run(f, n);
}

template <class T, std::size_t inputs, std::size_t outputs, class F>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"), gnu::flatten]] void runOnAvx512(
    const F& f, const std::array<Operand<T>, inputs>& from, const std::array<T*, outputs>& to,
    std::size_t n) {
  Blocks<T, inputs, outputs, F>{from, to, {}}.run(f, n);
}
#endif

}  // namespace detail

/// For each i < n calls f(put, operands at i...), which gives its results by put(o, y), for each o once:
/// to[o][i] becomes y, unless to[o] is null. A result may take the place of an operand. f must not throw.
template <class T, std::size_t inputs, std::size_t outputs, class F>
void forEachElement(const F& f, const std::array<Operand<T>, inputs>& from, const std::array<T*, outputs>& to,
                    std::size_t n) {
#if defined(__x86_64__)
  switch (detail::instructionSet()) {
    case detail::InstructionSet::avx512:
      return detail::runOnAvx512(f, from, to, n);
    case detail::InstructionSet::avx2:
      return detail::runOnAvx2(f, from, to, n);
    case detail::InstructionSet::baseline:
      break;
  }
#endif
  detail::runOnBaseline(f, from, to, n);
}

}  // namespace tapestry::formula
#pragma GCC visibility pop
