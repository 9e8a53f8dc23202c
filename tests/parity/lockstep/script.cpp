// script.cpp - runs a script in all worlds and compares what comes back.
#include "parity/lockstep/script.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "parity/lockstep/calls.h"
#include "parity/lockstep/observation.h"

namespace lockstep {
namespace {

const std::vector<Call>& all_calls() {
  static const std::vector<Call> calls = [] {
    std::vector<Call> all;
    for (const auto& list :
         {fabric_calls(), cloth_calls(), group_calls(), collider_calls(), channel_calls(), solver_calls()})
      all.insert(all.end(), list.begin(), list.end());
    return all;
  }();
  return calls;
}

const Call& find_call(const std::string& name) {
  for (const Call& call : all_calls()) {
    if (name == call.name) return call;
  }
  throw std::runtime_error("there is no call " + name);
}

// The first calls make something for the others to act on.
const Call& choose_call(Random& random, size_t number) {
  const char* const first[] = {"fabric_cook",        "cloth_add", "collider_set_create",
                               "collider_set_write", "group_add", "collider_mesh_create",
                               "fabric_create",      "cloth_add"};
  if (number < std::size(first)) return find_call(first[number]);
  uint32_t sum = 0;
  for (const Call& call : all_calls()) sum += call.weight;
  uint32_t at = random.below(sum);
  size_t k = 0;
  for (; at >= all_calls()[k].weight; ++k) at -= all_calls()[k].weight;
  return all_calls()[k];
}

clothc_solver_desc draw_solver(Random random, const std::vector<Place>& places) {
  auto desc = initialised<clothc_solver_desc>();
  const uint32_t kind = random.below(6);
  desc.particle_capacity = 16 * (kind == 0   ? random.between(10, 60)
                                 : kind == 1 ? random.between(300, 800)
                                             : random.between(100, 300));
  for (const Place& place : places) desc.particle_capacity = std::min(desc.particle_capacity, place.most_particles);
  desc.cloth_capacity = random.one_in(5) ? random.between(3, 8) : random.between(20, 60);
  desc.collider_set_capacity = random.between(1, 6);
  desc.updates_in_flight = random.between(1, 16);
  // An odd number, by which the channel of contacts is told from those of particles.
  desc.contact_capacity = random.one_in(3) ? 0 : 2 * random.below(250) + 1;
  return desc;
}

class Lockstep {
 public:
  Lockstep(const std::vector<Place>& places, uint64_t seed, Totals& totals)
      : places_(places), seed_(seed), totals_(totals) {
    for (const Place& place : places_)
      worlds_.push_back(std::make_unique<World>(place, draw_solver(Random(seed, 0), places)));
  }

  // Makes a call and returns what differs, or "". notes: receives what the call was.
  std::string make(size_t number, std::string& notes);
  // Compares all that can be read.
  std::string observe_all();

 private:
  std::string name_of(size_t world) const {
    return world < places_.size() ? places_[world].name : "twin in " + worlds_[world]->place.name;
  }
  void release();
  void replace_twin(Random& random);
  std::string make_in_all(const Call& call, const Random& random, std::string& notes, bool& has_only_failed);
  std::string compare(const std::vector<Log>& logs);

