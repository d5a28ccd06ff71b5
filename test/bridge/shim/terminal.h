// The terminal around an Expert Advisor: account, clocks, symbols, global variables, its log.
// The script (script.h) sets all of it.
#pragma once
#include <cstring>
#include "files.h"

constexpr int INIT_SUCCEEDED = 0;
constexpr int INIT_FAILED = 1;
constexpr int INIT_PARAMETERS_INCORRECT = 2;

enum AccountNumber { ACCOUNT_LOGIN, ACCOUNT_CURRENCY_DIGITS };
enum AccountAmount { ACCOUNT_BALANCE, ACCOUNT_EQUITY };
enum TerminalProperty { TERMINAL_CONNECTED };
enum SymbolNumber { SYMBOL_DIGITS };
enum SymbolAmount { SYMBOL_TRADE_CONTRACT_SIZE };

struct Symbol {
  long digits;
  double contractSize;
};

struct Terminal {
  long login = 0;
  long currencyDigits = 2;
  double balance = 0;
  double equity = 0;
  // The balance once the equity is read: it changes while the Expert Advisor is at work.
  double nextBalance = NAN;
  long isConnected = 1;
  datetime lastTick = 0;
  uint tickCount = 0;
  int lastError = 0;
  bool isInTimer = false;
  std::map<std::string, Symbol> symbols;
  std::map<std::string, double> globals;
};
inline Terminal terminal;

inline datetime TimeCurrent() { return terminal.lastTick; }
inline uint GetTickCount() { return terminal.tickCount; }
inline int GetLastError() { return terminal.lastError; }
inline void ResetLastError() { terminal.lastError = 0; }
inline bool EventSetTimer(int seconds) { return seconds > 0; }
inline void EventKillTimer() {}

inline long AccountInfoInteger(AccountNumber property) {
  return property == ACCOUNT_LOGIN ? terminal.login : terminal.currencyDigits;
}
inline double AccountInfoDouble(AccountAmount property) {
  if (property == ACCOUNT_BALANCE) return terminal.balance;
  if (!std::isnan(terminal.nextBalance)) {
    terminal.equity += terminal.nextBalance - terminal.balance;
    terminal.balance = terminal.nextBalance;
    terminal.nextBalance = NAN;
  }
  return terminal.equity;
}
inline long TerminalInfoInteger(TerminalProperty) { return terminal.isConnected; }

inline bool SymbolInfoInteger(const string &name, SymbolNumber, long &value) {
  const auto symbol = terminal.symbols.find(name.utf8());
  if (symbol == terminal.symbols.end()) return false;
  value = symbol->second.digits;
  return true;
}
inline bool SymbolInfoDouble(const string &name, SymbolAmount, double &value) {
  const auto symbol = terminal.symbols.find(name.utf8());
  if (symbol == terminal.symbols.end()) return false;
  value = symbol->second.contractSize;
  return true;
}

// Terminals keep global variables through restarts. Names may have 63 characters.
inline std::string globalsPath() { return sandbox + "/global-variables"; }

inline void readGlobals() {
  std::FILE *file = std::fopen(globalsPath().c_str(), "r");
  if (file == nullptr) return;
  char name[64];
  double value = 0;
  while (std::fscanf(file, "%63s %lf", name, &value) == 2) terminal.globals[name] = value;
  std::fclose(file);
}
inline bool GlobalVariableCheck(const string &name) {
  return terminal.globals.count(name.utf8()) > 0;
}
inline double GlobalVariableGet(const string &name) { return terminal.globals[name.utf8()]; }
inline void GlobalVariableSet(const string &name, double value) {
  if (StringLen(name) > 63) criticalError("the name of a global variable is too long");
  terminal.globals[name.utf8()] = value;
}
inline void GlobalVariablesFlush() {
  std::FILE *file = std::fopen(globalsPath().c_str(), "w");
  if (file == nullptr) criticalError("global variables can't be written");
  for (const auto &[name, value] : terminal.globals)
    std::fprintf(file, "%s %.17g\n", name.c_str(), value);
  std::fclose(file);
}

inline string textOf(const string &value) { return value; }
inline string textOf(const char *value) { return value; }
inline string textOf(int value) { return IntegerToString(value); }

// What the script is told, a line each.
inline void tell(const char *kind, const string &text) {
  std::printf("%s %s\n", kind, text.utf8().c_str());
}
template <typename... Values>
void Print(const Values &...values) {
  string line = "";
  ((line += textOf(values)), ...);
  tell("print", line);
}
inline void Comment(const string &text) { tell("comment", text); }
