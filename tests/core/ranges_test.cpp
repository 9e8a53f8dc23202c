// ranges_test.cpp - RangeAllocator against a bitmap, under random calls.
