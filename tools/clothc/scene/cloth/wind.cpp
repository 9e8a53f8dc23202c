// wind.cpp - wind that is the same everywhere: a velocity or keyframes of it, plus gusts, which are waves in time.
#include "scene/cloth/wind.h"

#include "scene/frames/keyframes.h"
#include "scene/frames/wave.h"

namespace clothc_tool {

SceneWind read_wind(const SceneField& field) {
  field.only({"velocity", "keyframes", "gusts"});
  if (field.has("velocity") && field.has("keyframes")) field.fail("want velocity or keyframes, not both");
  SceneWind wind;
  if (const auto keys = field.find("keyframes")) {
    wind.velocity = read_keyframes<Vector3>(*keys, {"frame", "velocity"},
                                            [](const SceneField& key) { return key.member("velocity").vector(); });
  } else {
    wind.velocity = {{0, field.vector("velocity", {})}};
  }
  const auto gusts = field.find("gusts");
  if (!gusts) return wind;
  for (const SceneField& gust : gusts->elements()) {
    gust.only({"velocity", "frequency", "phase"});
    wind.gusts.push_back({gust.member("velocity").vector(), gust.member("frequency").number(0, 1000),
                          gust.number("phase", -1000, 1000, 0)});
  }
  return wind;
}

Vector3 wind_at(const SceneWind& wind, uint32_t frame, float dt) {
  Vector3 velocity = value_at(wind.velocity, static_cast<float>(frame));
  const double time = frame * static_cast<double>(dt);
  for (const Gust& gust : wind.gusts)
    velocity += gust.velocity * wave(static_cast<double>(gust.frequency) * time + static_cast<double>(gust.phase));
  return velocity;
}

}  // namespace clothc_tool
