// topology.h - the constant part of what is drawn of a cloth: its triangles, and its phases of pairs.
#pragma once

#include <clothc.hpp>
#include <string>
#include <vector>

namespace clothc_viewer {

struct Topology {
  // Constraints between two particles.
  struct Phase {
    // Its number and type, as in "0 stretch".
    std::string name;

    // [n][2] vertices
    std::vector<uint32_t> pairs;

    // [n] m
    std::vector<float> rest_lengths;

    // The lengths are greatest lengths.
    bool only_longer = false;
  };

  // Vertices are what the renderer reads: those of the mesh that was cooked, of which several are one particle where
  // seams were welded; or the particles themselves.
  uint32_t vertex_count = 0;

  // [n][3], counter-clockwise seen from the front. Empty for a group of particles.
  std::vector<uint32_t> triangles;

  // [n][3] the same as particles.
  std::vector<uint32_t> particle_triangles;

  // [n][2] sides of the triangles, each once.
  std::vector<uint32_t> edges;

  // Those along the edges of the mesh come first, otherwise in the fabric's order. Phases of constraints with more than
  // two particles are not there.
  std::vector<Phase> phases;

  // Mean length of the triangles' sides at rest, m; 0 if there are none.
  float mean_side = 0;
};

// The vertices are those of the mesh that was cooked. vertex_triangles: [n][3] its triangles.
Topology vertex_topology(const clothc::Fabric& fabric, const std::vector<uint32_t>& vertex_triangles);

// The vertices are the particles of the fabric.
Topology particle_topology(const clothc::Fabric& fabric);

// There is nothing but particles.
Topology group_topology(uint32_t particle_count);

}  // namespace clothc_viewer
