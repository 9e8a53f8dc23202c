// renderer_test.cpp - the renderer draws what is known in closed form: projections, sides, shadows, strain, lines, points.
#include <glm/gtc/matrix_transform.hpp>

#include "viewer/studio.h"

using namespace viewer_test;
using namespace clothc_renderer;

namespace renderer_test {
namespace {

struct Corner {
  glm::vec3 position, normal;
};

class Rendering : public Studio {
 protected:
  // A mesh in the memory of a frame.
  static MeshDraw mesh(Frame& frame, const std::vector<Corner>& corners, const std::vector<uint32_t>& triangles) {
    MeshDraw draw;
    draw.vertices.range = frame.put(corners);
    draw.vertices.count = static_cast<uint32_t>(corners.size());
    draw.indices = frame.put(triangles);
    draw.index_count = static_cast<uint32_t>(triangles.size());
    return draw;
  }

  // A square around the origin in the plane z = 0, whose front faces +z.
  static MeshDraw square(Frame& frame, float half_side, const glm::mat4& transform = glm::mat4(1)) {
    const float s = half_side;
    const glm::vec3 normal = {0, 0, 1};
    MeshDraw draw =
        mesh(frame, {{{-s, -s, 0}, normal}, {{s, -s, 0}, normal}, {{s, s, 0}, normal}, {{-s, s, 0}, normal}},
             {0, 1, 2, 0, 2, 3});
    draw.vertices.transform = transform;
    return draw;
  }

  // A square that lies at a height above the ground.
  static MeshDraw lying_square(Frame& frame, float half_side, float height) {
    const glm::mat4 up = glm::translate(glm::mat4(1), glm::vec3(0, height, 0));
    return square(frame, half_side, glm::rotate(up, glm::radians(-90.0f), glm::vec3(1, 0, 0)));
  }

