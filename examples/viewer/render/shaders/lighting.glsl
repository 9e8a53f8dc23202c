// lighting.glsl - one sun, a weak light from the other side that shapes the shadows, the sky and the ground. Colours are
// linear.

const vec3 SUN = vec3(1.28, 1.20, 1.08), FILL = vec3(0.10, 0.12, 0.15);
const vec3 SKY_LIGHT = vec3(0.29, 0.33, 0.39), GROUND_LIGHT = vec3(0.17, 0.15, 0.13);
const vec3 HORIZON = vec3(0.68, 0.72, 0.77), ZENITH = vec3(0.24, 0.34, 0.50);

// Part of the light that cloth lets through, its sheen at grazing angles, and the highlight of solids.
const float TRANSLUCENCY = 0.25, SHEEN = 0.35, HIGHLIGHT = 0.16;

vec3 sky(vec3 direction) {
  return view.background.w > 0 ? view.background.rgb : mix(HORIZON, ZENITH, clamp(1.5 * direction.y, 0, 1));
}

// The light that a surface reflects to the viewer, per unit of its colour. seen: visible parts of sun and sky.
vec3 light(vec3 normal, bool is_cloth, vec2 seen, vec3 direction) {
  const float facing = dot(normal, view.towards_sun.xyz), open = seen.y;
  const float direct = seen.x * (facing > 0 ? facing : is_cloth ? -facing * TRANSLUCENCY : 0);
  const float fill = max(0, dot(normal, view.towards_fill.xyz)) * open;
  const vec3 ambient = mix(GROUND_LIGHT, SKY_LIGHT, 0.5 + 0.5 * normal.y) * open;
  const float edge = 1 - min(1, abs(dot(normal, direction)));
  const float sheen = is_cloth ? SHEEN * edge * edge * edge * open : 0;
  return SUN * (direct * (0.5 + 0.5 * open)) + FILL * fill + ambient + SKY_LIGHT * sheen;
}

vec3 highlight(vec3 normal, float sun, vec3 direction) {
  const float gloss = max(0, dot(normal, normalize(view.towards_sun.xyz - direction)));
  return SUN * (HIGHLIGHT * sun * pow(gloss, 48));
}
