// Preloaded: a disk that refuses to keep what was written, for as long as a file exists.
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

static bool refuses() {
  const char *file = getenv("PLIMSOLL_TEST_REFUSES_WHILE");
  return file != nullptr && access(file, F_OK) == 0;
}

static int synchronise(const char *name, int descriptor) {
  if (refuses()) {
    errno = EIO;
    return -1;
  }
  return reinterpret_cast<int (*)(int)>(dlsym(RTLD_NEXT, name))(descriptor);
}

extern "C" int fsync(int descriptor) { return synchronise("fsync", descriptor); }
extern "C" int fdatasync(int descriptor) { return synchronise("fdatasync", descriptor); }
