// tokens.cpp - the splitting of a text.
#include "cuda/device/ptx/tokens.h"

#include <algorithm>
#include <charconv>

#include "cuda/device/ptx/interpreter.h"

namespace ptx {
namespace {

bool is_word_sign(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '%' || c == '.';
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

}  // namespace

std::string_view Tokens::next() {
  const std::string_view token = token_;
  taken_begin_ = token_line_;
  taken_line_ = line_;
  advance();
  return token;
}

bool Tokens::take(std::string_view token) {
  if (token_ != token) return false;
  next();
  return true;
}

void Tokens::expect(std::string_view token) {
  if (take(token)) return;
  fail("found " + shown() + ", want '" + std::string(token) + "'");
}

std::string Tokens::shown() const { return at_end() ? "the end of the text" : "'" + std::string(token_) + "'"; }

int64_t Tokens::integer() {
  const bool is_negative = take("-");
  uint64_t value = 0;
  if (!read_integer(peek(), value)) fail("found " + shown() + ", want a whole number");
  next();
  return static_cast<int64_t>(is_negative ? 0 - value : value);
}

void Tokens::skip_line() {
  while (!at_end() && token_line_ == taken_line_) advance();
}

std::string_view Tokens::skip_braces() {
  if (token_ != "{") expect("{");
  const size_t begin = position_;
  uint32_t depth = 1;
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '/') {
      skip_comment();
      continue;
    }
    ++position_;
    if (c == '\n') ++line_;
    if (c == '"') position_ = std::min(text_.find('"', position_), text_.size() - 1) + 1;
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) break;
  }
  if (depth != 0) fail("a brace is not closed");
  const size_t end = position_ - 1;
  taken_line_ = line_;
  advance();
  return text_.substr(begin, end - begin);
}

void Tokens::fail(const std::string& what) const {
  throw ParseError("line " + std::to_string(token_line_) + ": " + what);
}

void Tokens::fail_last(const std::string& what) const {
  throw ParseError("line " + std::to_string(taken_begin_) + ": " + what);
}

void Tokens::advance() {
  skip_space();
  token_line_ = line_;
  const size_t begin = position_;
  if (begin >= text_.size()) {
    token_ = {};
    return;
  }
  if (text_[begin] == '"') {
    position_ = std::min(text_.find('"', begin + 1), text_.size() - 1) + 1;
  } else if (is_word_sign(text_[begin])) {
    while (position_ < text_.size() && is_word_sign(text_[position_])) ++position_;
  } else {
    ++position_;
  }
  token_ = text_.substr(begin, position_ - begin);
}

void Tokens::skip_space() {
  while (position_ < text_.size()) {
    const size_t begin = position_;
    const char c = text_[position_];
    if (is_space(c)) {
      if (c == '\n') ++line_;
      ++position_;
    } else if (c == '/') {
      skip_comment();
      if (position_ != begin + 1) continue;
      // A slash is no comment, but a token.
      position_ = begin;
      return;
    } else {
      return;
    }
  }
}

// Skips a comment, or a slash that begins none.
void Tokens::skip_comment() {
  const std::string_view rest = text_.substr(position_);
  size_t end = position_ + 1;
  if (rest.substr(0, 2) == "//") end = std::min(text_.find('\n', position_), text_.size());
  if (rest.substr(0, 2) == "/*") end = std::min(text_.find("*/", position_ + 2), text_.size() - 2) + 2;
  line_ += static_cast<uint32_t>(
      std::count(text_.begin() + static_cast<ptrdiff_t>(position_), text_.begin() + static_cast<ptrdiff_t>(end), '\n'));
  position_ = end;
}

bool is_word(std::string_view token) { return !token.empty() && is_word_sign(token.front()); }

bool read_integer(std::string_view token, uint64_t& value) {
  const bool is_hexadecimal = token.size() > 2 && token[0] == '0' && (token[1] == 'x' || token[1] == 'X');
  if (is_hexadecimal) token.remove_prefix(2);
  if (!token.empty() && token.back() == 'U') token.remove_suffix(1);
  const auto read = std::from_chars(token.data(), token.data() + token.size(), value, is_hexadecimal ? 16 : 10);
  return read.ec == std::errc() && read.ptr == token.data() + token.size();
}

}  // namespace ptx
