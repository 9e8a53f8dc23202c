// tokens.h - splits a text into words, numbers and signs, and leaves out comments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ptx {

// A word with letters, digits, '_', '$', '%' and '.', a string in quotes, or a single sign. Empty at the end.
class Tokens {
 public:
  explicit Tokens(std::string_view text, uint32_t line = 1) : text_(text), line_(line) { advance(); }

  std::string_view peek() const { return token_; }
  std::string_view next();
  // Takes the next token if it is the one.
  bool take(std::string_view token);
  // Takes the next token, which has to be the one.
  void expect(std::string_view token);
  bool at_end() const { return token_.empty(); }
  // The line of the next token.
  uint32_t line() const { return token_line_; }

  // Takes a whole number, which may be negative or hexadecimal.
  int64_t integer();
  // Skips the rest of the line of the last token that was taken.
  void skip_line();
  // Skips from an opening brace, which is the next token, to behind the brace that closes it. Returns what is between.
  std::string_view skip_braces();

  // The next token in quotes, or that there is none, for messages.
  std::string shown() const;
  // Throws ParseError with the line of the next token, or of the last that was taken.
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_last(const std::string& what) const;

 private:
  void advance();
  void skip_space();
  void skip_comment();

  std::string_view text_;
  // Where the text behind the next token begins, and its line.
  size_t position_ = 0;
  uint32_t line_;
  std::string_view token_;
  uint32_t token_line_ = 1;
  // The lines on which the last token that was taken began and ended.
  uint32_t taken_begin_ = 1, taken_line_ = 0;
};

// Whether a token is a word.
bool is_word(std::string_view token);
// Reads a whole number. Returns false if the token is none.
bool read_integer(std::string_view token, uint64_t& value);

}  // namespace ptx
