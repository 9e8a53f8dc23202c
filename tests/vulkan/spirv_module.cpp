// spirv_module.cpp - see spirv_module.h.
#include "vulkan/spirv_module.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace clothc::faults {
namespace {

constexpr uint32_t no_contraction = 42, built_in = 11;

bool is_type(uint32_t operation) { return op_type_void <= operation && operation <= op_type_pointer; }
bool is_constant(uint32_t operation) {
  return op_constant_true <= operation && operation <= op_spec_constant_composite;
}

// Where the operands of a type or constant have its own id: in front, or behind the type of a constant.
size_t result_operand(uint32_t operation) { return is_type(operation) ? 0 : 1; }

bool depends_on_device(uint32_t operation) {
  return operation == op_extension || operation == op_execution_mode || operation == op_capability ||
         operation == op_decorate || operation == op_constant_true || operation == op_constant_false ||
         operation == op_spec_constant_true || operation == op_spec_constant_false ||
         operation == op_constant_composite || operation == op_spec_constant_composite;
}

}  // namespace

SpirvModule::SpirvModule(const uint32_t* words, size_t count) {
  std::copy(words, words + header_words, header_);
  std::vector<Instruction>* part = &preamble;
  for (size_t k = header_words; k < count; k += words[k] >> 16) {
    const uint32_t operation = words[k] & 0xffff;
    if (part == &preamble && is_type(operation)) part = &declarations;
    if (operation == op_function) part = &functions;
    part->push_back({operation, {words + k + 1, words + k + (words[k] >> 16)}});
  }
}

std::vector<uint32_t> SpirvModule::words() const {
  std::vector<uint32_t> words(std::begin(header_), std::end(header_));
  for (const std::vector<Instruction>* part : {&preamble, &declarations, &functions}) {
    for (const Instruction& instruction : *part) {
      const auto word_count = static_cast<uint32_t>(1 + instruction.operands.size());
      words.push_back(word_count << 16 | instruction.operation);
      words.insert(words.end(), instruction.operands.begin(), instruction.operands.end());
    }
  }
  return words;
}

const Instruction* SpirvModule::declaration(uint32_t id) const {
  for (const Instruction& one : declarations) {
    if ((is_type(one.operation) || is_constant(one.operation)) && one.operands[result_operand(one.operation)] == id) {
      return &one;
    }
  }
  return nullptr;
}

uint32_t SpirvModule::find_or_declare(uint32_t operation, const std::vector<uint32_t>& operands, size_t result) {
  for (const Instruction& one : declarations) {
    if (one.operation != operation) continue;
    std::vector<uint32_t> others = one.operands;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(result));
    if (others == operands) return one.operands[result];
  }
  const uint32_t id = new_id();
  std::vector<uint32_t> all = operands;
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(result), id);
  declare({operation, std::move(all)});
  return id;
}

uint32_t SpirvModule::type(uint32_t operation, const std::vector<uint32_t>& operands) {
  return find_or_declare(operation, operands, 0);
}

uint32_t SpirvModule::constant(uint32_t operation, uint32_t of_type, const std::vector<uint32_t>& operands) {
  std::vector<uint32_t> all = operands;
  all.insert(all.begin(), of_type);
  return find_or_declare(operation, all, 1);
}

void SpirvModule::declare(Instruction instruction) { declarations.push_back(std::move(instruction)); }

void SpirvModule::keep_exact(uint32_t id) { preamble.push_back({op_decorate, {id, no_contraction}}); }

uint64_t SpirvModule::fingerprint() const {
  // The size of a workgroup may be a specialization constant.
  std::set<uint32_t> sizes;
  for (const Instruction& one : preamble) {
    const Instruction* size =
        one.operation == op_decorate && one.operands[1] == built_in ? declaration(one.operands[0]) : nullptr;
    if (size) sizes.insert(size->operands.begin() + 2, size->operands.end());
  }
  // FNV-1a over words.
  uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](uint32_t word) { hash = (hash ^ word) * 0x100000001b3; };
  for (const std::vector<Instruction>* part : {&preamble, &declarations, &functions}) {
    for (const Instruction& one : *part) {
      const bool is_number = one.operation == op_constant || one.operation == op_spec_constant;
      if (depends_on_device(one.operation) || (is_number && sizes.count(one.operands[1]) != 0)) continue;
      add(one.operation);
      if (one.operation == op_loop_merge) continue;
      for (const uint32_t operand : one.operands) add(operand);
    }
  }
  return hash;
}

}  // namespace clothc::faults
