// verify.cpp - see verify.h. The scene runs once on a solver whose work goes to the reference: the processor with scalar
// code, step by step. Each step that is compared begins with the reference's state on the device too, so a kernel that is
// wrong spoils no other one.
#include "core/verify/verify.h"

#include "core/base/structs.h"
#include "core/objects/compiled_code.h"
#include "core/verify/observed_backend.h"
#include "core/verify/operations.h"
#include "core/verify/rows.h"
#include "core/verify/scene.h"
#include "core/verify/steps.h"

namespace clothc {
namespace {

std::unique_ptr<Backend> make_reference() {
  clothc_device_desc desc = make_default<clothc_device_desc>();
  desc.backend = CLOTHC_BACKEND_CPU;
  desc.isa = CLOTHC_ISA_SCALAR;
  desc.worker_count = 1;
  for (const BackendKind& kind : backend_kinds()) {
    if (kind.backend == CLOTHC_BACKEND_CPU) return kind.create(desc);
  }
  fail(CLOTHC_ERROR_UNSUPPORTED, "this build has no processor backend, against which devices are verified");
}

const char* name_of(TableOperation::Kind kind) {
  switch (kind) {
    case TableOperation::Kind::sort:
      return "sort";
    case TableOperation::Kind::scan:
      return "scan";
    default:
      return "copy";
  }
}

// The scratch memory of an operation, which each backend uses in its own way.
WordRange scratch_of(const TableOperation& operation) {
  const uint32_t words = operation.kind == TableOperation::Kind::sort   ? sort_scratch_words(operation.count)
                         : operation.kind == TableOperation::Kind::scan ? scan_scratch_words(operation.count)
                                                                        : 0;
  return {operation.scratch, operation.scratch + words};
}

// The caches of nearest triangles of a group, see ShapeLayout.
WordRange caches_of(const GroupSettings& settings) {
  const uint32_t words = settings.mesh_count * settings.particle_stride;
  return {settings.triangle_cache, settings.cache_bounds + words * cache_bound_words};
}

// A form in which a step is to be compared, and what runs it so.
struct Comparison {
  VerificationRows::Row* row;
  Dispatch dispatch;
};

class StepVerifier {
 public:
  StepVerifier(Backend& device, VerificationRows& rows, const std::function<bool()>& is_stopped,
               const VerifiedChoice& is_chosen)
      : device_(device), replica_(device), rows_(rows), is_stopped_(is_stopped), is_chosen_(is_chosen) {}

  void run(const Dispatch& dispatch, Stream& reference) {
    for (const Step& step : steps_of(dispatch)) {
      CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, !is_stopped_(), "the device was destroyed while it was verified");
      run_step(step, reference);
    }
  }

 private:
  void run_step(const Step& step, Stream& reference) {
    const std::vector<Comparison> comparisons = comparisons_of(step);
    if (comparisons.empty()) return run_and_wait(reference, step.pass);
    read_arenas(step.pass.arenas, before_);
    run_and_wait(reference, step.pass);
    read_arenas(step.pass.arenas, after_);
    const bool changes = after_ != before_;
    const std::vector<WordRange> unspecified = unspecified_by(step);
    for (const Comparison& comparison : comparisons)
      VerificationRows::compare(*comparison.row, after_, replica_.run(comparison.dispatch, before_), unspecified,
                                changes);
  }

  // The words of the tables that may differ behind a step. The lanes of a processor search for their nearest triangles
  // together, so that their caches may hold other triangles; no result depends on them.
  std::vector<WordRange> unspecified_by(const Step& step) const {
    if (!step.is_kernel()) return {scratch_of(step.pass.schedule->operations[0])};
    if (device_.info().backend != CLOTHC_BACKEND_CPU || (info_of(step.kernel).writes & access_caches) == 0) return {};
    const auto* records = static_cast<const GroupRecord*>(step.pass.arenas.records->host_pointer());
    std::vector<WordRange> caches;
    for (const Job& job : step.pass.schedule->jobs) caches.push_back(caches_of(records[job.record].settings));
    return caches;
  }

  std::vector<Comparison> comparisons_of(const Step& step) {
    std::vector<Comparison> comparisons;
    if (!step.is_kernel()) {
      add(CLOTHC_FORM_OPERATION, name_of(step.operation), step.pass, comparisons);
      return comparisons;
    }
    const KernelInfo& kernel = info_of(step.kernel);
    add(CLOTHC_FORM_PASS, kernel.name, step.pass, comparisons);
    const ProgramFeature largest = device_.limits().largest_program;
    if (largest == ProgramFeature::none) {
      add_program(step, kernel, kernel.program, CLOTHC_FORM_PROGRAM, comparisons);
      return comparisons;
    }
    if (kernel.program == ProgramFeature::plain)
      add_program(step, kernel, ProgramFeature::plain, CLOTHC_FORM_PROGRAM, comparisons);
    if (kernel.program != ProgramFeature::none && largest == ProgramFeature::extended)
      add_program(step, kernel, ProgramFeature::extended, CLOTHC_FORM_EXTENDED_PROGRAM, comparisons);
    return comparisons;
  }

