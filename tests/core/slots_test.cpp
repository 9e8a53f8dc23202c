// slots_test.cpp - ids of Slots: generations, retirement, capacity.
