/* A wrong clock: added to what the system says, and jumping to and fro where asked to.
 *
 * CLOCK_OFFSET_S: seconds added.  CLOCK_JUMP_S: seconds that every eighth look at the clock is off
 * by, forwards and backwards in turn.  Only the time of day is wrong, as on a real machine. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long long from_environment(const char *name) {
    const char *value = getenv(name);
    return value ? atoll(value) : 0;
}

static long long off(void) {
    static atomic_long looks;
    static long long offset, jump;
    static int is_read;
    if (!is_read) {
        offset = from_environment("CLOCK_OFFSET_S");
        jump = from_environment("CLOCK_JUMP_S");
        is_read = 1;
    }
    long look = atomic_fetch_add(&looks, 1) / 8 % 4;
    return offset + (look == 1 ? jump : look == 3 ? -jump : 0);
}

int clock_gettime(clockid_t id, struct timespec *at) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int done = real(id, at);
    if (done == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) at->tv_sec += off();
    return done;
}

int gettimeofday(struct timeval *at, void *zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