  // Pairs of points at heights, each 2 m long and along x, with the rest lengths that give these strains.
  static PairDraw strained_pairs(Frame& frame, const std::vector<float>& strains) {
    std::vector<Corner> corners;
    std::vector<uint32_t> pairs;
    std::vector<float> rest_lengths;
    for (size_t i = 0; i < strains.size(); ++i) {
      const float height = height_of(i, strains.size());
      for (float x : {-1.0f, 1.0f}) {
        pairs.push_back(static_cast<uint32_t>(corners.size()));
        corners.push_back({{x, height, 0}, {0, 0, 1}});
      }
      rest_lengths.push_back(2 / (1 + strains[i]));
    }
    PairDraw draw;
    draw.vertices.range = frame.put(corners);
    draw.vertices.count = static_cast<uint32_t>(corners.size());
    draw.pairs = frame.put(pairs);
    draw.pair_count = static_cast<uint32_t>(rest_lengths.size());
    draw.rest_lengths = frame.put(rest_lengths);
    draw.full_strain = 0.1f;
    draw.colour.a = 1;
    draw.width = 8;
    return draw;
  }
  static float height_of(size_t i, size_t count) {
    return 1.2f - 2.4f * static_cast<float>(i) / static_cast<float>(count - 1);
  }
};

float side_of(glm::vec2 a, glm::vec2 b, glm::vec2 p) { return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); }

TEST_F(Rendering, a_triangle_covers_the_pixels_that_its_projection_covers) {
  const glm::vec3 corners[] = {{-1.1f, -0.8f, 0}, {1.3f, -0.5f, 0.7f}, {-0.2f, 1.1f, -0.6f}};
  const Shot shot = shoot([&](Frame& frame, DrawList& list) {
    const glm::vec3 n = {0, 0, 1};
    list.meshes.push_back(mesh(frame, {{corners[0], n}, {corners[1], n}, {corners[2], n}}, {0, 1, 2}));
    list.background = GREEN;
  });
  const Pixel background = shot.at(0, 0);
  const glm::vec2 a = shot.place_of(corners[0]), b = shot.place_of(corners[1]), c = shot.place_of(corners[2]);
  int covered = 0, bare = 0;
  for (int y = 0; y < shot.height(); ++y) {
    for (int x = 0; x < shot.width(); ++x) {
      // In pixels, how far inside the triangle the pixel's centre is. y points down, so the triangle goes clockwise.
      const glm::vec2 p = {static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f};
      const float inside = -std::max({side_of(a, b, p) / glm::length(b - a), side_of(b, c, p) / glm::length(c - b),
                                      side_of(c, a, p) / glm::length(a - c)});
      if (inside > 0.75f) {
        EXPECT_LT(shot.at(x, y)[1], shot.at(x, y)[0]) << x << " " << y;
        ++covered;
      } else if (inside < -0.75f) {
        EXPECT_EQ(shot.at(x, y), background) << x << " " << y;
        ++bare;
      }
    }
  }
  EXPECT_GT(covered, 1000);
  EXPECT_GT(bare, 10000);
}

TEST_F(Rendering, edges_are_smooth) {
  // A vertical edge in the middle of a pixel's column covers two of its four samples.
  const Shot shot = shoot([&](Frame& frame, DrawList& list) {
    const float pixel = 2 * camera_.half_height() * 5 / HEIGHT;
    MeshDraw draw = square(frame, 1, glm::translate(glm::mat4(1), glm::vec3(-1 + 0.5f * pixel, 0, 0)));
    draw.front_colour = {0.3f, 0.3f, 0.3f};
    list.meshes.push_back(draw);
    list.background = glm::vec3(0);
  });
  const int edge = WIDTH / 2, y = HEIGHT / 2;
  const int inside = shot.at(edge - 2, y)[0], half = shot.at(edge, y)[0];
  EXPECT_GT(inside, 100);
  EXPECT_EQ(shot.at(edge + 1, y)[0], 0);
  EXPECT_GT(half, inside / 2);
  EXPECT_LT(half, inside - 10);
}

TEST_F(Rendering, cloth_has_a_colour_on_each_side) {
  const auto colour_seen_from = [&](float z) {
    camera_.eye = {0, 0, z};
    return shoot([&](Frame& frame, DrawList& list) {
             MeshDraw draw = square(frame, 1);
             draw.front_colour = {0.8f, 0, 0};
             draw.back_colour = {0, 0, 0.8f};
             list.meshes.push_back(draw);
           })
        .at(glm::vec3(0));
  };
  const Pixel front = colour_seen_from(5), back = colour_seen_from(-5);
  EXPECT_GT(front[0], front[2] + 50);
  EXPECT_GT(back[2], back[0] + 50);
}

class Shadows : public Rendering {
 protected:
  void SetUp() override {
    Rendering::SetUp();
    camera_ = {{0, 3.5f, 5}, {0, 0.3f, 0}, 45};
  }
  // A square above the ground, with the sun at 45 degrees on the side of -x: its shadow is as far to the right as it is
  // high.
  Shot shot_with_square(float height) {
    return shoot([&](Frame& frame, DrawList& list) {
      list.light.towards_sun = {-1, 1, 0};
      list.planes.push_back({});
      if (height > 0) list.meshes.push_back(lying_square(frame, 0.4f, height));
    });
  }
};

TEST_F(Shadows, fall_where_the_sun_is_hidden_and_nowhere_else) {
  const Shot bare = shot_with_square(0), shadowed = shot_with_square(1);
  int dark = 0, bright = 0;
  for (float x = -1.5f; x <= 2; x += 0.1f) {
    for (float z = -1; z <= 1; z += 0.1f) {
      const glm::vec3 point = {x, 0, z};
      // The square itself hides some of the ground.
      const glm::vec2 place = shadowed.place_of(point);
      const glm::vec2 corners[] = {shadowed.place_of({-0.4f, 1, -0.4f}), shadowed.place_of({0.4f, 1, 0.4f})};
      if (place.y > corners[0].y - 3 && place.y < corners[1].y + 3) continue;
      const float outside = std::max(std::fabs(x - 1), std::fabs(z)) - 0.4f;
      const int before = brightness(bare.at(point)), now = brightness(shadowed.at(point));
      if (outside < -0.2f) {
        EXPECT_LT(now, before * 7 / 10) << x << " " << z;
        ++dark;
      } else if (outside > 0.2f) {
        EXPECT_GT(now, before * 9 / 10) << x << " " << z;
        ++bright;
      }
    }
  }
  EXPECT_GT(dark, 15);
  EXPECT_GT(bright, 200);
}

TEST_F(Shadows, have_edges_that_widen_with_the_height) {
  // Pixels from darkness to light, with the camera above the right edge of the shadow.
  const auto edge_width = [&](float height) {
    const float edge = height + 0.4f;
    camera_ = {{edge, 1.2f, 0.01f}, {edge, 0, 0}, 20};
    const Shot shot = shoot([&](Frame& frame, DrawList& list) {
      list.light.towards_sun = {-1, 1, 0};
      list.planes.push_back({});
      list.meshes.push_back(lying_square(frame, 0.4f, height));
      // It makes the shadow map cover more than the square.
      list.meshes.push_back(square(frame, 0.1f, glm::translate(glm::mat4(1), glm::vec3(-9, 0, 0))));
    });
    const int y = HEIGHT / 2, dark = brightness(shot.at(2, y)), lit = brightness(shot.at(WIDTH - 3, y));
    EXPECT_GT(lit, dark + 40);
    int width = 0;
    for (int x = 0; x < shot.width(); ++x) {
      const int value = brightness(shot.at(x, y));
      width += value > dark + (lit - dark) / 5 && value < lit - (lit - dark) / 5;
    }
    return width;
  };
  const int low = edge_width(0.25f), high = edge_width(1.5f);
  EXPECT_GE(low, 2);
  EXPECT_GT(high, 2 * low);
}

TEST_F(Shadows, on_cloth_do_not_depend_on_how_much_nearer_it_is_drawn) {
  const auto shot_with_lead = [&](float lead) {
    return shoot([&](Frame& frame, DrawList& list) {
      list.light.towards_sun = {-1, 1, 0};
      list.meshes = {lying_square(frame, 1.8f, 0), lying_square(frame, 0.3f, 0.6f)};
      list.cloth_lead = lead;
    });
  };
  const Shot plain = shot_with_lead(0), led = shot_with_lead(0.1f);
  EXPECT_LT(brightness(plain.at(glm::vec3(0.6f, 0, 0.1f))), brightness(plain.at(glm::vec3(-1, 0, 0.1f))) - 50);
  for (float x = -1.5f; x <= 1.5f; x += 0.05f) {
    const glm::vec3 point = {x, 0, 0.1f};
    EXPECT_NEAR(brightness(plain.at(point)), brightness(led.at(point)), 8) << x;
  }
}

TEST_F(Shadows, corners_get_less_light_from_the_sky) {
  // A wall on the ground, away from the sun's shadow.
  const Shot shot = shoot([&](Frame& frame, DrawList& list) {
    list.light.towards_sun = {0, 1, 0.2f};
    list.planes.push_back({});
    list.meshes.push_back(square(frame, 1, glm::translate(glm::mat4(1), glm::vec3(0, 0.9f, -0.5f))));
  });
  EXPECT_LT(brightness(shot.at(glm::vec3(0, 0, -0.42f))), brightness(shot.at(glm::vec3(0, 0, 0.6f))) - 8);
}

TEST_F(Rendering, strain_has_the_colours_of_its_scale) {
  const std::vector<float> strains = {-0.2f, -0.1f, -0.05f, 0, 0.05f, 0.1f, 0.2f};
  const Shot shot = shoot([&](Frame& frame, DrawList& list) {
    list.pairs.push_back(strained_pairs(frame, strains));
    list.background = glm::vec3(0);
  });
  const glm::vec3 shorter = {0.10f, 0.30f, 0.95f}, at_rest = glm::vec3(0.80f), longer = {0.95f, 0.12f, 0.08f};
  for (size_t i = 0; i < strains.size(); ++i) {
    const float part = std::min(1.0f, std::fabs(strains[i]) / 0.1f);
    const glm::vec3 colour = 255.0f * glm::mix(at_rest, strains[i] < 0 ? shorter : longer, part);
    const Pixel expected = {static_cast<int>(colour.x), static_cast<int>(colour.y), static_cast<int>(colour.z)};
    const Pixel seen = shot.at(glm::vec3(0.3f, height_of(i, strains.size()), 0));
    EXPECT_TRUE(is_near(seen, expected, 3)) << strains[i] << ": " << seen[0] << " " << seen[1] << " " << seen[2];
  }
}

TEST_F(Rendering, strain_of_greatest_lengths_and_of_scaled_cloths) {
  const auto middle = [&](float strain, bool only_longer, float rest_scale) {
    const Shot shot = shoot([&](Frame& frame, DrawList& list) {
      PairDraw draw = strained_pairs(frame, {0, strain, 0});
      draw.only_longer = only_longer;
      draw.rest_scale = rest_scale;
      list.pairs.push_back(draw);
    });
    return shot.at(glm::vec3(0.3f, 0, 0));
  };
  EXPECT_TRUE(is_near(middle(-0.1f, true, 1), {204, 204, 204}, 3));
  EXPECT_GT(middle(0.1f, true, 1)[0], 235);
  // At twice the rest length, twice as long is at rest.
  EXPECT_TRUE(is_near(middle(1, false, 2), {204, 204, 204}, 3));
}

TEST_F(Rendering, wireframe_is_where_the_edges_are) {
  const Shot shot = shoot([&](Frame& frame, DrawList& list) {
    MeshDraw draw = square(frame, 1);
    draw.front_colour = {0.8f, 0.8f, 0.8f};
    list.meshes.push_back(draw);
    PairDraw edges;
    edges.vertices = draw.vertices;
    edges.pairs = frame.put(std::vector<uint32_t>{0, 1, 1, 2, 0, 2, 2, 3, 3, 0});
    edges.pair_count = 5;
    edges.colour = {0, 0, 0, 1};
    edges.width = 3;
    list.pairs.push_back(edges);
  });
  for (float t = -0.9f; t <= 0.9f; t += 0.1f) {
    EXPECT_LT(brightness(shot.at(glm::vec3(t, t, 0))), 20) << "the diagonal at " << t;
    EXPECT_LT(brightness(shot.at(glm::vec3(t, -1, 0))), 130) << "the lower side at " << t;
  }
  EXPECT_GT(brightness(shot.at(glm::vec3(0.5f, -0.5f, 0))), 150);
  EXPECT_GT(brightness(shot.at(glm::vec3(-0.5f, 0.5f, 0))), 150);
}

TEST_F(Rendering, normals_are_lines_of_their_length) {
  const Shot shot = shoot([&](Frame& frame, DrawList& list) {
    NormalDraw draw;
    draw.vertices.range = frame.put(std::vector<Corner>{{{-1, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {0.6f, 0.8f, 0}}});
    draw.vertices.count = 2;
    draw.length = 1;
    draw.width = 5;
    draw.colour = {1, 0, 0, 1};
    list.normals.push_back(draw);
    list.background = glm::vec3(0);
  });
  for (float t = 0.1f; t < 0.95f; t += 0.1f) {
    EXPECT_GT(shot.at(glm::vec3(-1, t, 0))[0], 200) << t;
    EXPECT_GT(shot.at(glm::vec3(0.6f * t, 0.8f * t, 0))[0], 200) << t;
  }
  EXPECT_EQ(shot.at(glm::vec3(-1, 1.1f, 0))[0], 0);
  EXPECT_EQ(shot.at(glm::vec3(-1, -0.1f, 0))[0], 0);
  EXPECT_EQ(shot.at(glm::vec3(0.66f, 0.88f, 0))[0], 0);
}

TEST_F(Rendering, points_are_discs_at_the_vertices_of_a_list) {
  const std::vector<Corner> corners = {{{-1, 0, 0}, {}}, {{0, 0, 0}, {}}, {{1, 0, 0}, {}}};
  const auto shot_of = [&](const std::vector<uint32_t>& points) {
    return shoot([&](Frame& frame, DrawList& list) {
      PointDraw draw;
      draw.vertices.range = frame.put(corners);
      draw.vertices.count = 3;
      draw.point_count = 2;
      if (!points.empty()) draw.points = frame.put(points);
      draw.colour = {1, 0, 0, 1};
      draw.size = 12;
      list.points.push_back(draw);
      list.background = glm::vec3(0);
    });
  };
  const Shot first = shot_of({}), listed = shot_of({0, 2});
  const auto is_there = [](const Shot& shot, float x) { return shot.at(glm::vec3(x, 0, 0))[0] > 200; };
  EXPECT_TRUE(is_there(first, -1) && is_there(first, 0) && !is_there(first, 1));
  EXPECT_TRUE(is_there(listed, -1) && !is_there(listed, 0) && is_there(listed, 1));
  // Round, with a diameter of 12 pixels: of the square's corners nothing is covered.
  const glm::vec2 centre = first.place_of(corners[0].position);
  const int x = static_cast<int>(centre.x), y = static_cast<int>(centre.y);
  EXPECT_GT(first.at(x + 4, y)[0], 200);
  EXPECT_EQ(first.at(x + 8, y)[0], 0);
  EXPECT_LT(first.at(x + 5, y + 5)[0], 100);
}

TEST_F(Rendering, what_the_host_gives_has_its_own_colours) {
  const Shot shot = shoot([&](Frame&, DrawList& list) {
    list.lines = {{{-1, 1, 0}, packed_colour({1, 0, 0, 1})}, {{1, 1, 0}, packed_colour({0, 0, 1, 1})}};
    list.discs = {{{0, -1, 0}, packed_colour({0.2f, 0.6f, 0.4f, 1})}};
    list.line_width = list.disc_size = 8;
    list.background = glm::vec3(0);
  });
  EXPECT_GT(shot.at(glm::vec3(-0.95f, 1, 0))[0], 220);
  EXPECT_GT(shot.at(glm::vec3(0.95f, 1, 0))[2], 220);
  EXPECT_TRUE(is_near(shot.at(glm::vec3(0, 1, 0)), {128, 0, 128}, 12));
  EXPECT_TRUE(is_near(shot.at(glm::vec3(0, -1, 0)), {51, 153, 102}, 3));
}

TEST_F(Rendering, lines_are_hidden_by_what_is_in_front_of_them) {
  const auto line_at = [&](float z) {
    return shoot([&](Frame& frame, DrawList& list) {
             MeshDraw draw = square(frame, 1);
             draw.front_colour = glm::vec3(0.02f);
             list.meshes.push_back(draw);
             const uint32_t red = packed_colour({1, 0, 0, 1});
             list.lines = {{{-0.8f, 0, z}, red}, {{0.8f, 0, z}, red}};
             list.line_width = 6;
           })
        .at(glm::vec3(0.01f, 0, 0));
  };
  EXPECT_GT(line_at(0.1f)[0], 200);
  EXPECT_GT(line_at(0)[0], 200) << "on the surface itself";
  EXPECT_LT(line_at(-0.1f)[0], 100);
}

TEST_F(Rendering, lines_reach_behind_the_eye) {
  const Shot shot = shoot([&](Frame&, DrawList& list) {
    const uint32_t red = packed_colour({1, 0, 0, 1});
    list.lines = {{{0, -1, 0}, red}, {{0, -1, 20}, red}};
    list.line_width = 6;
    list.background = glm::vec3(0);
  });
  // It goes from the middle straight down to the picture's edge.
  EXPECT_GT(shot.at(glm::vec3(0, -1, 1))[0], 200);
  EXPECT_GT(shot.at(WIDTH / 2, HEIGHT - 1)[0], 200);
  EXPECT_EQ(shot.at(WIDTH / 2, 10)[0], 0);
}

TEST_F(Rendering, vertices_may_lie_in_their_buffer_in_any_way) {
  struct Wide {
    float texture[2];
    glm::vec3 normal;
    float weight;
    glm::vec3 position;
  };
  const auto shot_of = [&](bool is_wide) {
    return shoot([&](Frame& frame, DrawList& list) {
      MeshDraw draw = square(frame, 1, glm::rotate(glm::mat4(1), 0.4f, glm::vec3(1, 0, 0)));
      if (is_wide) {
        std::vector<Wide> vertices(3);
        for (const glm::vec2 corner : {glm::vec2(-1, -1), {1, -1}, {1, 1}, {-1, 1}})
          vertices.push_back({{7, 7}, {0, 0, 1}, 7, {corner, 0}});
        draw.vertices.range = frame.put(vertices);
        // Behind three other vertices.
        draw.vertices.range.offset += 3 * sizeof(Wide);
        draw.vertices.range.size -= 3 * sizeof(Wide);
        draw.vertices.stride = sizeof(Wide);
        draw.vertices.position_offset = offsetof(Wide, position);
        draw.vertices.normal_offset = offsetof(Wide, normal);
      }
      PairDraw edges;
      edges.vertices = draw.vertices;
      edges.pairs = frame.put(std::vector<uint32_t>{0, 2, 1, 3});
      edges.pair_count = 2;
      NormalDraw normals;
      normals.vertices = draw.vertices;
      normals.length = 0.5f;
      list.meshes.push_back(draw);
      list.pairs.push_back(edges);
      list.normals.push_back(normals);
      list.planes.push_back({{0, 1, 0}, 1.5f});
    });
  };
  EXPECT_EQ(shot_of(false).bytes(), shot_of(true).bytes());
}

TEST_F(Rendering, cloth_is_drawn_over_a_solid_that_it_lies_in_by_less_than_its_lead) {
  const auto middle = [&](float depth) {
    return shoot([&](Frame& frame, DrawList& list) {
             MeshDraw cloth = square(frame, 0.5f, glm::translate(glm::mat4(1), glm::vec3(0, 0, -depth)));
             cloth.front_colour = {0.8f, 0, 0};
             MeshDraw solid = square(frame, 1);
             solid.material = Material::solid;
             solid.front_colour = {0, 0, 0.8f};
             list.meshes = {cloth, solid};
             list.cloth_lead = 0.1f;
           })
        .at(glm::vec3(0));
  };
  EXPECT_GT(middle(0.05f)[0], middle(0.05f)[2]);
  EXPECT_LT(middle(0.2f)[0], middle(0.2f)[2]);
}

TEST_F(Rendering, the_ground_is_seen_from_above_only_and_up_to_the_horizon) {
  const auto shot_from = [&](float height) {
    camera_ = {{0, height, 5}, {0, height, 0}, 40};
    return shoot([&](Frame&, DrawList& list) {
      list.planes.push_back({});
      list.background = glm::vec3(0.5f, 0, 0);
    });
  };
  const Shot above = shot_from(1);
  EXPECT_NEAR(above.at(WIDTH / 2, HEIGHT - 2)[0], above.at(WIDTH / 2, HEIGHT - 2)[2], 20) << "grey ground near the eye";
  EXPECT_EQ(above.at(WIDTH / 2, HEIGHT / 2 + 2), above.at(WIDTH / 2, 2)) << "it fades to the background";
  const Shot below = shot_from(-1);
  EXPECT_EQ(below.at(WIDTH / 2, HEIGHT - 2), below.at(WIDTH / 2, 2));
  EXPECT_EQ(below.at(WIDTH / 2, 2), below.at(WIDTH / 2, HEIGHT / 2));
}

TEST_F(Rendering, targets_that_encode_srgb_get_the_same_picture) {
  const auto fill = [&](Frame& frame, DrawList& list) {
    list.meshes.push_back(square(frame, 1));
    list.planes.push_back({{0, 1, 0}, 1});
  };
  const Shot plain = shoot(fill);
  Offscreen encoding(graphics(), WIDTH, HEIGHT, VK_FORMAT_R8G8B8A8_SRGB);
  const Shot encoded(encoding.draw(camera_, fill), camera_);
  for (int y = 0; y < plain.height(); y += 3)
    for (int x = 0; x < plain.width(); x += 3)
      EXPECT_TRUE(is_near(plain.at(x, y), encoded.at(x, y), 1)) << x << " " << y;
}

TEST_F(Rendering, others_can_draw_over_the_picture) {
  const auto clear = reinterpret_cast<PFN_vkCmdClearAttachments>(
      graphics().functions().GetDeviceProcAddr(graphics().device(), "vkCmdClearAttachments"));
  const auto draw = [&](const Renderer::Overlay& overlay) {
    return Shot(offscreen_->draw(
                    camera_, [](Frame&, DrawList&) {}, overlay),
                camera_);
  };
  const Shot bare = draw({}), covered = draw([&](VkCommandBuffer commands) {
                                VkClearAttachment attachment{};
                                attachment.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
                                attachment.clearValue.color = {{1, 0, 1, 1}};
                                const VkClearRect rectangle = {{{10, 20}, {30, 40}}, 0, 1};
                                clear(commands, 1, &attachment, 1, &rectangle);
                              });
  EXPECT_EQ(covered.at(10, 20), (Pixel{255, 0, 255}));
  EXPECT_EQ(covered.at(39, 59), (Pixel{255, 0, 255}));
  EXPECT_EQ(covered.at(40, 60), bare.at(40, 60));
  EXPECT_EQ(covered.at(9, 19), bare.at(9, 19));
}

TEST_F(Rendering, a_frame_takes_as_much_data_as_it_is_given) {
  // Lines of several megabytes, and more draws than one pool has descriptor sets for.
  const Shot shot = shoot([&](Frame& frame, DrawList& list) {
    const uint32_t red = packed_colour({1, 0, 0, 1});
    list.lines.assign(300000, {{-1, 1, 0}, red});
    list.lines.back().position = {1, 1, 0};
    list.line_width = 6;
    list.background = glm::vec3(0);
    const std::vector<Corner> corners = {{{-1, 0, 0}, {}}, {{1, 0, 0}, {}}};
    for (int i = 0; i < 600; ++i) {
      PairDraw draw;
      draw.vertices.range = frame.put(corners);
      draw.vertices.range.size = sizeof(Corner) * 2;
      draw.vertices.transform = glm::translate(glm::mat4(1), glm::vec3(0, -1, -0.001f * static_cast<float>(i)));
      draw.pairs = frame.put(std::vector<uint32_t>{0, 1});
      draw.pair_count = i == 599 ? 1 : 0;
      draw.colour = {0, 0, 1, 1};
      draw.width = 6;
      list.pairs.push_back(draw);
      PointDraw point;
      point.vertices = draw.vertices;
      point.vertices.count = 2;
      point.point_count = 2;
      list.points.push_back(point);
    }
  });
  EXPECT_GT(shot.at(glm::vec3(0, 1, 0))[0], 200);
  EXPECT_GT(shot.at(glm::vec3(0, -1, 0))[2], 200);
}

TEST_F(Rendering, pictures_of_another_size_and_the_same_frame_are_the_same_again) {
  const auto fill = [&](Frame& frame, DrawList& list) {
    list.meshes.push_back(square(frame, 1));
    list.planes.push_back({{0, 1, 0}, 1});
  };
  Renderer renderer(graphics());
  Frames frames(graphics());
  const auto image_of = [&](uint32_t width, uint32_t height) {
    return DeviceImage(graphics(), {{width, height},
                                    VK_FORMAT_R8G8B8A8_UNORM,
                                    VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT});
  };
  const DeviceImage small = image_of(64, 48), large = image_of(96, 50);
  const Target targets[] = {renderer.make_target(small.view(), small.extent()),
                            renderer.make_target(large.view(), large.extent())};
  for (int i = 0; i < 6; ++i) {
    Frame& frame = frames.begin();
    DrawList list;
    fill(frame, list);
    renderer.record(frame, camera_, list, targets[i / 2 % 2]);
    frames.submit();
  }
  frames.wait();
  EXPECT_EQ(shoot(fill).bytes(), shoot(fill).bytes());
}

TEST_F(Rendering, devices_that_will_not_do_are_refused_with_the_reason) {
  const auto reason = [](const GraphicsOptions& options) -> std::string {
    try {
      const Graphics refused(options);
    } catch (const GraphicsError& error) {
      return error.what();
    }
    return "";
  };
  GraphicsOptions options;
  options.device_name = "no such GPU";
  EXPECT_NE(reason(options).find("it is not the device 'no such GPU'"), std::string::npos) << reason(options);
  options = {};
  options.device_extensions = {"VK_NO_such_extension"};
  EXPECT_NE(reason(options).find("it lacks the extension VK_NO_such_extension"), std::string::npos) << reason(options);
  options = {};
  options.can_present = [](VkInstance, VkPhysicalDevice, uint32_t) { return false; };
  EXPECT_NE(reason(options).find("present to the window"), std::string::npos) << reason(options);
  options = {};
  options.wanted_extensions = [](const Graphics&) -> std::vector<std::string> { throw GraphicsError("unwanted"); };
  EXPECT_NE(reason(options).find(": unwanted"), std::string::npos) << reason(options);
  if (graphics().is_hardware()) return;
  options = {};
  options.hardware_only = true;
  EXPECT_NE(reason(options).find("a program on the processor"), std::string::npos) << reason(options);
}

TEST(Cameras, project_what_their_rays_hit) {
  const Camera camera = {{1, 2, 6}, {0.3f, 1, 0}, 35};
  for (const glm::vec2 point : {glm::vec2(0.1f, 0.2f), {0.5f, 0.5f}, {0.9f, 0.7f}}) {
    const Ray ray = camera.ray(point, 1.5f);
    const glm::vec3 seen = camera.project(ray.origin + 4.0f * ray.direction, 1.5f);
    EXPECT_NEAR(seen.x, point.x, 1e-5f);
    EXPECT_NEAR(seen.y, point.y, 1e-5f);
    EXPECT_NEAR(seen.z, 4 * glm::dot(ray.direction, camera.forward()), 1e-5f);
  }
}

TEST(Cameras, orbits_keep_their_distance) {
  const Camera camera = {{1, 2, 6}, {0.3f, 1, 0}, 35};
  Orbit orbit = Orbit::of(camera);
  EXPECT_NEAR(glm::length(orbit.camera().eye - camera.eye), 0, 1e-5f);
  orbit.turn(100, 200);
  EXPECT_NEAR(glm::length(orbit.camera().eye - orbit.target), orbit.distance, 1e-5f);
  EXPECT_GT(orbit.camera().eye.y, orbit.target.y + 0.99f * orbit.distance) << "it stops at the top";
  orbit.zoom(0.5f);
  EXPECT_NEAR(orbit.distance, 0.5f * glm::length(camera.eye - camera.target), 1e-5f);
  const Orbit before = Orbit::of(camera);
  Orbit moved = before;
  moved.move({0.25f, 0});
  // What was at the target is a quarter of the picture's height to the left.
  EXPECT_NEAR(moved.camera().project(before.target, 1).x, 0.25f, 1e-5f);
}

}  // namespace
}  // namespace renderer_test
