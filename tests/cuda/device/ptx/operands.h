// operands.h - parses the operands of an instruction as its form says.
#pragma once

#include <string_view>

#include "cuda/device/ptx/forms.h"
#include "cuda/device/ptx/registers.h"
#include "cuda/device/ptx/symbols.h"
#include "cuda/device/ptx/tokens.h"

namespace ptx {

class OperandParser {
 public:
  OperandParser(Tokens& tokens, Symbols& symbols) : tokens_(tokens), symbols_(symbols) {}

  // Returns the form of an instruction whose name was the last token. Takes braces and the kinds of registers into
  // account, which the name of the form does not have in the text.
  const Form& choose_form(std::string_view name);
  // Parses the operands up to the semicolon. Returns the label that the instruction names, if any.
  std::string_view parse(const Form& form, Draft& draft);
  // Parses the name of a predicate.
  uint32_t parse_predicate();

 private:
  void parse_operand(char letter, Draft& draft);
  void parse_list(bool writes, Draft& draft);
  void parse_address(Draft& draft);
  uint32_t parse_register(char letter, bool writes);
  uint32_t parse_source(char letter);
  uint64_t parse_immediate(char kind);
  void add(Draft& draft, uint32_t number, bool writes);
  bool fits(char kind, char letter) const;

  Tokens& tokens_;
  Symbols& symbols_;
  const Form* form_ = nullptr;
};

}  // namespace ptx
