// verify_test.cpp - verifying devices: the scene runs every kernel and operation, and changes something by each; a device
// that is right has no difference, and one with a single wrong kernel is told from all others by that kernel's name.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "core/base/structs.h"
#include "core/objects/compiled_code.h"
#include "core/schedule/prepared_kernels.h"
#include "core/verify/observed_backend.h"
#include "core/verify/replica.h"
#include "core/verify/scene.h"
#include "core/verify/steps.h"
#include "core/verify/verify.h"

namespace clothc {
namespace {

std::unique_ptr<Backend> make_processor(clothc_isa isa = CLOTHC_ISA_SCALAR) {
  clothc_device_desc desc = make_default<clothc_device_desc>();
  desc.isa = isa;
  desc.worker_count = 1;
  for (const BackendKind& kind : backend_kinds()) {
    if (kind.backend == CLOTHC_BACKEND_CPU) return kind.create(desc);
  }
  return nullptr;
}

// Those of a GPU, which has programs of two sizes.
DeviceLimits gpu_limits() {
  DeviceLimits limits;
  limits.worker_count = 64;
  limits.lanes_per_worker = 128;
  limits.largest_program = ProgramFeature::extended;
  return limits;
}

// Runs dispatches as they are.
void pass_on(const Dispatch& dispatch, Stream& below) { run_and_wait(below, dispatch); }

// A device on a processor, with an observer and limits of its own, that the project does not list.
struct ObservedDevice {
  explicit ObservedDevice(const DeviceLimits& limits, DispatchObserver observe = pass_on) {
    auto backend = std::make_unique<ObservedBackend>(*processor, limits, std::move(observe));
    clothc_device_info info = backend->info();
    info.capabilities &= ~uint32_t{CLOTHC_CAPABILITY_STRICT_PARITY};
    device = std::make_shared<Device>(std::move(backend), info, MessageSink{});
  }
  std::unique_ptr<Backend> processor = make_processor();
  std::shared_ptr<Device> device;
};

const std::function<bool()> goes_on = [] { return false; };

// How often the scene runs each kernel and operation in passes, and how often that changes anything.
struct Uses {
  std::map<std::string, int> runs, changes;
  bool has_not_a_number = false;

  explicit Uses(const DeviceLimits& limits, bool counts_changes = true) : counts_changes_(counts_changes) {
    const ObservedDevice observed(limits, [&](const Dispatch& dispatch, Stream& below) { run(dispatch, below); });
    VerificationScene scene(observed.device, CLOTHC_SCHEDULE_PASS);
    for (uint32_t update = 0; update < VerificationScene::update_count; ++update) scene.run(update);
  }

 private:
  void run(const Dispatch& dispatch, Stream& below) {
    for (const Step& step : steps_of(dispatch)) {
      if (counts_changes_) read_arenas(dispatch.arenas, before_);
      run_and_wait(below, step.pass);
      if (counts_changes_) read_arenas(dispatch.arenas, after_);
      constexpr const char* operations[] = {"sort", "scan", "copy"};
      const std::string name =
          step.is_kernel() ? info_of(step.kernel).name : operations[static_cast<int>(step.operation)];
      ++runs[name];
      changes[name] += before_ != after_ ? 1 : 0;
    }
    if (!counts_changes_) return;
    // The exchange block, which holds what was set before it is rejected, is not looked at.
    for (size_t k = 0; k + 4 <= size_t{16} * (dispatch.frame.exchange - padding_particle_count); k += 4) {
      float value;
      std::memcpy(&value, &after_[0][k], sizeof(value));
      has_not_a_number = has_not_a_number || std::isnan(value);
    }
  }

