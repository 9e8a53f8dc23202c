// structs_test.cpp - defaults of the public structs, and that nothing beyond a caller's size is touched.
