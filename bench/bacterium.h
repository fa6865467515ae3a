// A bacterium with one flagellum, as springs: a head of twelve particles, an axle of two, and a helical tail of
// triangular sections that hangs on the axle. Head and tail share nothing but the axle's particles, so that they
// turn freely against each other.
//
//   section i of n:  x = x_0 + L i/n,   (y, z) = R (1 - exp(-(x/w)^2)) (cos kx, sin kx)                   (1)
//
// Vertices: 0 to 11 the head, 12 and 13 the axle, then three of every section.
#pragma once

#include <cmath>
#include <numbers>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex::bench {

struct Bacterium {
  double head = 0.02;                   // radius, m
  double length = 0.12, turns = 2.5;    // of the tail, m
  double radius = 0.01, width = 0.012;  // R and w of (1), m
  double thickness = 0.004;             // of a section, m
  int sections = 20;
};

inline SurfaceMesh bacterium(const Bacterium& shape) {
  SurfaceMesh mesh;
  const double golden = std::numbers::phi, scale = shape.head / std::sqrt(1 + golden * golden);
  for (const double a : {-1., 1.})
    for (const double b : {-golden, golden})
      for (int turn = 0; turn < 3; ++turn) {
        Point3 corner{};
        corner[turn] = 0;
        corner[(turn + 1) % 3] = a * scale;
        corner[(turn + 2) % 3] = b * scale;
        corner[0] -= 1.25 * shape.head;
        mesh.vertices.push_back(corner);
      }
  const int head = 12, axle = head, tail = head + 2;
  mesh.vertices.push_back({0, 0, 0});
  mesh.vertices.push_back({0.75 * shape.head, 0, 0});
  for (int i = 0; i < head; ++i) {
    for (int j = i + 1; j < head; ++j) mesh.edges.push_back({i, j});
    mesh.edges.push_back({i, axle});
    mesh.edges.push_back({i, axle + 1});
  }
  mesh.edges.push_back({axle, axle + 1});

  const double first = shape.head, wave = 2 * std::numbers::pi * shape.turns / shape.length;
  for (int i = 0; i <= shape.sections; ++i) {
    const double x = shape.length * i / shape.sections;
    const double r = shape.radius * (1 - std::exp(-(x / shape.width) * (x / shape.width)));
    for (int corner = 0; corner < 3; ++corner) {
      const double around = 2 * std::numbers::pi * corner / 3;
      mesh.vertices.push_back({first + x, r * std::cos(wave * x) + shape.thickness * std::cos(around),
                               r * std::sin(wave * x) + shape.thickness * std::sin(around)});
    }
    const int here = tail + 3 * i;
    for (int a = 0; a < 3; ++a) {
      mesh.edges.push_back({here + a, here + (a + 1) % 3});
      for (int b = 0; b < 3 && i > 0; ++b) mesh.edges.push_back({here - 3 + a, here + b});
      for (int b = 0; b < 2 && i < 2; ++b) mesh.edges.push_back({axle + b, here + a});
    }
  }
  return mesh;
}

}  // namespace phiflex::bench
