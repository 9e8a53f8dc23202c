// planted_text.cpp - see planted_text.h.
#include "cuda/device/driver/planted_text.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace clothc::cuda_device {
namespace {

using Lines = std::vector<std::string>;

// An instruction with its operands, as far as it has no guard. Others have no operation.
struct Instruction {
  std::string operation;
  std::vector<std::string> operands;
};

Instruction read_instruction(const std::string& line) {
  std::istringstream words(line);
  Instruction read;
  words >> read.operation;
  if (read.operation.empty() || read.operation[0] == '@') return {};
  for (std::string word; words >> word;) {
    if (const size_t end = word.find_last_not_of(",;"); end != std::string::npos)
      read.operands.push_back(word.substr(0, end + 1));
  }
  return read;
}

bool is_any_of(const std::string& word, std::initializer_list<const char*> choices) {
  return std::find(choices.begin(), choices.end(), word) != choices.end();
}

// The names of registers in a text.
std::vector<std::string> registers_of(const std::string& text) {
  std::vector<std::string> registers;
  for (size_t begin = text.find('%'); begin != std::string::npos; begin = text.find('%', begin + 1)) {
    const size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_", begin + 1);
    registers.push_back(text.substr(begin, end - begin));
  }
  return registers;
}

// The registers that a line may write: all up to the first comma outside of braces.
std::vector<std::string> written_by(const std::string& line) {
  const size_t from = std::min(line.find('}'), line.size());
  const size_t first = line.find('{') < line.find(',') ? from : 0;
  return registers_of(line.substr(0, line.find(',', first)));
}

struct Product {
  std::string left, right;
};

class Contraction {
 public:
  explicit Contraction(const Lines& lines) {
    for (const std::string& line : lines) {
      for (const std::string& name : registers_of(line)) ++uses_[name];
    }
  }

  // Returns the line, or what takes its place.
  std::string next(const std::string& line) {
    const Instruction read = read_instruction(line);
    if (!line.empty() && line.back() == ':') products_.clear();
    std::string made = line;
    if (is_any_of(read.operation, {"add.f32", "add.rn.f32"})) {
      for (const size_t place : {1, 2}) {
        const auto found = products_.find(read.operands[place]);
        if (found == products_.end()) continue;
        made = "fma.rn.f32 " + read.operands[0] + ", " + found->second.left + ", " + found->second.right + ", " +
               read.operands[3 - place] + ";";
        break;
      }
    }
    for (const std::string& name : written_by(line)) forget(name);
    // One use is the definition.
    if (is_any_of(read.operation, {"mul.f32", "mul.rn.f32"}) && uses_[read.operands[0]] == 2)
      products_[read.operands[0]] = {read.operands[1], read.operands[2]};
    return made;
  }

 private:
  // A product whose factor changes cannot be computed later.
  void forget(const std::string& name) {
    for (auto product = products_.begin(); product != products_.end();) {
      const bool is_lost = product->first == name || product->second.left == name || product->second.right == name;
      product = is_lost ? products_.erase(product) : std::next(product);
    }
  }

  std::map<std::string, int> uses_;
  // By the registers that have them, in the piece of code that is read.
  std::map<std::string, Product> products_;
};

void contract(Lines& lines) {
  Contraction contraction(lines);
  for (std::string& line : lines) line = contraction.next(line);
}

// Quotients that are zero, denormal, infinite or NaN, or would become infinite, stay.
void divide_up(Lines& lines) {
  for (std::string& line : lines) {
    const size_t begin = line.find("div.rn.f32 ");
    if (begin == std::string::npos) continue;
    const std::string quotient = written_by(line.substr(begin)).front();
    line += "\n{\n.reg .pred %planted_p;\n.reg .b32 %planted_bits, %planted_above;\nmov.b32 %planted_bits, " +
            quotient +
            ";\nand.b32 %planted_above, %planted_bits, 2147483647;\n"
            "sub.s32 %planted_above, %planted_above, 8388608;\nsetp.lt.u32 %planted_p, %planted_above, 2130706431;\n"
            "@%planted_p add.s32 %planted_bits, %planted_bits, 1;\nmov.b32 " +
            quotient + ", %planted_bits;\n}";
  }
}

void drop_barriers(Lines& lines) {
  const auto waits = [](const std::string& line) {
    return is_any_of(read_instruction(line).operation, {"bar.sync", "barrier.sync"});
  };
  lines.erase(std::remove_if(lines.begin(), lines.end(), waits), lines.end());
}

void plant(Lines& lines, TextFault fault) {
  switch (fault) {
    case TextFault::contract:
      return contract(lines);
    case TextFault::divide_up:
      return divide_up(lines);
    case TextFault::no_barriers:
      return drop_barriers(lines);
  }
}

}  // namespace

std::string with_faults(const std::string& text, const std::vector<PlantedFault>& faults) {
  std::string made = text;
  for (const PlantedFault& planted : faults) {
    const size_t entry = made.find(".entry " + planted.kernel + "(");
    const size_t begin = made.find("\n{\n", entry);
    const size_t end = made.find("\n}\n", begin);
    if (entry == std::string::npos || end == std::string::npos) continue;
    std::istringstream body(made.substr(begin + 3, end - begin - 3));
    Lines lines;
    for (std::string line; std::getline(body, line);) lines.push_back(line);
    plant(lines, planted.fault);
    std::string changed;
    for (const std::string& line : lines) changed += line + "\n";
    made.replace(begin + 3, end - begin - 2, changed);
  }
  return made;
}

}  // namespace clothc::cuda_device
