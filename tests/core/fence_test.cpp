// fence_test.cpp - fences: promises, waits with and without time-out, waiters in any order, many threads.
