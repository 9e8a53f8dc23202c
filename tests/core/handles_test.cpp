// handles_test.cpp - the handle table by itself: kinds, generations, devices and their objects, many threads.
