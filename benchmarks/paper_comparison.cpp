// The network of the paper's evaluation, trained by gradient descent: beside the same by hand, and in
// libtorch.
#include <string>
#include <utility>

#include "compare/side.hpp"
#include "hand/sides.hpp"
#include "libtorch/sides.hpp"
#include "ours/sides.hpp"

namespace tapestry::benchmarks {

namespace {

/// The rows of one network: with a number of columns, and with or without skipping.
class Case {
 public:
  Case(std::size_t columns, bool skip, std::vector<Row>& rows)
      : columns_(columns), skip_(skip), rows_(rows) {}

  void byHand(const std::string& name, hand::Library library, double target) const {
    add(name, "by hand, " + kernelsOf(library), 1, target,
        {[*this, library] { return hand::paperByHand(work(), library); }});
  }

  void byHandDivided(double target) const {
    add("hand", "by hand, " + kernelsOf(hand::Library::openBlas) + ", divided by oneTBB", 2, target,
        hand::paperByHandDivided([*this]() -> const PaperWork& { return work(); }));
  }

  void byTorch(unsigned threads, double target) const {
    add("torch", libtorch::description(), threads, target,
        libtorch::sides([*this](unsigned theirs) { return libtorch::paper(work(), theirs); }));
  }

 private:
  const PaperWork& work() const { return paperWork(columns_, skip_); }

  void add(const std::string& peer, const std::string& description, unsigned threads, double target,
           std::vector<MakeSide> theirs) const {
    rows_.push_back(compareSides(
        {.name = "paper_" + std::to_string(columns_) + (skip_ ? "_skip_" : "_all_") + peer + "_t" +
                 std::to_string(threads),
         .unit = "us/step",
         .peer = description,
         .target = target,
         .threads = threads},
        PaperWork::steps, [*this, threads] { return oursOnPaper(work(), threads); }, std::move(theirs)));
  }

  const std::size_t columns_;
  const bool skip_;
  std::vector<Row>& rows_;
};

}  // namespace

std::vector<Row> rows() {
  std::vector<Row> rows;
  for (const std::size_t columns : {1, 2, 4})
    for (const bool skip : {true, false}) {
      const Case network(columns, skip, rows);
      network.byHand("hand", hand::Library::openBlas, skip ? 0.75 : 0.95);
      network.byHandDivided(1.0);
      network.byHand("best", hand::Library::fastest, skip ? 1.15 : 1.25);
      network.byTorch(1, skip ? 0.25 : 0.18);
      network.byTorch(2, !skip ? 0.12 : columns == 1 ? 0.22 : 0.16);
    }
  return rows;
}

}  // namespace tapestry::benchmarks
