// Loads and stores: all types, spaces and vectors, and what registers that are wider than the type get.
#include <cstring>

#include "cuda/device/ptx/testing/rows.h"

namespace ptx_access_test {
namespace {

using namespace ptx::testing;

// The bytes that are loaded are 0x80, 0x91, 0xa2, ... in rising order of the addresses.
struct Type {
  const char* name;
  uint32_t size;
  // What a register of 64 bits has after a load, whose low bits narrower registers have.
  uint64_t loaded;
};

constexpr Type types[] = {{"u8", 1, 0x80},
                          {"b8", 1, 0x80},
                          {"s8", 1, 0xffffffffffffff80},
                          {"u16", 2, 0x9180},
                          {"b16", 2, 0x9180},
                          {"s16", 2, 0xffffffffffff9180},
                          {"u32", 4, 0xb3a29180},
                          {"b32", 4, 0xb3a29180},
                          {"f32", 4, 0xb3a29180},
                          {"s32", 4, 0xffffffffb3a29180},
                          {"u64", 8, 0xf7e6d5c4b3a29180},
                          {"b64", 8, 0xf7e6d5c4b3a29180},
                          {"s64", 8, 0xf7e6d5c4b3a29180}};
constexpr uint64_t stored_bytes = 0xf7e6d5c4b3a29180;

const char* const load_names[] = {"ld",           "ld.volatile",  "ld.global",         "ld.global.nc",
                                  "ld.global.ca", "ld.global.cg", "ld.volatile.global"};
const char* const store_names[] = {"st", "st.volatile", "st.global", "st.global.cg", "st.volatile.global"};

std::string form_of(const std::string& name, const Type& type, uint32_t count) {
  return name + (count == 1 ? "" : ".v" + std::to_string(count)) + "." + type.name;
}

// Calls a function with each vector of each type.
template <class Function>
void for_each_vector(const Function& function) {
  for (const Type& type : types) {
    for (const uint32_t count : {1u, 2u, 4u}) {
      if (type.size * count <= 16) function(type, count);
    }
  }
}

const Covers covers_all([] {
  std::string forms;
  for_each_vector([&](const Type& type, uint32_t count) {
    for (const char* name : load_names) forms += form_of(name, type, count) + " ";
    for (const char* name : store_names) forms += form_of(name, type, count) + " ";
    for (const char* name :
         {"ld.shared", "ld.volatile.shared", "ld.local", "ld.param", "st.shared", "st.volatile.shared", "st.local"}) {
      forms += form_of(name, type, count) + " ";
    }
  });
  return forms;
}());

const char* prefix_of(char kind) { return kind == 'h' ? "%h" : kind == 'w' ? "%r" : "%rd"; }

// The registers from 20 on, in braces if there are several.
std::string registers_of(char kind, uint32_t count) {
  std::string list;
  for (uint32_t k = 0; k < count; ++k) list += (k == 0 ? "" : ", ") + (prefix_of(kind) + std::to_string(20 + k));
  return count == 1 ? list : "{" + list + "}";
}

// Stores the registers from 20 on as numbers of 64 bits at %rd3.
std::string store_results(char kind, uint32_t count) {
  std::string text;
  for (uint32_t k = 0; k < count; ++k) {
    const std::string name = prefix_of(kind) + std::to_string(20 + k);
    if (kind != 'd') text += std::string("cvt.u64.") + (kind == 'h' ? "u16" : "u32") + " %rd19, " + name + ";\n";
    text += "st.u64 [%rd3+" + std::to_string(8 * k) + "], " + (kind == 'd' ? name : "%rd19") + ";\n";
  }
  return text;
}

uint32_t size_of(char kind) { return kind == 'h' ? 2 : kind == 'w' ? 4 : 8; }
uint64_t mask_of(uint32_t size) { return size == 8 ? UINT64_MAX : (uint64_t{1} << (8 * size)) - 1; }

// Each thread has 6 numbers of 64 bits in the buffer: 2 to load and 4 for the results. Register %rd2 is the address of
// the former, and %rd3 that of the latter. The bytes of the second number are those of the first, rotated.
constexpr char addresses[] = "mul.wide.u32 %rd2, %r0, 48;\nadd.s64 %rd2, %rd2, %rd0;\nadd.s64 %rd3, %rd2, 16;\n";

void fill(Device& device) {
  for (size_t k = 0; k < device.buffer.size(); k += 6) {
    device.buffer[k] = stored_bytes;
    device.buffer[k + 1] = stored_bytes;
  }
}

// The element of a vector whose bytes begin at an offset into the repeated bytes.
uint64_t element(const Type& type, uint32_t k) {
  const uint32_t shift = type.size * k % 8 * 8;
  const uint64_t bytes = stored_bytes >> shift & mask_of(type.size);
  const bool extends_sign = type.name[0] == 's' && type.size < 8;
  const uint64_t sign = bytes >> (8 * type.size - 1) & 1;
  return extends_sign && sign != 0 ? bytes | ~mask_of(type.size) : bytes;
}

void test_load(const std::string& text, const Type& type, uint32_t count, char kind) {
  SCOPED_TRACE(text);
  for (const uint32_t threads : {32u, 5u}) {
    Device device(6 * threads);
    fill(device);
    device.run(kernel(addresses + text + store_results(kind, count)), threads);
    for (uint32_t n = 0; n < threads; ++n) {
      EXPECT_EQ(device.buffer[6 * n + 2], type.loaded & mask_of(size_of(kind)));
      for (uint32_t k = 1; k < count; ++k) {
        EXPECT_EQ(device.buffer[6 * n + 2 + k], element(type, k) & mask_of(size_of(kind)));
      }
    }
  }
}

TEST(PtxAccess, loads_from_global_memory_extend_to_the_register) {
  for_each_vector([](const Type& type, uint32_t count) {
    for (const char kind : {'h', 'w', 'd'}) {
      if (size_of(kind) < type.size) continue;
      for (const char* name : load_names) {
        test_load(form_of(name, type, count) + " " + registers_of(kind, count) + ", [%rd2];\n", type, count, kind);
      }
    }
  });
}

TEST(PtxAccess, stores_to_global_memory_write_the_low_bytes) {
  for_each_vector([](const Type& type, uint32_t count) {
    for (const char kind : {'h', 'w', 'd'}) {
      if (size_of(kind) < type.size) continue;
      for (const char* name : store_names) {
        std::string text = addresses;
        for (uint32_t k = 0; k < count; ++k) {
          const std::string bits = kind == 'h' ? "u16" : kind == 'w' ? "u32" : "u64";
          text +=
              "mov." + bits + " " + prefix_of(kind) + std::to_string(20 + k) + ", " + std::to_string(100 + k) + ";\n";
        }
        text += form_of(name, type, count) + " [%rd2+16], " + registers_of(kind, count) + ";\n";
        SCOPED_TRACE(text);
        Device device(6 * 32, sentinel);
        device.run(kernel(text), 31);
        for (uint32_t n = 0; n < 32; ++n) {
          unsigned char bytes[32];
          for (uint32_t k = 0; k < 32; ++k) bytes[k] = static_cast<unsigned char>(sentinel >> (k % 8 * 8));
          for (uint32_t k = 0; k < count * type.size && n < 31; ++k) {
            bytes[k] = static_cast<unsigned char>(k % type.size == 0 ? 100 + k / type.size : 0);
          }
          EXPECT_EQ(std::memcmp(&device.buffer[6 * n + 2], bytes, sizeof(bytes)), 0);
        }
      }
    }
  });
}

// Stores to a variable at %rd5, which has room for 16 bytes of each thread, and loads from there.
void test_space(const std::string& space, const std::string& declaration, const std::string& address) {
  for_each_vector([&](const Type& type, uint32_t count) {
    const std::string text = declaration + addresses + address + form_of("ld.global", type, count) + " " +
                             registers_of('d', count) + ", [%rd2];\n" + form_of("st." + space, type, count) + " " +
                             "[%rd5], " + registers_of('d', count) + ";\n";
    test_load(text + form_of("ld." + space, type, count) + " " + registers_of('d', count) + ", [%rd5];\n", type, count,
              'd');
  });
}

TEST(PtxAccess, shared_memory_has_all_types) {
  const std::string address = "mov.u64 %rd5, tile;\nmul.wide.u32 %rd6, %r0, 16;\nadd.s64 %rd5, %rd5, %rd6;\n";
  test_space("shared", ".shared .align 16 .b8 tile[512];\n", address);
  const std::string other = ".volatile.shared";
  test_space(other.substr(1), ".shared .align 16 .b8 tile[512];\n", address);
}

TEST(PtxAccess, local_memory_has_all_types) {
  test_space("local", ".local .align 16 .b8 depot[32];\n", "mov.u64 %rd5, depot;\nadd.s64 %rd5, %rd5, 16;\n");
}

TEST(PtxAccess, parameters_have_all_types) {
  for_each_vector([](const Type& type, uint32_t count) {
    const ptx::Module module(std::string(header) + ".entry k(.param .u64 buffer, .param .align 16 .b8 bytes[16])\n{\n" +
                             ".reg .b64 %rd<50>;\nld.param.u64 %rd3, [buffer];\n" + form_of("ld.param", type, count) +
                             " " + registers_of('d', count) + ", [bytes];\n" + store_results('d', count) + "}\n");
    Device device(4);
    const uint64_t parameters[4] = {reinterpret_cast<uint64_t>(device.buffer.data()), 0, stored_bytes, stored_bytes};
    device.launch.kernel = module.find("k");
    device.launch.parameters = parameters;
    ptx::Checker checker(device.space, device.operation, false);
    ptx::run(device.launch, checker);
    EXPECT_EQ(device.buffer[0], type.loaded) << form_of("ld.param", type, count);
    for (uint32_t k = 1; k < count; ++k) EXPECT_EQ(device.buffer[k], element(type, k));
  });
}

TEST(PtxAccess, generic_addresses_reach_every_space) {
  Device device(32 * 4);
  device.run(kernel(".shared .align 8 .b8 tile[256];\n.local .align 8 .b8 depot[16];\n"
                    "mul.wide.u32 %rd2, %r0, 8;\nmov.u64 %rd3, tile;\nadd.s64 %rd3, %rd3, %rd2;\n"
                    "cvta.shared.u64 %rd3, %rd3;\nmov.u64 %rd4, depot;\ncvta.local.u64 %rd4, %rd4;\n"
                    "mov.b64 %rd5, buffer;\ncvta.param.u64 %rd5, %rd5;\nld.u64 %rd5, [%rd5];\n"
                    "mul.wide.u32 %rd6, %r0, 32;\nadd.s64 %rd5, %rd5, %rd6;\n"
                    "st.u32 [%rd3], %r0;\nst.u32 [%rd3+4], 7;\nst.u64 [%rd4+8], %rd2;\nld.u64 %rd7, [%rd3];\n"
                    // Odd lanes access shared memory, and even ones local memory, with one instruction.
                    "and.b32 %r2, %r0, 1;\nsetp.eq.s32 %p1, %r2, 0;\nselp.b64 %rd8, %rd4, %rd3, %p1;\n"
                    "st.u64 [%rd8], 99;\nld.u64 %rd9, [%rd8];\nld.shared.u32 %r3, [tile];\ncvt.u64.u32 %rd10, %r3;\n"
                    "ld.u64 %rd11, [%rd4+8];\n"
                    "st.u64 [%rd5], %rd7;\nst.u64 [%rd5+8], %rd9;\nst.u64 [%rd5+16], %rd10;\nst.u64 [%rd5+24], %rd11;"),
             32);
  for (uint32_t n = 0; n < 32; ++n) {
    EXPECT_EQ(device.buffer[4 * n], (uint64_t{7} << 32) + n);
    EXPECT_EQ(device.buffer[4 * n + 1], 99u);
    EXPECT_EQ(device.buffer[4 * n + 2], 0u);
    EXPECT_EQ(device.buffer[4 * n + 3], 8u * n);
  }
}

TEST(PtxAccess, the_last_store_in_the_order_of_the_lanes_stays) {
  for (const ptx::Order order : orders) {
    Device device(1);
    device.launch.order = order;
    device.launch.seed = 5;
    device.run(kernel("st.global.u32 [%rd0], %r0;"), 32);
    if (order == ptx::Order::forward) {
      EXPECT_EQ(device.buffer[0], 31u);
    }
    if (order == ptx::Order::backward) {
      EXPECT_EQ(device.buffer[0], 0u);
    }
    if (order == ptx::Order::permuted) {
      EXPECT_NE(device.buffer[0], 31u);
    }
  }
}

}  // namespace
}  // namespace ptx_access_test
