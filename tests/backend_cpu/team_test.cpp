// team_test.cpp - runs of schedules by any number of workers: each work as often as it should, no pass too early.
