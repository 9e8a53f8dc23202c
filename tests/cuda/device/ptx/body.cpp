// body.cpp - the parsing of a kernel's body into instructions with rows.
#include "cuda/device/ptx/body.h"

#include <algorithm>
#include <utility>

#include "cuda/device/ptx/interpreter.h"
#include "cuda/device/ptx/operands.h"

namespace ptx {
namespace {

class BodyParser {
 public:
  explicit BodyParser(const Body& body)
      : body_(body), code_(std::make_shared<Code>()), tokens_(body.text, body.line), operands_(tokens_, symbols_) {}

  std::shared_ptr<const Code> parse() {
    code_->name = body_.name;
    code_->parameter_size = body_.parameter_size;
    for (const auto& [name, address] : body_.parameters) symbols_.add_variable(name, address);
    place_shared_variables();
    while (!tokens_.at_end()) parse_statement();
    add_end();
    resolve_labels();
    finish();
    return code_;
  }

 private:
  struct Jump {
    size_t draft;
    std::string_view label;
    uint32_t scope;
    uint32_t line;
  };

  // Places the shared variables that the body names. The dynamic ones, which all have the same address, come last.
  void place_shared_variables() {
    Tokens tokens(body_.text, body_.line);
    std::vector<const SharedVariable*> dynamic;
    while (!tokens.at_end()) {
      const std::string_view token = tokens.next();
      if (token == ".shared") {
        place_shared(parse_variable(tokens));
        continue;
      }
      for (const SharedVariable& shared : *body_.shared_variables) {
        if (shared.variable.name != token || symbols_.find_variable(token)) continue;
        if (!shared.is_dynamic)
          place_shared(shared.variable);
        else if (std::find(dynamic.begin(), dynamic.end(), &shared) == dynamic.end())
          dynamic.push_back(&shared);
      }
    }
    for (const SharedVariable* const shared : dynamic) {
      code_->static_shared_size = align(code_->static_shared_size, shared->variable.alignment);
    }
    for (const SharedVariable* const shared : dynamic) {
      symbols_.add_variable(shared->variable.name, code_->static_shared_size);
    }
  }

  void place_shared(const Variable& variable) {
    const uint32_t address = align(code_->static_shared_size, variable.alignment);
    code_->static_shared_size = address + variable.size;
    symbols_.add_variable(variable.name, address);
  }

  void parse_statement() {
    const std::string_view token = tokens_.peek();
    if (tokens_.take("{")) return symbols_.open_scope();
    if (tokens_.take(";")) return;
    if (token == "}") {
      if (!symbols_.close_scope()) tokens_.fail("a brace is closed that is not open");
      tokens_.next();
      return;
    }
    if (token[0] == '.') return parse_directive();
    if (token[0] == '@') return parse_instruction();
    if (!is_word(token)) tokens_.fail("found " + tokens_.shown() + ", want an instruction");
    Tokens ahead = tokens_;
    ahead.next();
    if (ahead.peek() != ":") return parse_instruction();
    if (!symbols_.add_label(token, static_cast<uint32_t>(drafts_.size()))) {
      tokens_.fail("the label '" + std::string(token) + "' is there twice");
    }
    tokens_.next();
    tokens_.next();
  }

  void parse_directive() {
    const std::string_view directive = tokens_.next();
    if (directive == ".reg") {
      for (const RegisterRange& range : parse_registers(tokens_)) symbols_.add_registers(range);
    } else if (directive == ".local") {
      const Variable variable = parse_variable(tokens_);
      tokens_.expect(";");
      // The memory of each lane follows that of the one before it.
      const uint32_t address = align(code_->local_size, variable.alignment);
      code_->local_size = align(address + variable.size, 16);
      symbols_.add_variable(variable.name, address);
    } else if (directive == ".shared") {
      // It is placed already.
      parse_variable(tokens_);
      tokens_.expect(";");
    } else if (directive == ".loc" || directive == ".file") {
      tokens_.skip_line();
    } else if (directive == ".pragma") {
      tokens_.next();
      tokens_.expect(";");
    } else if (directive == ".param") {
      tokens_.fail_last("calls of functions are not supported");
    } else {
      tokens_.fail_last("the directive '" + std::string(directive) + "' is not known in a kernel");
    }
  }

  void parse_instruction() {
    Draft draft;
    const uint32_t line = tokens_.line();
    if (tokens_.take("@")) {
      draft.instruction.guard_is_negated = tokens_.take("!");
      draft.instruction.guard = static_cast<int32_t>(operands_.parse_predicate());
    }
    const Form& form = operands_.choose_form(tokens_.peek().empty() ? "" : tokens_.next());
    const std::string_view label = operands_.parse(form, draft);
    if (form.flow == Flow::branch) jumps_.push_back({drafts_.size(), label, symbols_.scope(), line});
    if (form.flow == Flow::barrier) code_->has_barriers = true;
    if (draft.has_address) draft.instruction.cache = access_count_++;
    drafts_.push_back(std::move(draft));
    code_->lines.push_back(line);
  }

  // The end of the body is the end of the thread.
  void add_end() {
    const Form* const form = FormTable::get().find("ret");
    Draft draft;
    draft.instruction.form = form;
    draft.instruction.flow = form->flow;
    drafts_.push_back(draft);
    code_->lines.push_back(tokens_.line());
  }

  void resolve_labels() {
    for (const Jump& jump : jumps_) {
      const auto target = symbols_.find_label(jump.label, jump.scope);
      if (!target) {
        throw ParseError("line " + std::to_string(jump.line) + ": there is no label '" + std::string(jump.label) + "'");
      }
      drafts_[jump.draft].instruction.target = *target;
    }
  }

  void finish() {
    const uint32_t true_predicate = symbols_.constant('p', 1);
    const RowCounts counts = allocate_rows(symbols_.registers, drafts_);
    code_->row_count = counts.rows;
    code_->predicate_count = counts.predicates;
    code_->true_predicate = symbols_.registers[true_predicate].row;
    for (const auto& [constant, number] : symbols_.constants) {
      if (constant.first == 'p') continue;
      code_->constants.push_back({symbols_.registers[number].row, constant.first == 'd', constant.second});
    }
    for (const auto& [special, number] : symbols_.specials) {
      code_->specials.push_back({symbols_.registers[number].row, special});
    }
    code_->instructions.reserve(drafts_.size());
    for (const Draft& draft : drafts_) code_->instructions.push_back(draft.instruction);
  }

  const Body& body_;
  std::shared_ptr<Code> code_;
  Symbols symbols_;
  Tokens tokens_;
  OperandParser operands_;
  std::vector<Draft> drafts_;
  std::vector<Jump> jumps_;
  uint8_t access_count_ = 0;
};

}  // namespace

std::shared_ptr<const Code> parse_body(const Body& body) { return BodyParser(body).parse(); }

}  // namespace ptx
