// pattern.cpp - builds a case from the numbers in its name, with numbers of frames that make every case take about the
// same time.
#include "bench/pattern.h"

#include <algorithm>
#include <regex>

#include "bench/cloth.h"
#include "bench/many.h"
#include "bench/measure.h"
#include "cli/errors.h"

namespace clothc_tool {
namespace {

constexpr uint64_t kLeastSide = 10, kMostSide = 2000;
constexpr uint64_t kMostCloths = 10000, kMostParticles = 20000000;
constexpr uint64_t kLeastClothParticles = 4, kMostClothParticles = 10000;
constexpr uint64_t kMostElongation = 4;

// Chooses frames so that a repetition updates about a million particles, after 300,000 to warm up, within limits. This
// takes 10 to 20 ms unless frames are too long.
BenchCase sized_case(std::string name, std::string description, uint64_t particles, std::function<Scene()> build) {
  const auto frames_of = [&](uint64_t wanted, uint64_t least, uint64_t most) {
    return static_cast<uint32_t>(std::clamp(wanted / particles, least, most));
  };
  return {std::move(name),
          std::move(description),
          frames_of(300000, 4, 30),
          frames_of(1000000, kMinimumBenchFrames, 1000),
          false,
          false,
          std::move(build),
          {}};
}

// How far a sheet's proportions are from 25 columns to 40 rows, as numerator / denominator >= 1.
struct Misfit {
  uint64_t numerator, denominator;
  bool operator<(const Misfit& other) const { return numerator * other.denominator < other.numerator * denominator; }
};
Misfit misfit_of(uint64_t columns, uint64_t rows) {
  return {std::max(40 * columns, 25 * rows), std::min(40 * columns, 25 * rows)};
}

// Returns the sheet with this number of particles whose proportions are nearest to 25:40, or none if every possible
// sheet is more than four times as long as wide.
std::optional<SheetSize> sheet_size(uint64_t particles) {
  std::optional<SheetSize> best;
  for (uint64_t columns = 2; 2 * columns <= particles; ++columns) {
    const uint64_t rows = particles / columns;
    if (particles % columns != 0 || std::max(columns, rows) > kMostElongation * std::min(columns, rows)) continue;
    if (!best || misfit_of(columns, rows) < misfit_of(best->columns, best->rows))
      best = {static_cast<uint32_t>(columns), static_cast<uint32_t>(rows)};
  }
  return best;
}

// Returns the number of particles nearest to the given one that can form a sheet.
uint64_t nearest_sheet(uint64_t particles) {
  for (uint64_t distance = 1;; ++distance)
    for (const uint64_t other : {particles - distance, particles + distance})
      if (other >= kLeastClothParticles && other <= kMostClothParticles && sheet_size(other)) return other;
}

void require(bool is_valid, const std::string& name, const std::string& seen, const std::string& remedy) {
  if (!is_valid) throw InputError("case '" + name + "' has " + seen + "; use " + remedy);
}

std::string range(uint64_t least, uint64_t most) { return std::to_string(least) + " to " + std::to_string(most); }

BenchCase sheet_case(const std::string& name, uint64_t side) {
  const std::string text = std::to_string(side);
  require(side >= kLeastSide && side <= kMostSide, name, text + " x " + text + " particles",
          range(kLeastSide, kMostSide) + " on a side");
  const auto count = static_cast<uint32_t>(side);
  return sized_case(name, text + " x " + text + " sheet", side * side, [count] { return hanging_sheet(count, 0); });
}

BenchCase cloths_case(const std::string& name, uint64_t cloths, uint64_t particles) {
  const std::string seen = std::to_string(cloths) + " cloths of " + std::to_string(particles) + " particles";
  require(cloths >= 1 && cloths <= kMostCloths, name, seen, range(1, kMostCloths) + " cloths");
  require(particles >= kLeastClothParticles && particles <= kMostClothParticles, name, seen,
          range(kLeastClothParticles, kMostClothParticles) + " particles each");
  require(cloths * particles <= kMostParticles, name, seen, "at most " + std::to_string(kMostParticles) + " in all");
  const std::optional<SheetSize> size = sheet_size(particles);
  if (!size)
    require(false, name, seen + ", which make no sheet at most 4 times as long as wide",
            std::to_string(nearest_sheet(particles)) + " each");
  const auto count = static_cast<uint32_t>(cloths);
  return sized_case(
      name, seen + ", " + std::to_string(size->columns) + " x " + std::to_string(size->rows) + ", that share a fabric",
      cloths * particles, [count, size] { return repeated_cloth(count, *size); });
}

BenchCase capes_case(const std::string& name, uint64_t cloths) {
  require(cloths >= 1 && cloths <= kMostCloths, name, std::to_string(cloths) + " cloths",
          range(1, kMostCloths) + " cloths");
  const auto count = static_cast<uint32_t>(cloths);
  return sized_case(name, std::to_string(cloths) + " cloths of 25 x 40 that share a fabric, each with 15 capsules",
                    cloths * 1000, [count] { return capes(count); });
}

// Numbers of up to nine digits without leading zeros, so that each case has only one name.
const std::string kNumber = "(0|[1-9][0-9]{0,8})";

}  // namespace

std::optional<BenchCase> find_bench_pattern(const std::string& name) {
  std::smatch numbers;
  const auto number = [&](size_t i) { return std::stoull(numbers[i]); };
  if (std::regex_match(name, numbers, std::regex("sheet" + kNumber))) return sheet_case(name, number(1));
  if (std::regex_match(name, numbers, std::regex("cloths" + kNumber + "x" + kNumber)))
    return cloths_case(name, number(1), number(2));
  if (std::regex_match(name, numbers, std::regex("capes" + kNumber))) return capes_case(name, number(1));
  return std::nullopt;
}

}  // namespace clothc_tool
