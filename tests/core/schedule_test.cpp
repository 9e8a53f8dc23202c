// schedule_test.cpp - the list of works of a cloth, and the schedules made of such lists.
