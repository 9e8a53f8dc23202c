// modules.cpp - holds the SPIR-V modules and changes in them what depends on the device, which a shader compiler cannot
// know: it inserts declarations of float controls where the SPIR-V specification prescribes them (2.4, Logical Layout of
// a Module; SPV_KHR_float_controls), tells drivers whether to unroll loops (3.23, Loop Control), and replaces
// specialization constants by constants (2.12, Specialization).
#include "backend_vulkan/modules.h"

#include <cstring>
#include <map>

#include "kernels/spirv/modules.h"

namespace clothc::vulkan {
namespace {

struct Words {
  const uint32_t* begin;
  size_t count;
};
template <size_t count>
constexpr Words words_of(const uint32_t (&words)[count]) {
  return {words, count};
}

constexpr Words all_words[] = {
#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes) words_of(name##_words),
#include "kernels/kernels.def"
#undef CLOTHC_KERNEL
    words_of(program_plain_words),
    words_of(program_extended_words),
    words_of(copy_words),
#define CLOTHC_TABLE_KERNEL(name) words_of(name##_words),
#include "backend_gpu/table_kernels.def"
#undef CLOTHC_TABLE_KERNEL
};
static_assert(sizeof(all_words) / sizeof(all_words[0]) == shader_count, "a module per shader");

constexpr uint32_t op_extension = 10, op_entry_point = 15, op_execution_mode = 16, op_capability = 17;
constexpr uint32_t op_loop_merge = 246, no_control = 0, dont_unroll = 2;
constexpr uint32_t op_constant_true = 41, op_constant_false = 42, op_constant = 43, op_constant_composite = 44;
constexpr uint32_t op_spec_constant_true = 48, op_spec_constant_false = 49, op_spec_constant = 50,
                   op_spec_constant_composite = 51;
constexpr uint32_t op_decorate = 71, spec_id = 1;
constexpr size_t header_words = 5;
constexpr uint32_t signed_zero_inf_nan_preserve = 4461, rounding_mode_rte = 4462;
// The number of a mode's capability is the number of the mode plus this.
constexpr uint32_t capability_of_mode = 5;

uint32_t instruction(uint32_t operation, size_t word_count) {
  return static_cast<uint32_t>(word_count) << 16 | operation;
}

// Denormals decide nothing, so modules do not ask for them: drivers for GPUs would make every division a call that
// handles them.
std::vector<uint32_t> modes_of(const Adapter& adapter) {
  std::vector<uint32_t> modes;
  if (adapter.preserves_not_a_number) modes.push_back(signed_zero_inf_nan_preserve);
  if (adapter.rounds_to_nearest) modes.push_back(rounding_mode_rte);
  return modes;
}

std::vector<uint32_t> with_float_controls(const Words& plain, const std::vector<uint32_t>& modes) {
  if (modes.empty()) return {plain.begin, plain.begin + plain.count};
  std::vector<uint32_t> words(plain.begin, plain.begin + header_words);
  for (const uint32_t mode : modes) {
    words.push_back(instruction(op_capability, 2));
    words.push_back(mode + capability_of_mode);
  }
  bool extended = false, declared = false;
  for (size_t k = header_words; k < plain.count; k += plain.begin[k] >> 16) {
    const uint32_t operation = plain.begin[k] & 0xffff;
    if (!extended && operation != op_capability) {
      const char name[] = "SPV_KHR_float_controls";
      uint32_t text[(sizeof(name) + 3) / 4] = {};
      std::memcpy(text, name, sizeof(name));
      words.push_back(instruction(op_extension, 1 + sizeof(text) / 4));
      words.insert(words.end(), std::begin(text), std::end(text));
      extended = true;
    }
    words.insert(words.end(), plain.begin + k, plain.begin + k + (plain.begin[k] >> 16));
    if (!declared && operation == op_entry_point) {
      const uint32_t entry_point = plain.begin[k + 2];
      for (const uint32_t mode : modes) {
        const uint32_t declaration[] = {instruction(op_execution_mode, 4), entry_point, mode, 32};
        words.insert(words.end(), std::begin(declaration), std::end(declaration));
      }
      declared = true;
    }
  }
  return words;
}

void control_loops(std::vector<uint32_t>& words, uint32_t control) {
  for (size_t k = header_words; k < words.size(); k += words[k] >> 16) {
    // The operands are the blocks where the loop ends and continues, and its control.
    if ((words[k] & 0xffff) == op_loop_merge) words[k + 3] = control;
  }
}

uint32_t value_of_constant(uint32_t id, const Adapter& adapter) {
  switch (id) {
    case strict_arithmetic_id:
      return !adapter.has_exact_division;
    case program_lanes_id:
      return adapter.program_lanes;
    default:
      return adapter.reads_texels;
  }
}

// The first word of an instruction whose operation is replaced.
uint32_t with_operation(uint32_t first_word, uint32_t operation) { return (first_word & 0xffff0000) | operation; }

}  // namespace

// Decorations come before the constants that they decorate (2.4).
std::vector<uint32_t> specialized(const std::vector<uint32_t>& general, const Adapter& adapter) {
  std::vector<uint32_t> words(general.begin(), general.begin() + header_words);
  std::map<uint32_t, uint32_t> values;
  for (size_t k = header_words, next = 0; k < general.size(); k = next) {
    const uint32_t* const old = &general[k];
    next = k + (old[0] >> 16);
    const uint32_t operation = old[0] & 0xffff;
    if (operation == op_decorate && old[2] == spec_id) {
      values[old[1]] = value_of_constant(old[3], adapter);
      continue;
    }
    const size_t begin = words.size();
    words.insert(words.end(), old, old + (old[0] >> 16));
    uint32_t* const fresh = &words[begin];
    if (operation == op_spec_constant_true || operation == op_spec_constant_false) {
      fresh[0] = with_operation(old[0], values.at(old[2]) != 0 ? op_constant_true : op_constant_false);
    } else if (operation == op_spec_constant) {
      fresh[0] = with_operation(old[0], op_constant);
      fresh[3] = values.at(old[2]);
    } else if (operation == op_spec_constant_composite) {
      fresh[0] = with_operation(old[0], op_constant_composite);
    }
  }
  return words;
}

std::vector<uint32_t> module_words(Shader shader, const Adapter& adapter) {
  const Words& plain = all_words[static_cast<uint32_t>(shader)];
  std::vector<uint32_t> words = specialized(
      with_float_controls(plain, shader < Shader::copy ? modes_of(adapter) : std::vector<uint32_t>()), adapter);
  // Programs are divided by their number of loop iterations, in which those of unrolled loops do not count. Modules keep
  // only loops over strict divisions from being unrolled, which an exact device does not have.
  if (!adapter.unrolls_loops && shader < Shader::first_program) {
    control_loops(words, dont_unroll);
  } else if (adapter.has_exact_division) {
    control_loops(words, no_control);
  }
  return words;
}

}  // namespace clothc::vulkan