  void add(clothc_verified_form form, const char* name, const Dispatch& dispatch,
           std::vector<Comparison>& comparisons) {
    VerificationRows::Row& row = rows_.find(form, name);
    if (VerificationRows::is_due(row) && (!is_chosen_ || is_chosen_(name, form)))
      comparisons.push_back({&row, dispatch});
  }

  void add_program(const Step& step, const KernelInfo& kernel, ProgramFeature feature, clothc_verified_form form,
                   std::vector<Comparison>& comparisons) {
    const auto* records = static_cast<const GroupRecord*>(step.pass.arenas.records->host_pointer());
    Dispatch dispatch = step.pass;
    dispatch.schedule = as_programs(step, feature, device_.limits(), records);
    dispatch.repeat_count = 0;
    if (dispatch.schedule != nullptr) add(form, kernel.name, dispatch, comparisons);
  }

  Backend& device_;
  Replica replica_;
  // What the arenas hold before and behind a step.
  ArenaBytes before_, after_;
  VerificationRows& rows_;
  const std::function<bool()>& is_stopped_;
  const VerifiedChoice& is_chosen_;
};

// Limits like those of the device, so that its schedules are the ones that are taken apart.
DeviceLimits limits_of_scene(const Backend& device) {
  DeviceLimits limits = device.limits();
  limits.only_records = false;
  return limits;
}

// Runs large operations and the scene, step by step, and returns the hashes of its updates.
std::vector<uint64_t> verify_steps(Backend& device, VerificationRows& rows, const std::function<bool()>& is_stopped,
                                   const VerifiedChoice& is_chosen) {
  const std::unique_ptr<Backend> reference = make_reference();
  StepVerifier verifier(device, rows, is_stopped, is_chosen);
  const std::shared_ptr<Stream> stream = reference->create_stream();
  for (const Dispatch& operation : make_large_operations(*reference)) verifier.run(operation, *stream);
  const auto observe = [&](const Dispatch& dispatch, Stream& below) { verifier.run(dispatch, below); };
  auto observed = std::make_unique<ObservedBackend>(*reference, limits_of_scene(device), observe);
  const clothc_device_info info = observed->info();
  const auto scene_device = std::make_shared<Device>(std::move(observed), info, MessageSink{});
  std::vector<uint64_t> hashes;
  VerificationScene scene(scene_device, CLOTHC_SCHEDULE_PASS);
  for (uint32_t update = 0; update < VerificationScene::update_count; ++update) hashes.push_back(scene.run(update));
  return hashes;
}

void verify_updates(Device& device, clothc_schedule schedule, const std::vector<uint64_t>& expected,
                    VerificationRows::Row& row, const std::function<bool()>& is_stopped) {
  // The device outlives the scene, and must not be kept alive by it.
  VerificationScene scene(std::shared_ptr<Device>(std::shared_ptr<Device>(), &device), schedule);
  for (uint32_t update = 0; update < VerificationScene::update_count && !is_stopped(); ++update)
    VerificationRows::compare(row, update, expected[update], scene.run(update));
}

}  // namespace

std::vector<clothc_verification_row> verify(Device& device, const std::function<bool()>& is_stopped,
                                            const VerifiedChoice& is_chosen) {
  const FloatEnvironment environment;
  VerificationRows rows;
  const std::vector<uint64_t> expected = verify_steps(device.backend(), rows, is_stopped, is_chosen);
  constexpr std::pair<clothc_schedule, const char*> updates[] = {{CLOTHC_SCHEDULE_PASS, "updates in passes"},
                                                                 {CLOTHC_SCHEDULE_CLOTH, "updates in programs"}};
  for (const auto& [schedule, name] : updates) {
    if (!is_chosen || is_chosen(name, CLOTHC_FORM_UPDATE))
      verify_updates(device, schedule, expected, rows.find(CLOTHC_FORM_UPDATE, name), is_stopped);
  }
  return rows.results();
}

void begin_verification(Device& device) {
  CLOTHC_REQUIRE_AS(
      CLOTHC_ERROR_UNSUPPORTED, !device.backend().limits().only_records,
      "the device only records, so it cannot be verified; make one with clothc_device_create for the same "
      "GPU, verify it, and give its cache to this one");
  device.verification().begin(
      [&device](const std::function<bool()>& is_stopped) { return verify(device, is_stopped); });
}

void require_known_bits(Device& device, const clothc_device_desc& desc) {
  if (desc.cache != nullptr) {
    try {
      load_compiled_code(device, desc.cache, desc.cache_size);
    } catch (const Failure&) {
      // The device works without it.
    }
  }
  if ((desc.flags & CLOTHC_DEVICE_STRICT_PARITY) == 0) return;
  Verification& verification = device.verification();
  if (verification.verdict() == CLOTHC_VERDICT_UNKNOWN) {
    begin_verification(device);
    PreparationProgress progress;
    verification.wait(UINT64_MAX, progress);
  }
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, verification.is_strict(),
                    "%s; or create the device without CLOTHC_DEVICE_STRICT_PARITY", verification.message().c_str());
}

}  // namespace clothc
