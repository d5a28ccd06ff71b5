// Functions on texts and numbers.
#pragma once
#include <cmath>
#include <ctime>
#include "language.h"

constexpr int TIME_DATE = 1;
constexpr int TIME_MINUTES = 2;
constexpr int TIME_SECONDS = 4;

inline int StringLen(const string &text) { return static_cast<int>(text.text.size()); }

inline ushort StringGetCharacter(const string &text, int at) {
  return at < 0 || at >= StringLen(text) ? ushort{0} : static_cast<ushort>(text.text[at]);
}

inline string ShortToString(ushort c) { return string(std::u16string(1, c)); }

inline int StringFind(const string &text, const string &what, int from = 0) {
  const size_t at = text.text.find(what.text, static_cast<size_t>(from));
  return at == std::u16string::npos ? -1 : static_cast<int>(at);
}

// In MQL4 a length of 0 has always meant all that follows.
#ifdef __MQL4__
inline bool isWhole(int length) { return length <= 0; }
#else
inline bool isWhole(int length) { return length < 0; }
#endif

inline string StringSubstr(const string &text, int from, int length = -1) {
  if (from < 0 || from > StringLen(text)) return "";
  const size_t count = isWhole(length) ? std::u16string::npos : static_cast<size_t>(length);
  return string(text.text.substr(static_cast<size_t>(from), count));
}

inline int StringReplace(string &text, const string &what, const string &with) {
  int count = 0;
  for (size_t at = 0; (at = text.text.find(what.text, at)) != std::u16string::npos; count++) {
    text.text.replace(at, what.text.size(), with.text);
    at += with.text.size();
  }
  return count;
}

inline bool StringToLower(string &text) {
  for (char16_t &c : text.text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char16_t>(c + 32);
  return true;
}

// Refuses what a terminal might read in another way than this.
inline double StringToDouble(const string &text) {
  const std::string digits = text.utf8();
  char *end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  if (digits.empty() || *end != 0) criticalError("StringToDouble of something else than a number");
  return value;
}

inline string padded(const std::string &digits, int length, ushort fill) {
  string text(digits.c_str());
  while (StringLen(text) < length) text.text.insert(0, 1, fill);
  return text;
}
inline string IntegerToString(long number, int length = 0, ushort fill = ' ') {
  return padded(std::to_string(number), length, fill);
}

inline string DoubleToString(double value, int digits) {
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

inline string TimeToString(datetime time, int flags) {
  char text[40];
  std::tm parts{};
  gmtime_r(&time, &parts);
  if (flags != (TIME_DATE | TIME_SECONDS)) criticalError("TimeToString of other flags");
  std::strftime(text, sizeof text, "%Y.%m.%d %H:%M:%S", &parts);
  return text;
}

inline double MathAbs(double value) { return std::fabs(value); }
inline double MathPow(double base, double exponent) { return std::pow(base, exponent); }
inline bool MathIsValidNumber(double value) { return std::isfinite(value); }

// With the whole text its terminating zero is copied, too.
inline int StringToCharArray(const string &text, List<char> &list, int start, int count, uint page) {
  if (start != 0 || count != WHOLE_ARRAY || page != CP_UTF8)
    criticalError("StringToCharArray in another way");
  const std::string bytes = text.utf8();
  list.items.assign(bytes.begin(), bytes.end());
  list.items.push_back(0);
  return ArraySize(list);
}

inline string CharArrayToString(const List<char> &list, int start, int count, uint page) {
  if (start != 0 || count != WHOLE_ARRAY || page != CP_UTF8)
    criticalError("CharArrayToString in another way");
  return std::string(list.items.begin(), list.items.end()).c_str();
}
