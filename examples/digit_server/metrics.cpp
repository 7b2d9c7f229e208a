#include "digit_server/metrics.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "support/text.hpp"

namespace tapestry::examples {
namespace {

std::string heading(const std::string& name, const std::string& type, const std::string& help) {
  return "# HELP " + name + ' ' + help + "\n# TYPE " + name + ' ' + type + '\n';
}

std::string sample(const std::string& name, const std::string& type, const std::string& help, double value) {
  return heading(name, type, help) + name + ' ' + shortest(value) + '\n';
}

/// The resident memory of this process, in bytes.
double residentMemory() {
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

void Distribution::add(double value) {
  sum_ += value;
  ++counts_[static_cast<std::size_t>(std::ranges::lower_bound(bounds_, value) - bounds_.begin())];
}

std::string Distribution::text(const std::string& name, const std::string& help) const {
  std::string text = heading(name, "histogram", help);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    count += counts_[i];
    const std::string bound = i < bounds_.size() ? shortest(bounds_[i]) : "+Inf";
    text += name + "_bucket{le=\"" + bound + "\"} " + std::to_string(count) + '\n';
  }
  return text + name + "_sum " + shortest(sum_) + '\n' + name + "_count " + std::to_string(count) + '\n';
}

void Metrics::answered(std::string_view route, Status status, double seconds) {
  ++requests_[{route, static_cast<unsigned>(status)}];
  if (route == "/predict") seconds_.add(seconds);
}

void Metrics::batch(const std::vector<Answer>& answers) {
  batches_.add(static_cast<double>(answers.size()));
  for (const Answer& answer : answers) ++chosen_[answer.expert];
}

std::string Metrics::text(const LossCurve& curve) const {
  std::string text = heading("digit_server_requests_total", "counter", "Requests by route and status.");
  for (const auto& [key, count] : requests_)
    text += "digit_server_requests_total{route=\"" + std::string(key.first) + "\",code=\"" +
            std::to_string(key.second) + "\"} " + std::to_string(count) + '\n';
  text += heading("digit_server_chosen_total", "counter", "Images by the expert that was chosen.");
  for (std::size_t i = 0; i < chosen_.size(); ++i)
    text += "digit_server_chosen_total{expert=\"" + std::to_string(i) + "\"} " + std::to_string(chosen_[i]) +
            '\n';
  text += seconds_.text("digit_server_predict_seconds", "From the end of a request to its answer.");
  text += batches_.text("digit_server_batch_size", "Images that were answered together.");
  text += sample("digit_server_connections", "gauge", "Connections now.", static_cast<double>(connections));
  text += sample("digit_server_refused_total", "counter", "Connections refused, as there were too many.",
                 static_cast<double>(refused));
  text += sample("digit_server_training_steps_total", "counter", "Steps of the training.",
                 static_cast<double>(curve.steps()));
  text += sample("digit_server_training_running", "gauge", "1 while the training runs.",
                 curve.state() == LossCurve::State::running ? 1 : 0);
  text += sample("digit_server_training_failed", "gauge", "1 if the training has ended with an error.",
                 curve.state() == LossCurve::State::failed ? 1 : 0);
  text += sample("digit_server_listeners", "gauge", "Connections to /events now.",
                 static_cast<double>(curve.events().subscribers()));
  if (!curve.points().empty()) {
    const LossPoint& last = curve.points().back();
    text += sample("digit_server_training_loss", "gauge", "Of the last steps.", last.loss);
    text += sample("digit_server_training_accuracy", "gauge", "Of the last steps.", last.accuracy);
  }
  return text + sample("process_resident_memory_bytes", "gauge", "Memory of the process.", residentMemory());
}

}  // namespace tapestry::examples
