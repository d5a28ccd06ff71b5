// The language of the terminals as far as the Expert Advisors use it: types, texts and lists.
// Semantics are those of the public MQL4 and MQL5 references. Only tests use this.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using datetime = long;

// What ends an Expert Advisor in a terminal ends the test.
[[noreturn]] inline void criticalError(const char *what) {
  std::fprintf(stderr, "critical error: %s\n", what);
  std::exit(70);
}

// UTF-16 like the terminals' own. One that was never assigned is NULL, which differs from "".
class string {
 public:
  string() : isNull(true) {}
  string(const char *utf8) : isNull(false) {
    for (const uchar *at = reinterpret_cast<const uchar *>(utf8); *at != 0;) addCodePoint(at);
  }
  explicit string(std::u16string units) : text(std::move(units)), isNull(false) {}

  string &operator+=(const string &other) {
    text += other.text;
    isNull = false;
    return *this;
  }

  std::string utf8() const {
    std::string out;
    for (size_t i = 0; i < text.size(); i++) {
      uint code = text[i];
      const bool isPair = code >= 0xd800 && code < 0xdc00 && i + 1 < text.size();
      if (isPair) code = 0x10000 + ((code - 0xd800) << 10) + (text[++i] - 0xdc00);
      if (code < 0x80) out += static_cast<char>(code);
      else if (code < 0x800) out += {lead(0xc0, code >> 6), next(code)};
      else if (code < 0x10000) out += {lead(0xe0, code >> 12), next(code >> 6), next(code)};
      else out += {lead(0xf0, code >> 18), next(code >> 12), next(code >> 6), next(code)};
    }
    return out;
  }

  std::u16string text;
  bool isNull;

 private:
  static char lead(uint mark, uint bits) { return static_cast<char>(mark | bits); }
  static char next(uint code) { return static_cast<char>(0x80 | (code & 0x3f)); }

  void addCodePoint(const uchar *&at) {
    const int more = *at < 0x80 ? 0 : *at < 0xe0 ? 1 : *at < 0xf0 ? 2 : 3;
    uint code = more == 0 ? *at : *at & (0x3f >> more);
    at++;
    for (int i = 0; i < more; i++) code = (code << 6) | (*at++ & 0x3f);
    if (code < 0x10000) {
      text += static_cast<char16_t>(code);
    } else {
      text += static_cast<char16_t>(0xd800 + ((code - 0x10000) >> 10));
      text += static_cast<char16_t>(0xdc00 + ((code - 0x10000) & 0x3ff));
    }
  }
};

inline string operator+(string left, const string &right) { return left += right; }
inline bool operator==(const string &left, const string &right) {
  return left.isNull == right.isNull && left.text == right.text;
}
inline bool operator!=(const string &left, const string &right) { return !(left == right); }

// A list that grows: `type name[]` in the terminals' language.
template <typename T>
class List {
 public:
  List() = default;
  List(const List &) = delete;
  List &operator=(const List &) = delete;

  T &operator[](long index) {
    if (index < 0 || static_cast<size_t>(index) >= items.size()) criticalError("array out of range");
    return items[static_cast<size_t>(index)];
  }

  std::vector<T> items;
};

#define LIST_OF(type, name) List<type> name
#define input

constexpr int WHOLE_ARRAY = -1;
constexpr uint CP_UTF8 = 65001;

template <typename T>
int ArraySize(const List<T> &list) {
  return static_cast<int>(list.items.size());
}

template <typename T>
int ArrayResize(List<T> &list, int size, int reserve = 0) {
  if (static_cast<size_t>(size) > list.items.capacity())
    list.items.reserve(static_cast<size_t>(size) + static_cast<size_t>(reserve));
  list.items.resize(static_cast<size_t>(size));
  return size;
}

template <typename T>
bool ArraySort(List<T> &list) {
  std::sort(list.items.begin(), list.items.end());
  return true;
}
