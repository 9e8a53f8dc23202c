// rows.h - tables of instructions with the values of their operands and the result that the manual demands. A row is
// executed with registers and with immediate values, by all lanes of a warp and by some.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cuda/device/ptx/forms.h"
#include "cuda/device/ptx/testing/texts.h"

namespace ptx::testing {

struct TableRow {
  // One or more forms, with spaces between.
  std::string forms;
  // The values of what is read, in the order of the text.
  std::vector<uint64_t> operands;
  uint64_t expected;
};

inline std::vector<std::string> split_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// The forms that tests execute.
inline std::set<std::string>& covered_forms() {
  static std::set<std::string> forms;
  return forms;
}

// Says before the tests begin that they cover forms.
struct Covers {
  explicit Covers(const std::string& forms) {
    for (const std::string& form : split_words(forms)) covered_forms().insert(form);
  }
  explicit Covers(const std::vector<TableRow>& rows) {
    for (const TableRow& row : rows) Covers{row.forms};
  }
};

constexpr uint64_t sentinel = 0x1234567890abcdefu;

// Writes the instruction of a form and what is around it. Operands that are no immediate values are in the buffer: 4
// numbers for each thread; then the guards and the results follow.
class RowText {
 public:
  explicit RowText(const Form& form) : form_(form) {}

  std::string with_registers(const std::string& guard) const { return text({}, guard); }
  std::string with_immediates(const std::vector<uint64_t>& values, const std::string& guard) const {
    return text(values, guard);
  }

 private:
  // The last type in the name of a form is that of what is read.
  bool reads_floats() const {
    const std::string& name = form_.name;
    return name.size() > 4 && name.compare(name.size() - 4, 4, ".f32") == 0;
  }
  static char kind(char letter) { return static_cast<char>(std::tolower(letter == 'n' ? 'h' : letter)); }
  static std::string name(char letter, size_t k) {
    const char of = kind(letter);
    return (of == 'p' ? "%p" : of == 'h' ? "%h" : of == 'd' ? "%rd" : "%r") + std::to_string(10 + k);
  }
  static std::string load(char letter, size_t k, const std::string& address) {
    const std::string to = name(letter, k);
    if (kind(letter) == 'p') return "ld.u32 %r9, " + address + ";\nsetp.ne.s32 " + to + ", %r9, 0;\n";
    return std::string(kind(letter) == 'h'   ? "ld.u16 "
                       : kind(letter) == 'd' ? "ld.u64 "
                                             : "ld.u32 ") +
           to + ", " + address + ";\n";
  }
  // Returns a value as texts of the compiler have it: the bits of single precision, or a whole number.
  std::string immediate(char letter, uint64_t value) const {
    if (kind(letter) == 'p') return value != 0 ? "-1" : "0";
    if (reads_floats() && kind(letter) == 'w') {
      std::ostringstream bits;
      bits << "0f" << std::hex << std::uppercase << std::setw(8) << std::setfill('0') << value;
      return bits.str();
    }
    const int64_t number = kind(letter) == 'h' ? static_cast<int16_t>(value) : static_cast<int64_t>(value);
    return std::to_string(number);
  }

  std::string text(const std::vector<uint64_t>& values, const std::string& guard) const {
    // Names of forms that differ only in the kinds of registers have an ending that the text does not have.
    const std::string ending = ".wide";
    std::string shown = form_.name;
    const bool is_wide =
        shown.size() > 5 && shown.compare(0, 3, "cvt") == 0 && shown.substr(shown.size() - 5) == ending;
    if (is_wide) shown.resize(shown.size() - 5);
    const bool is_pack = shown.size() > 5 && shown.substr(shown.size() - 5) == ".pack";
    if (is_pack) shown.resize(shown.size() - 5);

    const std::string& letters = form_.operands;
    std::string body = "mul.wide.u32 %rd2, %r0, 48;\nadd.s64 %rd2, %rd2, %rd0;\n";
    body += "ld.u32 %r8, [%rd2+32];\nsetp.ne.s32 %p0, %r8, 0;\n" + load(letters[0], 0, "[%rd2+40]");
    std::string instruction = guard + shown + " " + name(letters[0], 0);
    for (size_t k = 1; k < letters.size(); ++k) {
      if (values.empty()) body += load(letters[k], k, "[%rd2+" + std::to_string((k - 1) * 8) + "]");
      instruction += is_pack && k == 1 ? ", {" : ", ";
      instruction += values.empty() ? name(letters[k], k) : immediate(letters[k], values[k - 1]);
    }
    body += instruction + (is_pack ? "};\n" : ";\n");
    const std::string result = name(letters[0], 0);
    if (kind(letters[0]) == 'p')
      body += "selp.b64 %rd9, 1, 0, " + result + ";\n";
    else if (kind(letters[0]) == 'd')
      body += "mov.b64 %rd9, " + result + ";\n";
    else
      body += std::string(kind(letters[0]) == 'h' ? "cvt.u64.u16" : "cvt.u64.u32") + " %rd9, " + result + ";\n";
    return kernel(body + "st.u64 [%rd2+40], %rd9;\nret;");
  }

