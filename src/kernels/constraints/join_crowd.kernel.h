// join_crowd.kernel.h - brings what crowd.kernel.h needs of a cloth into the crowd's head, records and values.

// Copies what the lane of a cloth needs from the records of the cloth: in every iteration, since some cloths may have
// fewer iterations than others, and longer ones. The argument is the first word of the crowd, plus the lane.
KERNEL(join_crowd) {
  int place = ARGUMENT & 15;
  int crowd = ARGUMENT - place;
  int phase_count = int(GROUP_SETTING(i, phase_count));
  STORE_TABLE_INT(crowd + place, int(GROUP_SETTING(i, first_particle)));
  STORE_TABLE_INT(crowd + int(crowd_running) + place, int(GROUP(i).step.running));
  for (int k = 0; k < phase_count; ++k) {
    int own = int(GROUP_SETTING(i, constraint_records)) + k * int(constraint_words);
    int record = crowd + int(crowd_head_words) + k * int(crowd_phase_words);
    int values = record + int(constraint_words);
    for (int value = 0; value < int(crowd_value_count); ++value)
      STORE_TABLE_INT(values + 16 * value + place, TABLE_INT(own + int(constraint_rate) + value));
    if (place != 0) continue;
    for (int word = int(constraint_particles); word <= int(constraint_rings); ++word)
      STORE_TABLE_INT(record + word, TABLE_INT(own + word));
    STORE_TABLE_INT(record + int(crowd_values), values);
    STORE_TABLE_INT(record + int(crowd_slots), crowd + int(crowd_head_words) + phase_count * int(crowd_phase_words));
    STORE_TABLE_INT(record + int(crowd_head), crowd);
  }
}
