// forms.cpp - the table of all forms of instructions.
#include "cuda/device/ptx/forms.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ptx {

FormTable::FormTable() {
  add_float_forms(*this);
  add_integer_forms(*this);
  add_bit_forms(*this);
  add_comparison_forms(*this);
  add_conversion_forms(*this);
  add_move_forms(*this);
  add_access_forms(*this);
  add_atomic_forms(*this);
  add_exchange_forms(*this);
  add_flow_forms(*this);
}

const FormTable& FormTable::get() {
  // Never destroyed, because threads of streams may run kernels until the process ends.
  static const FormTable* const table = new FormTable;
  return *table;
}

const Form* FormTable::find(std::string_view name) const {
  const auto found = forms_.find(std::string(name));
  return found == forms_.end() ? nullptr : &found->second;
}

std::vector<std::string> FormTable::names() const {
  std::vector<std::string> names;
  names.reserve(forms_.size());
  for (const auto& form : forms_) names.push_back(form.first);
  std::sort(names.begin(), names.end());
  return names;
}

void FormTable::add(Form form) {
  std::string name = form.name;
  [[maybe_unused]] const bool is_new = forms_.emplace(std::move(name), std::move(form)).second;
  assert(is_new);
}

}  // namespace ptx