  const Form& form_;
};

// Executes rows of one form, at most as many as a warp has lanes: thread n has row n modulo their number. Each row is
// executed by the handler for all lanes, by that for some and by that for few.
class RowRunner {
 public:
  RowRunner(const Form& form, std::vector<TableRow> rows) : form_(form), rows_(std::move(rows)), text_(form) {}

  void run() {
    run_registers(32, all_lanes, "");
    for (const uint32_t threads : {33u, 20u, 3u, 1u}) run_registers(threads, all_lanes, "");
    for (const uint32_t mask : {all_lanes, 0x5a5a5a5au, 0xffff0000u, 0x80000001u, 0x00000100u, 0u}) {
      run_registers(32, mask, "@%p0 ");
      run_registers(32, ~mask, "@!%p0 ");
    }
    if (form_.name.compare(0, 4, "cvt.") == 0 && form_.name.find(".wide") != std::string::npos) return;
    for (const TableRow& row : rows_) {
      run_immediates(row, 32, "");
      run_immediates(row, 3, "@!%p0 ");
    }
  }

 private:
  void run_registers(uint32_t threads, uint32_t mask, const std::string& guard) {
    const uint32_t guards = guard == "@!%p0 " ? ~mask : mask;
    Device device(6 * threads);
    for (uint32_t n = 0; n < threads; ++n) {
      const TableRow& row = rows_[n % rows_.size()];
      std::copy(row.operands.begin(), row.operands.end(), device.buffer.begin() + 6 * n);
      device.buffer[6 * n + 4] = guards >> (n % 32) & 1;
      device.buffer[6 * n + 5] = sentinel;
    }
    device.run(text_.with_registers(guard), threads);
    for (uint32_t n = 0; n < threads; ++n) check(device, n, rows_[n % rows_.size()], (mask >> (n % 32) & 1) != 0);
  }

  void run_immediates(const TableRow& row, uint32_t threads, const std::string& guard) {
    Device device(6 * threads);
    for (uint32_t n = 0; n < threads; ++n) device.buffer[6 * n + 5] = sentinel;
    // What the text of a value says has to fit into the operand.
    std::vector<uint64_t> values = row.operands;
    device.run(text_.with_immediates(values, guard), threads);
    for (uint32_t n = 0; n < threads; ++n) check(device, n, row, true);
  }

  void check(const Device& device, uint32_t thread, const TableRow& row, bool is_active) const {
    const char letter = form_.operands[0];
    const uint64_t kept = letter == 'P'   ? 1
                          : letter == 'H' ? sentinel & 0xffff
                          : letter == 'W' ? sentinel & UINT32_MAX
                                          : sentinel;
    const uint64_t expected = is_active ? row.expected : kept;
    const uint64_t result = device.buffer[6 * thread + 5];
    if (result == expected) return;
    std::ostringstream operands;
    for (const uint64_t operand : row.operands) operands << " 0x" << std::hex << operand;
    ADD_FAILURE() << form_.name << operands.str() << " gives 0x" << std::hex << result << ", want 0x" << expected
                  << (is_active ? "" : " as before") << std::dec << ", thread " << thread;
  }

  const Form& form_;
  const std::vector<TableRow> rows_;
  const RowText text_;
};

inline void run_rows(const std::vector<TableRow>& rows) {
  std::map<std::string, std::vector<TableRow>> by_form;
  for (const TableRow& row : rows) {
    for (const std::string& form : split_words(row.forms)) by_form[form].push_back(row);
  }
  for (const auto& [name, rows_of_form] : by_form) {
    const Form* const form = FormTable::get().find(name);
    ASSERT_NE(form, nullptr) << name;
    SCOPED_TRACE(name);
    for (size_t k = 0; k < rows_of_form.size(); k += 32) {
      const auto first = rows_of_form.begin() + static_cast<ptrdiff_t>(k);
      const auto count = static_cast<ptrdiff_t>(std::min<size_t>(rows_of_form.size() - k, 32));
      RowRunner(*form, std::vector<TableRow>(first, first + count)).run();
    }
  }
}

}  // namespace ptx::testing
