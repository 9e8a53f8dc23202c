// info_verify.cpp - see info_verify.h. A processor is verified with each of its instruction sets.
#include "commands/info_verify.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/device_options.h"
#include "cli/errors.h"
#include "commands/commands.h"

namespace clothc_tool {
namespace {

using nlohmann::ordered_json;

constexpr const char* kFormNames[] = {"", "pass", "program", "larger program", "operation", "update"};

// A device that has been verified. If that failed, failure says why and the rest is empty.
struct Verified {
  // Such as "cpu 0, avx2".
  std::string title;
  clothc_verification verification = clothc::initialised<clothc_verification>();
  std::vector<clothc_verification_row> rows;
  std::string failure;

  bool is_right() const { return failure.empty() && verification.verdict == CLOTHC_VERDICT_EQUAL; }
};

Verified verify(const clothc_device_info& info, clothc_isa isa) {
  Verified verified;
  verified.title = std::string(backend_name(info.backend)) + " " + std::to_string(info.device_index);
  if (isa != CLOTHC_ISA_AUTO) verified.title += std::string(", ") + isa_name(isa);
  auto desc = clothc::initialised<clothc_device_desc>();
  desc.backend = info.backend;
  desc.device_index = info.device_index;
  desc.isa = isa;
  // Software drivers may compile a kernel for minutes on a machine that is busy.
  desc.hang_timeout_ms = 600'000;
  try {
    const clothc::Device device = clothc::Device::create(desc).value();
    device.verify().check();
    verified.verification = device.verification().value();
    verified.rows = device.verification_rows().value();
  } catch (const clothc::Error& error) {
    verified.failure = error.what();
  }
  return verified;
}

// Verifies a device, or a processor once per instruction set.
void verify_all(const clothc_device_info& info, std::vector<Verified>& all) {
  if (info.backend != CLOTHC_BACKEND_CPU) {
    all.push_back(verify(info, CLOTHC_ISA_AUTO));
    return;
  }
  for (clothc_isa isa = CLOTHC_ISA_SCALAR; isa <= CLOTHC_ISA_NEON; ++isa) {
    if (info.isa_mask >> isa & 1) all.push_back(verify(info, isa));
  }
}

std::vector<clothc_device_info> choose(const std::vector<clothc_device_info>& infos, const VerifyOptions& options) {
  const clothc_backend backend = backend_of(options.backend);
  auto wanted = clothc::initialised<clothc_device_desc>();
  if (!options.device.empty()) choose_device(wanted, options.device);
  const bool by_uuid =
      std::any_of(std::begin(wanted.uuid), std::end(wanted.uuid), [](uint8_t byte) { return byte != 0; });
  std::vector<clothc_device_info> chosen;
  for (const clothc_device_info& info : infos) {
    if (info.available == 0 || (backend != CLOTHC_BACKEND_AUTO && info.backend != backend)) continue;
    const bool has_uuid = std::equal(std::begin(wanted.uuid), std::end(wanted.uuid), std::begin(info.uuid));
    const bool is_wanted = by_uuid ? has_uuid : info.device_index == wanted.device_index;
    if (options.device.empty() || is_wanted) chosen.push_back(info);
  }
  if (chosen.empty())
    throw InputError("no " + options.backend + " device '" + options.device + "' works here; see 'clothc info'");
  return chosen;
}

std::string hexadecimal(const clothc_verification_row& row, uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "0x%0*" PRIx64, row.form == CLOTHC_FORM_UPDATE ? 16 : 8, value);
  return text;
}

ordered_json row_json(const clothc_verification_row& row) {
  ordered_json json = {{"name", row.name},        {"form", kFormNames[row.form]},
                       {"runs", row.run_count},   {"different_runs", row.different_run_count},
                       {"words", row.word_count}, {"different_words", row.different_word_count}};
  if (row.different_word_count == 0) return json;
  json["array"] = row.array;
  json["first_word"] = row.first_word;
  json["expected"] = hexadecimal(row, row.expected);
  json["found"] = hexadecimal(row, row.found);
  return json;
}

ordered_json verified_json(const Verified& verified) {
  ordered_json json = {{"device", verified.title}, {"equal", verified.is_right()}};
  if (!verified.failure.empty()) {
    json["failure"] = verified.failure;
    return json;
  }
  json["driver"] = verified.verification.driver;
  json["message"] = verified.verification.message;
  json["ms"] = static_cast<double>(verified.verification.time_ns) * 1e-6;
  json["rows"] = ordered_json::array();
  for (const clothc_verification_row& row : verified.rows) json["rows"].push_back(row_json(row));
  return json;
}

void print_row(const clothc_verification_row& row) {
  std::printf("  %-34s %-15s %5u %12" PRIu64 " %10" PRIu64, row.name, kFormNames[row.form], row.run_count,
              row.word_count, row.different_word_count);
  if (row.different_word_count > 0) {
    std::printf("  in %u runs, first %s %" PRIu64 ": %s for %s", row.different_run_count, row.array, row.first_word,
                hexadecimal(row, row.found).c_str(), hexadecimal(row, row.expected).c_str());
  }
  std::printf("\n");
}

void print(const Verified& verified) {
  if (!verified.failure.empty()) {
    std::printf("%s: %s\n", verified.title.c_str(), verified.failure.c_str());
    return;
  }
  const clothc_verification& all = verified.verification;
  std::printf("%s: %s\n", verified.title.c_str(), all.driver);
  std::printf("  %-34s %-15s %5s %12s %10s\n", "kernel", "form", "runs", "words", "different");
  for (const clothc_verification_row& row : verified.rows) print_row(row);
  std::printf("  %s; %u rows, %" PRIu64 " words, %.0f ms\n", all.message, all.row_count, all.word_count,
              static_cast<double>(all.time_ns) * 1e-6);
}

}  // namespace

int run_info_verify(const std::vector<clothc_device_info>& infos, const VerifyOptions& options, bool json) {
  std::vector<Verified> all;
  for (const clothc_device_info& info : choose(infos, options)) verify_all(info, all);
  bool is_right = true;
  ordered_json document = {{"version", clothc::library_version()}, {"devices", ordered_json::array()}};
  for (const Verified& verified : all) {
    is_right = is_right && verified.is_right();
    if (json) document["devices"].push_back(verified_json(verified));
    if (!json) print(verified);
  }
  if (json) std::printf("%s\n", document.dump(2, ' ', false, ordered_json::error_handler_t::replace).c_str());
  return is_right ? EXIT_CODE_OK : EXIT_CODE_CHECK_FAILED;
}

}  // namespace clothc_tool
