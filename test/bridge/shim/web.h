// WebRequest over a real socket, plain HTTP. Only from timers, since anything else would hold ticks up.
#pragma once
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <chrono>
#include "terminal.h"

#ifdef __MQL4__
constexpr int NOT_ALLOWED = 4060;
#else
constexpr int NOT_ALLOWED = 4014;
#endif
constexpr int INVALID_ADDRESS = 5200;
constexpr int CONNECT_FAILED = 5201;
constexpr int TIMEOUT = 5202;
constexpr int REQUEST_FAILED = 5203;
constexpr int LONGEST_TIMEOUT_MS = 5000;

// What the script sets: addresses that are allowed, and milliseconds that stand for any timeout.
inline std::vector<std::string> allowedUrls;
inline int patienceMs = 0;

struct Web {
  int file = -1;
  std::chrono::steady_clock::time_point until;

  ~Web() {
    if (file >= 0) close(file);
  }

  void within(int ms) { until = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms); }

  // False when the time is over.
  bool await(short what) const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    pollfd waiting{file, what, 0};
    return left.count() > 0 && poll(&waiting, 1, static_cast<int>(left.count())) > 0;
  }

  int connectTo(const std::string &host, const std::string &port) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo *found = nullptr;
    if (getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) return CONNECT_FAILED;
    file = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int failed = connect(file, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    const int yes = 1;
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return failed == 0 ? 0 : CONNECT_FAILED;
  }

  int sendAll(const std::string &bytes) const {
    for (size_t sent = 0; sent < bytes.size();) {
      if (!await(POLLOUT)) return TIMEOUT;
      const ssize_t count = send(file, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return REQUEST_FAILED;
      sent += static_cast<size_t>(count);
    }
    return 0;
  }

  // Until the other side closes: the request asked for that.
  int receiveAll(std::string &bytes) const {
    char part[16384];
    for (;;) {
      if (!await(POLLIN)) return TIMEOUT;
      const ssize_t count = recv(file, part, sizeof part, 0);
      if (count == 0) return bytes.find("\r\n\r\n") == std::string::npos ? REQUEST_FAILED : 0;
      if (count < 0) return REQUEST_FAILED;
      bytes.append(part, static_cast<size_t>(count));
    }
  }
};

inline bool isAllowed(const std::string &url) {
  for (const std::string &allowed : allowedUrls)
    if (url.rfind(allowed, 0) == 0) return true;
  return false;
}

inline int exchange(const std::string &url, const std::string &rest, int timeoutMs, int answerMs,
                    std::string &all) {
  const size_t path = url.find('/', 7);
  const size_t colon = url.find(':', 7);
  if (url.rfind("http://", 0) != 0 || path == std::string::npos || colon > path)
    return INVALID_ADDRESS;
  const std::string host = url.substr(7, colon - 7);
  const std::string port = url.substr(colon + 1, path - colon - 1);
  Web web;
  web.within(timeoutMs);
  int failed = web.connectTo(host, port);
  if (failed == 0)
    failed = web.sendAll("POST " + url.substr(path) + " HTTP/1.0\r\nHost: " + host +
                         "\r\nConnection: close\r\n" + rest);
  if (failed != 0) return failed;
  web.within(answerMs);
  return web.receiveAll(all);
}

// The status of the answer; -1 and an error in GetLastError when there is none.
inline int WebRequest(const string &method, const string &url, const string &headers, int timeoutMs,
                      const List<char> &data, List<char> &result, string &resultHeaders) {
  if (!terminal.isInTimer) criticalError("WebRequest outside of OnTimer");
  if (method != "POST" || timeoutMs > LONGEST_TIMEOUT_MS) criticalError("WebRequest takes too long");
  result.items.clear();
  resultHeaders = "";
  const std::string address = url.utf8();
  if (!isAllowed(address)) {
    terminal.lastError = NOT_ALLOWED;
    return -1;
  }
  const std::string body(data.items.begin(), data.items.end());
  if (body.find('\0') != std::string::npos) criticalError("a zero is sent");
  const std::string rest =
      headers.utf8() + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  std::string all;
  const int failed = exchange(address, rest, timeoutMs, patienceMs > 0 ? patienceMs : timeoutMs, all);
  if (failed != 0) {
    terminal.lastError = failed;
    return -1;
  }
  const size_t end = all.find("\r\n\r\n");
  resultHeaders = all.substr(0, end + 2).c_str();
  result.items.assign(all.begin() + static_cast<long>(end) + 4, all.end());
  return std::atoi(all.substr(9, 3).c_str());
}