  const std::vector<Place>& places_;
  uint64_t seed_;
  Totals& totals_;
  // One in each place. Behind them the twin, if there is one.
  std::vector<std::unique_ptr<World>> worlds_;
};

std::string Lockstep::make(size_t number, std::string& notes) {
  Random random(seed_, number + 1);
  if (random.one_in(40)) {
    notes = "twin";
    release();
    replace_twin(random);
    return observe_all();
  }
  // Before the first update of a twin, more happens to what it took over, for which it may lack something.
  const char* const after_twin[] = {"cloth_set_frame", "group_add", "cloth_set_parameters"};
  const bool is_new = !worlds_[0]->has_contacts && random.one_in(2);
  const Call& call = is_new ? find_call(after_twin[random.below(3)]) : choose_call(random, number);
  notes = call.name;
  if (call.nature != Nature::queues) release();
  // Now and then, see that what asks or fails changes nothing.
  const World& checked = *worlds_[random.below(static_cast<uint32_t>(worlds_.size()))];
  const bool is_checked = random.one_in(5) && !checked.is_held();
  const std::vector<uint8_t> before = is_checked ? clothc_test::take_snapshot(checked.solver) : std::vector<uint8_t>();
  bool has_only_failed = false;
  const std::string difference = make_in_all(call, random, notes, has_only_failed);
  if (!difference.empty()) return difference;
  if (is_checked && !checked.is_held() && (call.nature == Nature::asks || has_only_failed)) {
    if (clothc_test::take_snapshot(checked.solver) != before)
      return "the call failed or only reads, and has changed the snapshot in " + checked.place.name;
  }
  return random.one_in(10) && !checked.is_held() ? observe_all() : "";
}

std::string Lockstep::make_in_all(const Call& call, const Random& random, std::string& notes, bool& has_only_failed) {
  std::vector<Log> logs(worlds_.size());
  for (size_t k = 0; k < worlds_.size(); ++k) {
    Random same = random;
    call.make(*worlds_[k], same, logs[k]);
  }
  notes += " " + logs[0].notes();
  has_only_failed = logs[0].has_only_failed();
  ++totals_.calls;
  for (const Entry& entry : logs[0].entries()) {
    if (entry.element_size != 4) continue;
    const bool has_succeeded = entry.bytes == std::vector<uint8_t>(4);
    if (entry.label == "clothc_solver_update" && has_succeeded) ++totals_.updates;
    if (entry.label.compare(0, 7, "clothc_") == 0 && !has_succeeded && entry.bytes.size() == 4)
      notes += std::string(" -> ") + clothc_result_name(static_cast<int8_t>(entry.bytes[0]));
  }
  return compare(logs);
}

std::string Lockstep::observe_all() {
  release();
  std::vector<Log> logs(worlds_.size());
  for (size_t k = 0; k < worlds_.size(); ++k) observe(*worlds_[k], logs[k]);
  return compare(logs);
}

std::string Lockstep::compare(const std::vector<Log>& logs) {
  for (size_t k = 1; k < logs.size(); ++k) {
    totals_.comparisons += logs[k].entries().size();
    const std::string difference = first_difference(logs[0], name_of(0), logs[k], name_of(k));
    if (!difference.empty()) return difference;
  }
  return "";
}

void Lockstep::release() {
  for (const auto& world : worlds_) world->release();
}

// Continues in one place from the snapshot of any other. Bindings end everywhere, because a restored solver has none, and
// contacts are not compared before the next update.
void Lockstep::replace_twin(Random& random) {
  worlds_.resize(places_.size());
  const auto count = static_cast<uint32_t>(places_.size());
  const World& original = *worlds_[random.below(count)];
  const std::vector<uint8_t> snapshot = clothc_test::take_snapshot(original.solver);
  for (const auto& world : worlds_) world->end_bindings();
  worlds_.push_back(std::make_unique<World>(places_[random.below(count)], original, snapshot));
  for (const auto& world : worlds_) world->has_contacts = false;
}

}  // namespace

std::optional<Failure> run(const Script& script, const std::vector<Place>& places, Totals& totals) {
  Lockstep lockstep(places, script.seed, totals);
  for (size_t number = 0; number < script.kept.size(); ++number) {
    if (!script.kept[number]) continue;
    std::string notes, difference;
    try {
      difference = lockstep.make(number, notes);
      if (difference.empty() && number + 1 == script.kept.size()) difference = lockstep.observe_all();
    } catch (const std::runtime_error& error) {
      difference = std::string("a call failed that cannot: ") + error.what();
    }
    if (script.is_verbose) std::printf("%zu %s\n", number, notes.c_str()), std::fflush(stdout);
    if (!difference.empty()) return Failure{number, "(" + notes + "): " + difference};
  }
  return {};
}

}  // namespace lockstep
