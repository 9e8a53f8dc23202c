// graph_launch.cpp - runs the nodes of a graph one after the other. The order is chosen by the rules among those that
// the dependencies allow, and the clocks are those of the dependencies alone, so a missing dependency is found as a
// race.
#include "cuda/device/driver/execution.h"

namespace clothc::cuda_device {
namespace {

class Launch {
 public:
  Launch(Context& context, Operation& operation)
      : context_(context),
        operation_(operation),
        plan_(*operation.plan),
        missing_(plan_.nodes.size()),
        known_(plan_.nodes.size()),
        random_(operation.manner.seed + operation.first_task) {}

  void run() {
    for (size_t node = 0; node < plan_.nodes.size(); ++node) {
      missing_[node] = plan_.nodes[node].dependencies.size();
      if (missing_[node] == 0) ready_.push_back(node);
    }
    for (size_t step = 0; step < plan_.nodes.size(); ++step) run_node(take_ready());
    for (const Clock& known : known_) merge(operation_.known, known);
  }

 private:
  // Chooses a node that waits for something outside only if there is no other.
  size_t take_ready() {
    std::vector<size_t> choices;
    for (size_t k = 0; k < ready_.size(); ++k) {
      if (!plan_.nodes[ready_[k]].task->waits_outside()) choices.push_back(k);
    }
    if (choices.empty()) {
      for (size_t k = 0; k < ready_.size(); ++k) choices.push_back(k);
    }
    const size_t chosen = choose(choices);
    const size_t node = ready_[chosen];
    ready_.erase(ready_.begin() + static_cast<ptrdiff_t>(chosen));
    return node;
  }

  // Ready nodes are sorted by their numbers.
  size_t choose(const std::vector<size_t>& choices) {
    if (operation_.manner.order == ptx::Order::forward) return choices.front();
    if (operation_.manner.order == ptx::Order::backward) return choices.back();
    // A linear congruential generator; Knuth, The Art of Computer Programming, volume 2.
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    return choices[(random_ >> 33) % choices.size()];
  }

  void run_node(size_t node) {
    const Node& entry = plan_.nodes[node];
    Clock& known = known_[node] = operation_.known;
    for (const size_t dependency : entry.dependencies) merge(known, known_[dependency]);
    const uint32_t lane = plan_.lanes[node]->index();
    const uint32_t number = lanes().next_number(lane);
    run_task(context_, operation_, node, *entry.task, {lane, number, known, entry.task->name}, known);
    merge(known, lane, number);
    release_followers(node);
  }

  void release_followers(size_t node) {
    for (size_t later = node + 1; later < plan_.nodes.size(); ++later) {
      for (const size_t dependency : plan_.nodes[later].dependencies) {
        if (dependency == node && --missing_[later] == 0) add_ready(later);
      }
    }
  }

  void add_ready(size_t node) {
    size_t place = 0;
    while (place < ready_.size() && ready_[place] < node) ++place;
    ready_.insert(ready_.begin() + static_cast<ptrdiff_t>(place), node);
  }

  Context& context_;
  Operation& operation_;
  const Plan& plan_;
  // For each node, the number of dependencies that have not ended.
  std::vector<size_t> missing_;
  std::vector<Clock> known_;
  std::vector<size_t> ready_;
  uint64_t random_;
};

}  // namespace

void run_plan(Context& context, Operation& operation) { Launch(context, operation).run(); }

}  // namespace clothc::cuda_device
