// module.cpp - the parsing of a text outside of kernels. The bodies of kernels are skipped, and parsed when a kernel is
// asked for the first time.
#include <map>
#include <mutex>

#include "cuda/device/ptx/body.h"
#include "cuda/device/ptx/interpreter.h"
#include "cuda/device/ptx/tokens.h"

namespace ptx {

struct Module::Parsed {
  struct Entry {
    Body body;
    Kernel kernel;
  };

  explicit Parsed(const std::string& whole) : text(whole), tokens(text) {}

  void parse();
  void parse_version();
  void parse_target();
  void parse_directive(std::string_view directive);
  void parse_shared(bool is_extern);
  void parse_entry();
  void parse_parameters(Entry& entry);
  void parse_limits(Entry& entry);
  void skip_function();

  const std::string text;
  Tokens tokens;
  uint32_t version_major = 0, version_minor = 0, target = 0;
  std::vector<SharedVariable> shared_variables;
  std::map<std::string, Entry, std::less<>> entries;
  std::mutex parsing;
};

void Module::Parsed::parse() {
  parse_version();
  while (!tokens.at_end()) {
    if (tokens.peek()[0] != '.') tokens.fail("found " + tokens.shown() + ", want a directive");
    parse_directive(tokens.next());
  }
  if (target == 0) tokens.fail("there is no .target");
}

void Module::Parsed::parse_version() {
  if (tokens.peek() != ".version") tokens.fail("the text does not begin with .version, it is no PTX");
  tokens.next();
  const std::string_view version = tokens.peek();
  const size_t dot = version.find('.');
  uint64_t major = 0, minor = 0;
  if (dot == std::string_view::npos || !read_integer(version.substr(0, dot), major) ||
      !read_integer(version.substr(dot + 1), minor)) {
    tokens.fail("the version '" + std::string(version) + "' is none");
  }
  tokens.next();
  version_major = static_cast<uint32_t>(major);
  version_minor = static_cast<uint32_t>(minor);
}

void Module::Parsed::parse_target() {
  const std::string_view name = tokens.peek();
  const size_t digits = name.find_first_of("0123456789");
  uint64_t number = 0;
  const bool is_known = name.substr(0, 3) == "sm_" || name.substr(0, 8) == "compute_";
  const size_t end = digits == std::string_view::npos ? 0 : name.find_first_not_of("0123456789", digits);
  if (!is_known || digits == std::string_view::npos || !read_integer(name.substr(digits, end - digits), number)) {
    tokens.fail("the target '" + std::string(name) + "' is not known");
  }
  target = static_cast<uint32_t>(number);
  tokens.next();
  while (tokens.take(",")) tokens.next();
}

void Module::Parsed::parse_directive(std::string_view directive) {
  if (directive == ".visible" || directive == ".weak") return;
  if (directive == ".target") return parse_target();
  if (directive == ".entry") return parse_entry();
  if (directive == ".func") return skip_function();
  if (directive == ".shared") return parse_shared(false);
  if (directive == ".extern") {
    if (tokens.take(".func")) return skip_function();
    tokens.expect(".shared");
    return parse_shared(true);
  }
  if (directive == ".address_size") {
    if (tokens.integer() != 64) tokens.fail_last("addresses have to have 64 bits");
  } else if (directive == ".file" || directive == ".loc") {
    tokens.skip_line();
  } else if (directive == ".section") {
    tokens.next();
    tokens.skip_braces();
  } else if (directive == ".pragma") {
    tokens.next();
    tokens.expect(";");
  } else if (directive == ".global" || directive == ".const") {
    tokens.fail_last("variables in the space '" + std::string(directive) + "' are not supported");
  } else {
    tokens.fail_last("the directive '" + std::string(directive) + "' is not known");
  }
}

void Module::Parsed::parse_shared(bool is_extern) {
  shared_variables.push_back({parse_variable(tokens), is_extern});
  tokens.expect(";");
}

// Functions are skipped; a kernel that calls one cannot be used.
void Module::Parsed::skip_function() {
  while (!tokens.at_end() && tokens.peek() != ";" && tokens.peek() != "{") tokens.next();
  if (tokens.at_end()) tokens.fail("a function does not end");
  if (!tokens.take(";")) tokens.skip_braces();
}

void Module::Parsed::parse_entry() {
  if (!is_word(tokens.peek())) tokens.fail("found " + tokens.shown() + ", want the name of a kernel");
  const std::string name(tokens.next());
  Entry& entry = entries[name];
  if (!entry.body.name.empty()) tokens.fail_last("the kernel '" + name + "' is there twice");
  entry.body.name = entry.kernel.info.name = name;
  entry.body.shared_variables = &shared_variables;
  if (tokens.take("(")) parse_parameters(entry);
  parse_limits(entry);
  if (tokens.peek() != "{") tokens.expect("{");
  entry.body.line = tokens.line();
  entry.body.text = tokens.skip_braces();
}

void Module::Parsed::parse_parameters(Entry& entry) {
  KernelInfo& info = entry.kernel.info;
  if (tokens.take(")")) return;
  do {
    tokens.expect(".param");
    const Variable variable = parse_variable(tokens);
    const uint32_t offset = align(info.parameter_size, variable.alignment);
    info.parameters.emplace_back(offset, variable.size);
    info.parameter_size = offset + variable.size;
    entry.body.parameters.emplace_back(variable.name, offset);
  } while (tokens.take(","));
  tokens.expect(")");
  entry.body.parameter_size = info.parameter_size;
}

void Module::Parsed::parse_limits(Entry& entry) {
  while (!tokens.at_end() && tokens.peek()[0] == '.') {
    const std::string_view directive = tokens.next();
    if (directive == ".pragma") {
      tokens.next();
      tokens.expect(";");
      continue;
    }
    const bool limits_threads = directive == ".maxntid" || directive == ".reqntid";
    if (!limits_threads && directive != ".minnctapersm" && directive != ".maxnreg" && directive != ".maxnctapersm") {
      tokens.fail_last("the directive '" + std::string(directive) + "' of a kernel is not known");
    }
    int64_t product = tokens.integer();
    while (tokens.take(",")) product *= tokens.integer();
    if (limits_threads) entry.kernel.info.max_threads = static_cast<uint32_t>(product);
  }
}

Module::Module(const std::string& text) : parsed_(std::make_unique<Parsed>(text)) { parsed_->parse(); }

Module::~Module() = default;

const Kernel* Module::find(const std::string& name) const {
  const auto found = parsed_->entries.find(name);
  if (found == parsed_->entries.end()) return nullptr;
  Kernel& kernel = found->second.kernel;
  const std::lock_guard<std::mutex> lock(parsed_->parsing);
  if (kernel.code == nullptr) {
    kernel.code = parse_body(found->second.body);
    kernel.info.local_size = kernel.code->local_size;
    kernel.info.static_shared_size = kernel.code->static_shared_size;
  }
  return &kernel;
}

uint32_t Module::version_major() const { return parsed_->version_major; }
uint32_t Module::version_minor() const { return parsed_->version_minor; }
uint32_t Module::target() const { return parsed_->target; }

}  // namespace ptx
