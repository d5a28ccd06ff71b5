// Reads what happens in the terminal from standard input, a command a line: its name and fields
// `name=value`, values in percent encoding. Included after the Expert Advisor.
//   input PlimsollUrl=… AuthToken=…     inputs of the Expert Advisor
//   allow url=…                         puts an address into the list of allowed ones
//   symbol name=… digits=… contract=…
//   state balance=… nextBalance=… equity=… login=… connected=… digits=… tick=… count=… patience=… full=…
//   book …                              adds a row to the history, see bookRow
//   unbook                              takes the last row of the history out
//   init, timer, deinit                 calls the Expert Advisor; answers `done RESULT`
#pragma once

using Fields = std::map<std::string, std::string>;

inline std::string decoded(const std::string &text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i++) {
    const bool isEncoded = text[i] == '%';
    out += isEncoded ? static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16)) : text[i];
    if (isEncoded) i += 2;
  }
  return out;
}

inline Fields fieldsOf(std::istringstream &line) {
  Fields fields;
  for (std::string field; line >> field;) {
    const size_t equals = field.find('=');
    fields[field.substr(0, equals)] = decoded(field.substr(equals + 1));
  }
  return fields;
}

inline std::string textIn(const Fields &fields, const char *name) {
  const auto field = fields.find(name);
  return field == fields.end() ? "" : field->second;
}
inline long numberIn(const Fields &fields, const char *name) {
  return std::atol(textIn(fields, name).c_str());
}
inline double amountIn(const Fields &fields, const char *name) {
  return std::atof(textIn(fields, name).c_str());
}

#ifdef __MQL4__
inline void bookRow(const Fields &f) {
  const auto number = [&](const char *name) { return numberIn(f, name); };
  const auto amount = [&](const char *name) { return amountIn(f, name); };
  history.push_back({static_cast<int>(number("ticket")), static_cast<int>(number("type")),
                     number("openTime"), number("closeTime"), amount("lots"), amount("openPrice"),
                     amount("closePrice"), amount("profit"), amount("swap"), amount("commission"),
                     textIn(f, "symbol"), textIn(f, "comment")});
}
#else
inline void bookRow(const Fields &f) {
  const auto number = [&](const char *name) { return numberIn(f, name); };
  const auto amount = [&](const char *name) { return amountIn(f, name); };
  history.push_back({static_cast<ulong>(number("ticket")), number("type"), number("entry"),
                     number("timeMs"), number("position"), amount("profit"), amount("swap"),
                     amount("commission"), amount("fee"), amount("volume"), amount("price"),
                     textIn(f, "symbol"), textIn(f, "comment")});
}
#endif

inline void setState(const Fields &fields) {
  const std::map<std::string, std::function<void(const char *)>> setters = {
      {"balance", [](const char *value) { terminal.balance = std::atof(value); }},
      {"nextBalance", [](const char *value) { terminal.nextBalance = std::atof(value); }},
      {"equity", [](const char *value) { terminal.equity = std::atof(value); }},
      {"login", [](const char *value) { terminal.login = std::atol(value); }},
      {"connected", [](const char *value) { terminal.isConnected = std::atol(value); }},
      {"digits", [](const char *value) { terminal.currencyDigits = std::atol(value); }},
      {"tick", [](const char *value) { terminal.lastTick = std::atol(value); }},
      {"count", [](const char *value) { terminal.tickCount = static_cast<uint>(std::atol(value)); }},
      {"patience", [](const char *value) { patienceMs = std::atoi(value); }},
      {"full", [](const char *value) { isDiskFull = std::atoi(value) != 0; }},
  };
  for (const auto &[name, value] : fields) setters.at(name)(value.c_str());
}

inline void setInputs(const Fields &fields) {
  for (const auto &[name, value] : fields) {
    if (name == "PlimsollUrl") PlimsollUrl = value.c_str();
    else if (name == "AuthToken") AuthToken = value.c_str();
    else if (name == "AccountId") AccountId = value.c_str();
    else if (name == "Login") Login = std::atol(value.c_str());
    else if (name == "EverySeconds") EverySeconds = std::atoi(value.c_str());
    else criticalError("an input that is not known");
  }
}

inline void done(int result) {
  std::printf("done %d\n", result);
  std::fflush(stdout);
}

inline void callTimer() {
  terminal.isInTimer = true;
  OnTimer();
  terminal.isInTimer = false;
  done(0);
}

inline void obey(const std::string &command, const Fields &fields) {
  if (command == "input") setInputs(fields);
  else if (command == "allow") allowedUrls.push_back(textIn(fields, "url"));
  else if (command == "symbol")
    terminal.symbols[textIn(fields, "name")] = {numberIn(fields, "digits"),
                                                amountIn(fields, "contract")};
  else if (command == "state") setState(fields);
  else if (command == "book") bookRow(fields);
  else if (command == "unbook") history.pop_back();
  else if (command == "init") done(OnInit());
  else if (command == "timer") callTimer();
  else if (command == "deinit") {
    OnDeinit(0);
    done(0);
  } else criticalError("a command that is not known");
}

int main(int count, char **arguments) {
  if (count != 2) criticalError("give the folder of the sandbox");
  sandbox = arguments[1];
  readGlobals();
  for (std::string text; std::getline(std::cin, text);) {
    std::istringstream line(text);
    std::string command;
    line >> command;
    obey(command, fieldsOf(line));
  }
  return 0;
}
