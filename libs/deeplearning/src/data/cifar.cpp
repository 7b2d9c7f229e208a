#include <tapestry/deeplearning/data/cifar.hpp>

#include <string>

#include <tapestry/deeplearning/data/input_file.hpp>

namespace tapestry {

namespace {

/// A label of a record, with the list that it is added to.
struct Label {
  std::vector<std::uint8_t>& list;
  const char* name;
  unsigned classes;
};

void readRecords(InputFile& file, std::vector<std::uint8_t>& pixels, std::initializer_list<Label> labels) {
  for (std::size_t record = 0; !file.atEnd(); ++record) {
    const auto bytes = file.take(labels.size() + Cifar::imageSize);
    auto next = bytes.begin();
    for (const Label& label : labels) {
      if (*next >= label.classes)
        file.fail("the " + std::string(label.name) + " of image " + std::to_string(record) +
                  " is out of range, got " + std::to_string(*next) + ", expected 0 to " +
                  std::to_string(label.classes - 1));
      label.list.push_back(*next++);
    }
    pixels.insert(pixels.end(), next, bytes.end());
  }
}

}  // namespace

Cifar readCifar10(const std::filesystem::path& path, Cifar all) {
  InputFile file(path, "readCifar10");
  readRecords(file, all.pixels, {{all.labels, "label", 10}});
  return all;
}

Cifar readCifar100(const std::filesystem::path& path, Cifar all) {
  InputFile file(path, "readCifar100");
  readRecords(file, all.pixels, {{all.coarseLabels, "coarse label", 20}, {all.labels, "fine label", 100}});
  return all;
}

}  // namespace tapestry
