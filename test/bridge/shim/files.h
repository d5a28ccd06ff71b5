// Files of the terminal's sandbox: a folder. A file that is open is closed to everybody else.
#pragma once
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <map>
#include "text.h"

constexpr int INVALID_HANDLE = -1;
constexpr int FILE_READ = 1;
constexpr int FILE_WRITE = 2;
constexpr int FILE_BIN = 4;
constexpr int FILE_ANSI = 32;
constexpr int FILE_REWRITE = 512;

// What the script sets: where the files are, and whether the disk takes any.
inline std::string sandbox;
inline bool isDiskFull = false;

inline std::string pathOf(const string &name) {
  if (name.text.find('/') != std::u16string::npos) criticalError("a file outside of the sandbox");
  return sandbox + "/" + name.utf8();
}

inline int FileOpen(const string &name, int flags) {
  if ((flags & FILE_BIN) == 0) criticalError("only binary files are known here");
  const bool isRead = (flags & FILE_READ) != 0;
  const bool isWrite = (flags & FILE_WRITE) != 0;
  const int access = isWrite ? O_RDWR | O_CREAT : O_RDONLY;
  const int file = open(pathOf(name).c_str(), access | O_CLOEXEC, 0600);
  if (file < 0) return INVALID_HANDLE;
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    close(file);
    return INVALID_HANDLE;
  }
  if (isWrite && !isRead && ftruncate(file, 0) != 0) criticalError("ftruncate");
  return file;
}

inline void FileClose(int file) { close(file); }

inline ulong FileSize(int file) {
  struct stat status{};
  if (fstat(file, &status) != 0) criticalError("FileSize of no file");
  return static_cast<ulong>(status.st_size);
}

inline bool FileSeek(int file, long offset, int origin) {
  return lseek(file, offset, origin) >= 0;
}

inline bool FileIsEnding(int file) {
  return static_cast<ulong>(lseek(file, 0, SEEK_CUR)) >= FileSize(file);
}

inline uint FileWriteString(int file, const string &text, int length) {
  const std::string bytes = text.utf8();
  if (static_cast<int>(bytes.size()) != length) criticalError("text of a file is not ASCII");
  if (isDiskFull) return 0;
  const ssize_t written = write(file, bytes.data(), bytes.size());
  return written < 0 ? 0 : static_cast<uint>(written);
}

inline string FileReadString(int file, int length) {
  std::string bytes(static_cast<size_t>(length), '\0');
  const ssize_t count = read(file, bytes.data(), bytes.size());
  bytes.resize(count < 0 ? 0 : static_cast<size_t>(count));
  return bytes.c_str();
}

inline bool FileIsExist(const string &name) { return access(pathOf(name).c_str(), F_OK) == 0; }
inline bool FileDelete(const string &name) { return unlink(pathOf(name).c_str()) == 0; }

inline bool FileMove(const string &from, int, const string &to, int flags) {
  if ((flags & FILE_REWRITE) == 0 && FileIsExist(to)) return false;
  return rename(pathOf(from).c_str(), pathOf(to).c_str()) == 0;
}
