// Atomic changes of memory.
#include "cuda/device/ptx/testing/rows.h"

namespace ptx_atomic_test {
namespace {

using namespace ptx::testing;

constexpr uint64_t ones = 0xffffffff, wide_ones = 0xffffffffffffffff;
constexpr uint64_t sign = 0x80000000, most = 0x7fffffff;
constexpr uint64_t wide_sign = 0x8000000000000000, wide_most = 0x7fffffffffffffff;
constexpr uint64_t one = 0x3f800000, minus_one = 0xbf800000, zero = 0, minus_zero = 0x80000000;
constexpr uint64_t infinity = 0x7f800000, minus_infinity = 0xff800000, greatest = 0x7f7fffff;
constexpr uint64_t nan = 0x7fffffff, minus_nan = 0xffc12345, signaling_nan = 0x7f800001;
constexpr uint64_t least = 1, minus_least = 0x80000001, greatest_subnormal = 0x007fffff;
constexpr uint64_t least_normal = 0x00800000, minus_least_normal = 0x80800000;

// An operation, the value in memory, the operands, and the value that is there afterwards.
struct Change {
  const char* operation;
  uint64_t before;
  std::vector<uint64_t> operands;
  uint64_t after;
  bool has_reduction = true;
};

const std::vector<Change> changes = {
    {"add.u32", ones, {2}, 1},
    {"add.s32", 5, {ones}, 4},
    {"add.s32", most, {1}, sign},
    {"add.u64", ones, {1}, 0x100000000},
    {"add.u64", wide_ones, {2}, 1},
    {"add.f32", one, {0x40000000}, 0x40400000},
    {"add.f32", one, {minus_one}, zero},
    {"add.f32", one, {0x33800000}, one},
    {"add.f32", minus_zero, {minus_zero}, minus_zero},
    {"add.f32", minus_zero, {zero}, zero},
    {"add.f32", greatest, {greatest}, infinity},
    {"add.f32", minus_infinity, {greatest}, minus_infinity},
    {"add.f32", infinity, {minus_infinity}, nan},
    {"add.f32", minus_nan, {one}, nan},
    {"add.f32", one, {signaling_nan}, nan},
    {"and.b32", 0xff00, {0x0ff0}, 0x0f00},
    {"and.b64", wide_ones, {0xf00000000}, 0xf00000000},
    {"or.b32", 0xf0, {0x0f}, 0xff},
    {"or.b64", 1, {0x8000000000000000}, 0x8000000000000001},
    {"xor.b32", 0xff, {0x0f}, 0xf0},
    {"xor.b64", wide_ones, {1}, 0xfffffffffffffffe},
    {"min.u32", ones, {1}, 1},
    {"min.u32", sign, {most}, most},
    {"min.s32", ones, {1}, ones},
    {"min.s32", most, {sign}, sign},
    {"min.u64", wide_ones, {1}, 1},
    {"min.u64", wide_sign, {wide_most}, wide_most},
    {"min.s64", wide_ones, {1}, wide_ones},
    {"min.s64", wide_most, {wide_sign}, wide_sign},
    {"max.u32", ones, {1}, ones},
    {"max.u32", most, {sign}, sign},
    {"max.s32", ones, {1}, 1},
    {"max.s32", sign, {most}, most},
    {"max.u64", wide_ones, {1}, wide_ones},
    {"max.u64", wide_most, {wide_sign}, wide_sign},
    {"max.s64", wide_ones, {1}, 1},
    {"max.s64", wide_sign, {wide_most}, wide_most},
    {"inc.u32", 4, {5}, 5},
    {"inc.u32", 5, {5}, 0},
    {"inc.u32", 9, {5}, 0},
    {"inc.u32", 0, {0}, 0},
    {"inc.u32", ones, {ones}, 0},
    {"inc.u32", 0xfffffffe, {ones}, ones},
    {"dec.u32", 4, {5}, 3},
    {"dec.u32", 5, {5}, 4},
    {"dec.u32", 0, {5}, 5},
    {"dec.u32", 9, {5}, 5},
    {"dec.u32", 0, {0}, 0},
    {"dec.u32", ones, {ones}, 0xfffffffe},
    {"exch.b32", 1, {2}, 2, false},
    {"exch.b64", 1, {0x100000002}, 0x100000002, false},
    {"cas.b32", 1, {1, 7}, 7, false},
    {"cas.b32", 1, {2, 7}, 1, false},
    {"cas.b64", 0x100000001, {0x100000001, 7}, 7, false},
    {"cas.b64", 0x100000001, {1, 7}, 0x100000001, false},
    {"cas.b64", 0x100000001, {0x200000001, 7}, 0x100000001, false},
};

// Sums with subnormal numbers: global memory flushes operands and sums to a zero of the same sign, and shared memory
// does not.
const std::vector<Change> subnormal_in_global = {
    {"add.f32", least, {least}, zero},
    {"add.f32", least, {minus_zero}, zero},
    {"add.f32", minus_least, {zero}, zero},
    {"add.f32", minus_least, {minus_zero}, minus_zero},
    {"add.f32", greatest_subnormal, {least}, zero},
    {"add.f32", least_normal, {minus_least}, least_normal},
    {"add.f32", 0x00800001, {minus_least_normal}, zero},
    {"add.f32", 0x80800001, {least_normal}, minus_zero},
    {"add.f32", least, {one}, one},
    {"add.f32", greatest_subnormal, {signaling_nan}, nan},
};
const std::vector<Change> subnormal_in_shared = {
    {"add.f32", least, {least}, 2},
    {"add.f32", least, {minus_zero}, least},
    {"add.f32", minus_least, {zero}, minus_least},
    {"add.f32", minus_least, {minus_zero}, minus_least},
    {"add.f32", greatest_subnormal, {least}, least_normal},
    {"add.f32", least_normal, {minus_least}, greatest_subnormal},
    {"add.f32", 0x00800001, {minus_least_normal}, least},
    {"add.f32", 0x80800001, {least_normal}, minus_least},
    {"add.f32", least, {one}, one},
    {"add.f32", greatest_subnormal, {signaling_nan}, nan},
};

const char* const spaces[] = {"", ".global", ".shared"};
const char* const scopes[] = {"", ".cta", ".gpu", ".sys"};

const Covers covers_all([] {
  std::string forms;
  for (const Change& change : changes) {
    for (const std::string space : spaces) {
      for (const std::string scope : scopes) {
        forms += "atom" + space + scope + "." + change.operation + " ";
        if (change.has_reduction) forms += "red" + space + scope + "." + change.operation + " ";
      }
    }
  }
  return forms;
}());

// Changes a value in shared memory, which is copied from and to the buffer, or in the buffer itself. The name of the
// space is empty for generic addresses, which reach both.
void test_change(const Change& change, bool is_shared, const std::string& space, const std::string& scope,
                 bool returns) {
  const std::string operation = change.operation;
  const bool is_wide = operation.substr(operation.size() - 2) == "64";
  const std::string prefix = is_wide ? "%rd" : "%r", bits = is_wide ? ".u64 " : ".u32 ";
  std::string text = ".shared .align 8 .b8 tile[8];\nld.u64 %rd2, [%rd0];\nst.shared.u64 [tile], %rd2;\n";
  text += "mov.u64 %rd3, " + std::string(is_shared ? "tile" : "%rd0") + ";\n";
  if (is_shared && space.empty()) text += "cvta.shared.u64 %rd3, %rd3;\n";
  std::string operands;
  for (size_t k = 0; k < change.operands.size(); ++k) {
    const std::string name = prefix + std::to_string(20 + k);
    text += "ld" + bits + name + ", [%rd0+" + std::to_string(16 + 8 * k) + "];\n";
    operands += ", " + name;
  }
  text += (returns ? "atom" : "red") + space + scope + "." + operation + (returns ? " " + prefix + "10, " : " ") +
          "[%rd3]" + operands + ";\n";
  if (returns) text += "st" + bits + "[%rd0+8], " + prefix + "10;\n";
  if (is_shared) text += "ld.shared.u64 %rd2, [tile];\nst.u64 [%rd0], %rd2;\n";
  SCOPED_TRACE(text);
  Device device(4);
  device.buffer[0] = change.before;
  std::copy(change.operands.begin(), change.operands.end(), device.buffer.begin() + 2);
  device.run(kernel(text), 1);
  EXPECT_EQ(device.buffer[0], change.after) << std::hex << change.before << " " << change.operands[0];
  if (returns) {
    EXPECT_EQ(device.buffer[1], change.before);
  }
}

// Makes changes in global or in shared memory, by addresses of that space and by generic ones.
void test_changes(const std::vector<Change>& of, bool is_shared) {
  for (const Change& change : of) {
    for (const std::string space : {"", is_shared ? ".shared" : ".global"}) {
      for (const std::string scope : scopes) {
        test_change(change, is_shared, space, scope, true);
        if (change.has_reduction) test_change(change, is_shared, space, scope, false);
      }
    }
  }
}

TEST(PtxAtomic, changes_do_what_the_operation_says_and_return_the_old_value) {
  test_changes(changes, false);
  test_changes(changes, true);
}

TEST(PtxAtomic, sums_in_global_memory_flush_subnormal_numbers) {
  test_changes(subnormal_in_global, false);
  test_changes(subnormal_in_shared, true);
}

TEST(PtxAtomic, each_active_lane_has_its_turn) {
  for (const ptx::Order order : orders) {
    Device device(2 + 100);
    device.launch.order = order;
    device.run(kernel("setp.lt.u32 %p1, %r0, 90;\n@%p1 atom.global.add.u32 %r2, [%rd0], 1;\n"
                      "@%p1 red.global.max.u32 [%rd0+8], %r0;\n@%p1 cvt.u64.u32 %rd2, %r2;\n"
                      "@%p1 st.global.u64 [%rd1+16], %rd2;"),
               100);
    EXPECT_EQ(device.buffer[0], 90u);
    EXPECT_EQ(device.buffer[1], 89u);
    std::set<uint64_t> turns(device.buffer.begin() + 2, device.buffer.begin() + 92);
    EXPECT_EQ(turns.size(), 90u);
    EXPECT_EQ(*turns.rbegin(), 89u);
    if (order == ptx::Order::forward) {
      EXPECT_EQ(device.buffer[2], 0u);
    }
    if (order == ptx::Order::backward) {
      EXPECT_EQ(device.buffer[2 + 89], 0u);
    }
  }
}

}  // namespace
}  // namespace ptx_atomic_test