  const bool counts_changes_;
  ArenaBytes before_, after_;
};

TEST(VerificationScene, runs_every_kernel_and_operation_of_a_gpu_and_changes_something_by_each) {
  const DeviceLimits limits = gpu_limits();
  Uses uses(limits);
  for (const Kernel kernel : prepared_kernels(0, limits).kernels) {
    const char* name = info_of(kernel).name;
    EXPECT_GT(uses.runs[name], 0) << name;
    EXPECT_GT(uses.changes[name], 0) << name;
  }
  for (const char* name : {"sort", "scan"}) EXPECT_GT(uses.changes[name], 0) << name;
  EXPECT_FALSE(uses.has_not_a_number);
}

TEST(VerificationScene, runs_the_kernels_of_lattices_where_a_device_has_them) {
  DeviceLimits limits;
  limits.lattice_batch_cost = 1;
  Uses uses(limits, false);
  for (const KernelInfo& kernel : kernel_infos) {
    if (((kernel.reads | kernel.writes) & access_lattice) == 0) continue;
    EXPECT_GT(uses.runs[kernel.name], 0) << kernel.name;
  }
}

TEST(Verifying, a_device_that_computes_as_the_reference_finds_no_difference_in_any_form) {
  const ObservedDevice observed(gpu_limits());
  const std::vector<clothc_verification_row> rows = verify(*observed.device, goes_on);
  std::map<std::string, std::set<clothc_verified_form>> forms;
  for (const clothc_verification_row& row : rows) {
    EXPECT_EQ(row.different_word_count, 0u) << row.name << " in form " << row.form << ": " << row.array << " "
                                            << row.first_word << " is " << row.found << ", not " << row.expected;
    EXPECT_GT(row.word_count, 0u);
    EXPECT_EQ(row.different_run_count, 0u);
    forms[row.name].insert(row.form);
  }
  for (const Kernel kernel : prepared_kernels(0, gpu_limits()).kernels) {
    const KernelInfo& info = info_of(kernel);
    std::set<clothc_verified_form> wanted = {CLOTHC_FORM_PASS};
    if (info.program == ProgramFeature::plain) wanted.insert(CLOTHC_FORM_PROGRAM);
    if (info.program != ProgramFeature::none) wanted.insert(CLOTHC_FORM_EXTENDED_PROGRAM);
    EXPECT_EQ(forms[info.name], wanted) << info.name;
  }
  EXPECT_EQ(forms["sort"], std::set<clothc_verified_form>{CLOTHC_FORM_OPERATION});
  EXPECT_EQ(forms["updates in passes"], std::set<clothc_verified_form>{CLOTHC_FORM_UPDATE});
  EXPECT_EQ(forms["updates in programs"], std::set<clothc_verified_form>{CLOTHC_FORM_UPDATE});
}

// Makes a coordinate greater by one unit in the last place if a dispatch has the kernel.
DispatchObserver spoil(Kernel kernel) {
  return [kernel](const Dispatch& dispatch, Stream& below) {
    run_and_wait(below, dispatch);
    for (const Job& job : dispatch.schedule->jobs) {
      if (job.kernel != static_cast<uint32_t>(kernel)) continue;
      auto* words = static_cast<uint32_t*>(dispatch.arenas.particles->host_pointer());
      ++words[4 * (dispatch.frame.position + 3)];
      return;
    }
  };
}

std::set<std::string> different_names(const std::vector<clothc_verification_row>& rows) {
  std::set<std::string> names;
  for (const clothc_verification_row& row : rows) {
    if (row.different_word_count > 0) names.insert(row.name);
  }
  return names;
}

TEST(Verifying, names_a_kernel_that_is_wrong_and_no_other_one) {
  const ObservedDevice observed(gpu_limits(), spoil(Kernel::collide_curved));
  const std::vector<clothc_verification_row> rows = verify(*observed.device, goes_on);
  EXPECT_EQ(different_names(rows),
            (std::set<std::string>{"collide_curved", "updates in passes", "updates in programs"}));
  for (const clothc_verification_row& row : rows) {
    if (std::strcmp(row.name, "collide_curved") != 0) continue;
    EXPECT_STREQ(row.array, "particles");
    EXPECT_EQ(row.found, row.expected + 1);
    EXPECT_EQ(row.different_run_count, row.run_count);
  }
}

// The passes of whole updates are not separated, so that one is lost.
TEST(Verifying, finds_what_is_wrong_in_whole_updates_only) {
  const ObservedDevice observed(gpu_limits(), [](const Dispatch& dispatch, Stream& below) {
    if (dispatch.schedule->passes.size() < 20) return run_and_wait(below, dispatch);
    Schedule shorter = *dispatch.schedule;
    shorter.passes[shorter.repeat_end - 1].job_count = 0;
    Dispatch without = dispatch;
    without.schedule = std::make_shared<const Schedule>(std::move(shorter));
    run_and_wait(below, without);
  });
  const std::set<std::string> names = different_names(verify(*observed.device, goes_on));
  EXPECT_EQ(names.count("updates in passes"), 1u);
  EXPECT_LE(names.size(), 2u);
}

clothc_device_desc strict_desc() {
  clothc_device_desc desc = make_default<clothc_device_desc>();
  desc.flags = CLOTHC_DEVICE_STRICT_PARITY;
  return desc;
}

bool is_strict(const Device& device) { return (device.info().capabilities & CLOTHC_CAPABILITY_STRICT_PARITY) != 0; }

TEST(StrictParity, is_verified_on_demand_and_kept_in_a_cache) {
  const ObservedDevice observed(gpu_limits());
  EXPECT_FALSE(is_strict(*observed.device));
  require_known_bits(*observed.device, make_default<clothc_device_desc>());
  EXPECT_FALSE(is_strict(*observed.device)) << "nobody asked";
  require_known_bits(*observed.device, strict_desc());
  EXPECT_TRUE(is_strict(*observed.device));
  EXPECT_EQ(observed.device->verification().verdict(), static_cast<uint32_t>(CLOTHC_VERDICT_EQUAL));

  const std::vector<uint8_t> cache = save_compiled_code(*observed.device);
  // Verifying this one would take it for a wrong one.
  const ObservedDevice next(gpu_limits(), spoil(Kernel::integrate));
  clothc_device_desc desc = strict_desc();
  desc.cache = cache.data();
  desc.cache_size = cache.size();
  require_known_bits(*next.device, desc);
  EXPECT_TRUE(is_strict(*next.device));
}

TEST(StrictParity, is_refused_with_the_kernel_the_driver_and_a_remedy) {
  const ObservedDevice observed(gpu_limits(), spoil(Kernel::integrate));
  EXPECT_THROW(require_known_bits(*observed.device, strict_desc()), Failure);
  const std::string message = failure_message();
  for (const std::string& part :
       {std::string("kernel integrate, launched alone"), std::string("CLOTHC_BACKEND_CPU"),
        std::string("CLOTHC_DEVICE_STRICT_PARITY"), observed.device->backend().compiler_identity()})
    EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_EQ(observed.device->verification().verdict(), static_cast<uint32_t>(CLOTHC_VERDICT_DIFFERENT));
  EXPECT_FALSE(is_strict(*observed.device));
}

TEST(Verifying, ends_soon_when_it_is_told_to) {
  const ObservedDevice observed(gpu_limits());
  EXPECT_THROW(verify(*observed.device, [] { return true; }), Failure);
}

}  // namespace
}  // namespace clothc
