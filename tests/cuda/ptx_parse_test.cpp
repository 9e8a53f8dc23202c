// What is PTX and what is not, and what messages say.
#include "cuda/device/ptx/testing/texts.h"

namespace ptx_parse_test {
namespace {

using namespace ptx::testing;

// Returns the message about a text, or an empty one if it is fine.
std::string error_of(const std::string& text) {
  try {
    const ptx::Module module(text);
    module.find("k");
  } catch (const ptx::ParseError& error) {
    return error.what();
  }
  return "";
}

// A kernel whose body begins in line 5.
std::string body(const std::string& text) {
  return std::string(header) + ".entry k() {\n.reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>; .reg .pred %p<9>; " +
         ".reg .b16 %h<9>;\n" + text + "\n}\n";
}

void expect_error(const std::string& text, const std::vector<std::string>& parts) {
  const std::string message = error_of(text);
  EXPECT_FALSE(message.empty()) << text;
  for (const std::string& part : parts) EXPECT_TRUE(contains(message, part)) << message << "\nlacks " << part;
}

TEST(PtxParse, text_that_is_no_ptx_is_refused) {
  for (const char* text : {"", "hello", "{}",
                           "\x7f"
                           "ELF",
                           ".target sm_75", "// a comment", ".version", ".version x"}) {
    EXPECT_FALSE(error_of(text).empty()) << text;
  }
  expect_error(".version 6.3\n.address_size 64\n", {"no .target"});
  expect_error(".version 6.3\n.target sm_75\n.address_size 32\n", {"line 3", "64 bits"});
  expect_error(std::string(header) + ".nonsense\n", {"line 4", "'.nonsense' is not known"});
  expect_error(std::string(header) + ".entry k() { ret;\n", {"a brace is not closed"});
}

TEST(PtxParse, versions_and_targets_are_read) {
  const ptx::Module module("// a comment\n/* and\nanother */ .version 8.4\n.target sm_90a, debug\n.address_size 64\n");
  EXPECT_EQ(module.version_major(), 8u);
  EXPECT_EQ(module.version_minor(), 4u);
  EXPECT_EQ(module.target(), 90u);
  EXPECT_EQ(ptx::Module(".version 6.3\n.target compute_75\n").target(), 75u);
}

TEST(PtxParse, unknown_instructions_are_named_with_their_line) {
  expect_error(body("add.s32 %r1, %r1, 1;\nadd.rn.f64 %rd1, %rd1, %rd1;"), {"line 7", "'add.rn.f64'"});
  expect_error(body("add.ftz.f32 %f1, %f1, %f1;"), {"line 6", "'add.ftz.f32' is not known"});
  expect_error(body("ld.global.v8.u32 %r1, [%rd1];"), {"'ld.global.v8.u32'"});
  expect_error(body("{\n.param .b32 argument;\n}"), {"line 7", "calls of functions are not supported"});
  expect_error(body("call.uni function;"), {"calls of functions are not supported"});
}

TEST(PtxParse, operands_have_to_be_those_of_the_form) {
  expect_error(body("add.s32 %r1, %r1;"), {"line 6", "found ';', want ','"});
  expect_error(body("add.s32 %r1, %r1, 1, 2;"), {"behind the operands"});
  expect_error(body("add.s32 %r1, %rd1, 1;"), {"'%rd1' has 64 bits"});
  expect_error(body("add.s32 %r1, %p1, 1;"), {"'%p1' has a predicate"});
  expect_error(body("add.s32 %r1, %r99, 1;"), {"'%r99' is not declared"});
  expect_error(body("add.s32 %r1, unknown, 1;"), {"'unknown' is not declared"});
  expect_error(body("add.s32 5, %r1, 1;"), {"'5' is not declared"});
  expect_error(body("add.s32 %r1, %r1, 4294967296;"), {"4294967296 does not fit"});
  expect_error(body("add.s64 %rd1, %rd1, 0f3F800000;"), {"does not fit"});
  expect_error(body("add.s16 %h1, %h1, 65536;"), {"does not fit"});
  expect_error(body("ld.global.u32 %h1, [%rd1];"), {"'%h1' has 16 bits"});
  expect_error(body("ld.global.u32 %r1, [%p1];"), {"the address has a predicate"});
  expect_error(body("ld.global.u32 %r1, [nowhere];"), {"'nowhere' is not known"});
  expect_error(body("ld.global.v2.u32 %r1, [%rd1];"), {"want 2 registers in braces"});
  expect_error(body("ld.global.v2.u32 {%r1, %rd2}, [%rd1];"), {"registers differ in size"});
  expect_error(body("bra NOWHERE;"), {"line 6", "there is no label 'NOWHERE'"});
  expect_error(body("HERE:\nHERE:\nret;"), {"line 7", "'HERE' is there twice"});
  expect_error(body("@%r1 ret;"), {"'%r1' has 32 bits"});
  expect_error(body("bar.sync 0, 64;"), {"behind the operands"});
  expect_error(body("add.s32 %r1, %r1, 1"), {"found the end of the text"});
  expect_error(body(".reg .f16 %x;\n}}"), {"'}'"});
}

TEST(PtxParse, directives_that_do_not_matter_are_skipped) {
  const std::string text =
      ".version 7.5\n.target sm_75\n.address_size 64\n.file 1 \"kernel.cu\"\n.pragma \"nounroll\";\n"
      ".func (.param .b32 r) other (.param .b64 a) { ret; }\n.extern .func vprintf (.param .b64 f);\n"
      ".visible .entry k(.param .u64 .ptr .global .align 8 a)\n.maxntid 128, 2, 1\n.minnctapersm 2\n{\n"
      ".loc 1 5 3\n.loc 1 6 4, function_name $L, inlined_at 1 2 3\n.pragma \"nounroll\";\n"
      "// }\n/* } */ ret;\n}\n.section .debug_str { .b8 1, 2\n}\n";
  EXPECT_EQ(error_of(text), "");
  const ptx::Module module(text);
  EXPECT_EQ(module.find("k")->info.max_threads, 256u);
  EXPECT_EQ(module.find("other"), nullptr);
}

TEST(PtxParse, variables_of_modules_are_refused) {
  expect_error(std::string(header) + ".global .align 4 .b8 table[16];\n", {"line 4", "'.global' are not supported"});
  expect_error(std::string(header) + ".const .align 4 .b8 table[16];\n", {"'.const' are not supported"});
}

TEST(PtxParse, parameters_have_their_offsets) {
  const ptx::Module module(std::string(header) + ".entry k(.param .u8 a, .param .align 8 .b8 b[12],\n.param .u16 c, " +
                           ".param .f32 d, .param .u64 e)\n.reqntid 64\n{ ret; }\n");
  const ptx::KernelInfo& info = module.find("k")->info;
  const std::vector<std::pair<uint32_t, uint32_t>> expected = {{0, 1}, {8, 12}, {20, 2}, {24, 4}, {32, 8}};
  EXPECT_EQ(info.parameters, expected);
  EXPECT_EQ(info.parameter_size, 40u);
  EXPECT_EQ(info.max_threads, 64u);
}

TEST(PtxParse, shared_variables_that_a_kernel_names_take_room) {
  const std::string before =
      ".shared .align 4 .b8 used[100];\n.shared .align 4 .b8 unused[1000];\n"
      ".extern .shared .align 16 .b8 dynamic[];\n";
  const std::string text = kernel(
      "mov.u64 %rd2, dynamic;\nmov.u64 %rd3, used;\n.shared .align 8 .b8 own[20];\n"
      "mov.u64 %rd4, own;\nst.u64 [%rd0], %rd2;\nst.u64 [%rd0+8], %rd3;\n"
      "st.u64 [%rd0+16], %rd4;\n",
      before);
  Device device(3);
  device.run(text, 1);
  EXPECT_EQ(device.buffer[0], 128u);
  EXPECT_EQ(device.buffer[1], 0u);
  EXPECT_EQ(device.buffer[2], 104u);
  EXPECT_EQ(ptx::Module(text).find("k")->info.static_shared_size, 128u);
}

TEST(PtxParse, braces_have_registers_and_labels_of_their_own) {
  Device device(2);
  device.run(kernel("mov.u32 %r2, 5;\n{\n.reg .b64 %r2;\nmov.u64 %r2, 0x100000000;\nbra NEXT;\ntrap;\nNEXT:\n"
                    "st.u64 [%rd0], %r2;\n}\n{\n.reg .pred %r2;\nbra NEXT;\ntrap;\nNEXT:\nsetp.eq.s32 %r2, 1, 1;\n}\n"
                    "st.u32 [%rd0+8], %r2;\n"),
             1);
  EXPECT_EQ(device.buffer[0], 0x100000000u);
  EXPECT_EQ(device.buffer[1], 5u);
}

TEST(PtxParse, registers_with_many_values_keep_them_apart) {
  // A thousand values that are all needed at the end, and a number of rows beyond 16 bits of bytes.
  std::string text = ".reg .b64 %x<1000>;\nmov.u64 %rd9, 0;\n";
  for (int k = 0; k < 1000; ++k) text += "add.s64 %x" + std::to_string(k) + ", %rd1, " + std::to_string(k) + ";\n";
  for (int k = 0; k < 1000; ++k) text += "xor.b64 %rd9, %rd9, %x" + std::to_string(k) + ";\nadd.s64 %rd9, %rd9, 1;\n";
  Device device(32);
  device.run(kernel(text + "st.global.u64 [%rd1], %rd9;\n"), 32);
  for (uint32_t n = 0; n < 32; ++n) {
    uint64_t expected = 0;
    for (uint64_t k = 0; k < 1000; ++k) expected = (expected ^ (reinterpret_cast<uint64_t>(&device.buffer[n]) + k)) + 1;
    EXPECT_EQ(device.buffer[n], expected);
  }
}

}  // namespace
}  // namespace ptx_parse_test
