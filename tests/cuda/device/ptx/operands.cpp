// operands.cpp - the parsing of operands: registers, immediate values, vectors of registers, and addresses.
#include "cuda/device/ptx/operands.h"

#include <cctype>
#include <charconv>
#include <string>

namespace ptx {
namespace {

struct NamedSpecial {
  std::string_view name;
  Special special;
};

constexpr NamedSpecial special_registers[] = {{"%tid.x", Special::tid_x},
                                              {"%tid.y", Special::tid_y},
                                              {"%tid.z", Special::tid_z},
                                              {"%ntid.x", Special::ntid_x},
                                              {"%ntid.y", Special::ntid_y},
                                              {"%ntid.z", Special::ntid_z},
                                              {"%ctaid.x", Special::ctaid_x},
                                              {"%ctaid.y", Special::ctaid_y},
                                              {"%ctaid.z", Special::ctaid_z},
                                              {"%nctaid.x", Special::nctaid_x},
                                              {"%nctaid.y", Special::nctaid_y},
                                              {"%nctaid.z", Special::nctaid_z},
                                              {"%laneid", Special::laneid},
                                              {"%warpid", Special::warpid},
                                              {"%nwarpid", Special::nwarpid},
                                              {"%lanemask_eq", Special::lanemask_eq},
                                              {"%lanemask_lt", Special::lanemask_lt},
                                              {"%lanemask_le", Special::lanemask_le},
                                              {"%lanemask_gt", Special::lanemask_gt},
                                              {"%lanemask_ge", Special::lanemask_ge}};

constexpr uint32_t warp_size = lane_count;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

uint32_t size_of_kind(char kind) { return kind == 'h' ? 2 : kind == 'w' ? 4 : kind == 'd' ? 8 : 0; }

std::string name_of_kind(char kind) {
  switch (kind) {
    case 'p':
      return "a predicate";
    case 'h':
      return "16 bits";
    case 'd':
      return "64 bits";
    default:
      return "32 bits";
  }
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

// Cuts a value to the size of a register.
uint64_t cut(char kind, uint64_t value) {
  return kind == 'p' ? value != 0 : kind == 'h' ? value & 0xffff : kind == 'w' ? value & UINT32_MAX : value;
}

}  // namespace

const Form& OperandParser::choose_form(std::string_view name) {
  const FormTable& table = FormTable::get();
  std::string chosen(name);
  if (chosen == "call" || chosen.substr(0, 5) == "call.")
    tokens_.fail_last(chosen + ": calls of functions are not supported");
  const bool is_move = chosen == "mov.b64" || chosen == "mov.b32";
  // The tokens are copied to look ahead.
  Tokens ahead = tokens_;
  if (is_move && ahead.peek() == "{") {
    chosen += ".unpack";
  } else if (is_move) {
    ahead.next();
    ahead.take(",");
    if (ahead.peek() == "{") chosen += ".pack";
  }
  if (chosen.substr(0, 4) == "cvt.") {
    ahead.next();
    ahead.take(",");
    const auto number = is_word(ahead.peek()) ? symbols_.find_register(ahead.peek()) : std::nullopt;
    const bool is_wide = number && symbols_.registers[*number].kind == 'd';
    if (is_wide && table.find(chosen + ".wide") != nullptr) chosen += ".wide";
  }
  const Form* const form = table.find(chosen);
  if (form == nullptr) tokens_.fail_last("the instruction " + quoted(name) + " is not known");
  return *form;
}

std::string_view OperandParser::parse(const Form& form, Draft& draft) {
  form_ = &form;
  draft.instruction.form = &form;
  draft.instruction.handlers = form.handlers.data();
  draft.instruction.flow = form.flow;
  std::string_view label;
  const size_t dot = form.name.rfind('.');
  const std::string_view ending = dot == std::string::npos ? "" : std::string_view(form.name).substr(dot);
  // Operands that share braces.
  const size_t in_braces = ending == ".pack" || ending == ".unpack" ? 2 : 0;
  const size_t first = ending == ".pack" ? 1 : 0;
  for (size_t k = 0; k < form.operands.size(); ++k) {
    if (k != 0) tokens_.expect(",");
    if (in_braces != 0 && k == first) tokens_.expect("{");
    if (form.operands[k] == 'l')
      label = tokens_.next();
    else
      parse_operand(form.operands[k], draft);
    if (in_braces != 0 && k == first + 1) tokens_.expect("}");
  }
  if (tokens_.peek() != ";") {
    tokens_.fail(form.name + ": found " + tokens_.shown() + " behind the operands, want ';'");
  }
  tokens_.next();
  if (form.flow == Flow::exchange) draft.instruction.members = static_cast<uint8_t>(draft.writes.size() - 1);
  return label;
}

uint32_t OperandParser::parse_predicate() {
  form_ = nullptr;
  return parse_register('p', true);
}

void OperandParser::parse_operand(char letter, Draft& draft) {
  switch (letter) {
    case 'a':
      return parse_address(draft);
    case 'R':
      return parse_list(true, draft);
    case 'r':
      return parse_list(false, draft);
    case 'Q':
      add(draft, parse_register('w', true), true);
      // Without a predicate, a new one that nothing reads takes its place.
      if (tokens_.take("|")) return add(draft, parse_register('p', true), true);
      symbols_.registers.push_back({'p', false, 0});
      return add(draft, static_cast<uint32_t>(symbols_.registers.size() - 1), true);
    default:
      break;
  }
  const char kind = static_cast<char>(std::tolower(letter));
  if (kind != letter)
    add(draft, parse_register(kind, true), true);
  else
    add(draft, parse_source(kind), false);
}

void OperandParser::parse_list(bool writes, Draft& draft) {
  const uint32_t count = form_->count;
  const bool has_braces = tokens_.peek() == "{";
  if (has_braces != (count > 1)) {
    tokens_.fail(form_->name + ": want " + std::to_string(count) + " registers" + (count > 1 ? " in braces" : ""));
  }
  if (has_braces) tokens_.next();
  for (uint32_t k = 0; k < count; ++k) {
    if (k != 0) tokens_.expect(",");
    const uint32_t number = writes ? parse_register('r', true) : parse_source('r');
    const char kind = symbols_.registers[number].kind;
    // Rows of 32 and of 16 bits are written in different ways, but read in the same way.
    if (k != 0 && kind != draft.instruction.register_kind) tokens_.fail(form_->name + ": registers differ in size");
    draft.instruction.register_kind = kind;
    add(draft, number, writes);
  }
  if (has_braces) tokens_.expect("}");
}

void OperandParser::parse_address(Draft& draft) {
  tokens_.expect("[");
  Instruction& i = draft.instruction;
  const auto number = symbols_.find_register(tokens_.peek());
  if (number) {
    const char kind = symbols_.registers[*number].kind;
    if (kind != 'w' && kind != 'd') tokens_.fail(form_->name + ": the address has " + name_of_kind(kind));
    i.address = *number;
    i.address_is_wide = kind == 'd';
    tokens_.next();
  } else {
    i.address = symbols_.constant('d', 0);
    if (const auto variable = symbols_.find_variable(tokens_.peek())) {
      i.offset = static_cast<int64_t>(*variable);
      tokens_.next();
    } else if (is_word(tokens_.peek()) && is_digit(tokens_.peek()[0])) {
      i.offset = tokens_.integer();
    } else {
      tokens_.fail(form_->name + ": the address " + quoted(tokens_.peek()) + " is not known");
    }
  }
  if (tokens_.take("+"))
    i.offset += tokens_.integer();
  else if (tokens_.peek() == "-")
    i.offset += tokens_.integer();
  tokens_.expect("]");
  draft.has_address = true;
}

// Returns whether a register of a kind may stand where a form has a letter.
bool OperandParser::fits(char kind, char letter) const {
  if (kind == letter) return true;
  if (letter == 'r') return kind != 'p' && size_of_kind(kind) >= form_->size;
  if (letter == 'n') return kind == 'h' || kind == 'w';
  // Conversions read the low bits of registers that are wider.
  return letter == 'h' && kind == 'w' && form_ != nullptr && form_->name.compare(0, 4, "cvt.") == 0;
}

uint32_t OperandParser::parse_register(char letter, bool writes) {
  const std::string_view name = tokens_.peek();
  const std::string where = form_ == nullptr ? "" : form_->name + ": ";
  const auto number = symbols_.find_register(name);
  if (!number) tokens_.fail(where + "the register " + quoted(name) + " is not declared");
  const char kind = symbols_.registers[*number].kind;
  // A conversion's result may not be narrower than the type, and is not extended beyond it here.
  if (writes && letter != 'r' ? kind != letter : !fits(kind, letter)) {
    tokens_.fail(where + "the register " + quoted(name) + " has " + name_of_kind(kind));
  }
  tokens_.next();
  return *number;
}

uint32_t OperandParser::parse_source(char letter) {
  const std::string_view name = tokens_.peek();
  const char kind = letter == 'n' ? 'h' : letter == 'r' ? (form_->size == 8 ? 'd' : 'w') : letter;
  if (name == "-" || (is_word(name) && is_digit(name[0]))) return symbols_.constant(kind, parse_immediate(kind));
  if (kind == 'w' || kind == 'd') {
    for (const NamedSpecial& one : special_registers) {
      if (one.name != name) continue;
      if (kind != 'w') break;
      tokens_.next();
      return symbols_.special(one.special);
    }
    if (name == "WARP_SZ") {
      tokens_.next();
      return symbols_.constant(kind, warp_size);
    }
    if (const auto address = symbols_.find_variable(name)) {
      tokens_.next();
      return symbols_.constant(kind, *address);
    }
  }
  return parse_register(letter, false);
}

// Parses a whole number, or the bits of a number of single precision, such as 0f3F800000.
uint64_t OperandParser::parse_immediate(char kind) {
  const std::string_view token = tokens_.peek();
  if (token.size() == 10 && token[0] == '0' && (token[1] == 'f' || token[1] == 'F')) {
    uint32_t bits = 0;
    const auto read = std::from_chars(token.data() + 2, token.data() + token.size(), bits, 16);
    if (read.ptr != token.data() + token.size() || kind != 'w') {
      tokens_.fail(form_->name + ": the value " + quoted(token) + " does not fit");
    }
    tokens_.next();
    return bits;
  }
  const int64_t value = tokens_.integer();
  const uint32_t size = size_of_kind(kind);
  const bool fits = size == 0 || size == 8 || (value >= -(int64_t{1} << (size * 8 - 1)) && value >> (size * 8) <= 0);
  if (!fits) tokens_.fail(form_->name + ": the value " + std::to_string(value) + " does not fit");
  return cut(kind, static_cast<uint64_t>(value));
}

void OperandParser::add(Draft& draft, uint32_t number, bool writes) {
  if (draft.writes.size() == draft.instruction.operands.size()) tokens_.fail("too many operands");
  draft.instruction.operands[draft.writes.size()] = number;
  draft.writes.push_back(writes);
}

}  // namespace ptx
