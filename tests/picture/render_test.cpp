#include "phiflex/picture/render.h"

#include <gtest/gtest.h>

#include <cstring>

#include "phiflex/base/parallel.h"
#include "tests/picture/stages.h"

namespace phiflex {
namespace {

const RenderOptions kClear{.width = 200, .height = 200, .samples = 16, .background = Background::transparent};

double covered_pixels(const Image& image) {
  double sum = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) sum += image.at(x, y).alpha;
  return sum;
}

bool same_bits(const Image& a, const Image& b) {
  if (a.width() != b.width() || a.height() != b.height()) return false;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (std::memcmp(&a.at(x, y), &b.at(x, y), sizeof(Pixel)) != 0) return false;
  return true;
}

TEST(Picture, TheSilhouetteOfASphereHasItsArea) {
  Stage stage;
  stage.surfaces.push_back(ball());
  const Camera camera = flat_camera(0, 1.5);
  const double pixels = covered_pixels(render(stage, camera, kClear));
  // The silhouette seen from the distance D is that of a disc of radius 1/sqrt(1 - 1/D^2); D > 80 changes the area
  // by less than 0.02 %, the polygon of 240 sides by 0.02 %.
  const double scale = camera.size_of_unit(200, {0, 0, 0});
  EXPECT_GT(camera.distance(), 80);
  EXPECT_NEAR(pixels, std::numbers::pi * scale * scale, 0.005 * pixels);
}

TEST(Picture, ALitFaceHasTheShadeOfTheFormula) {
  Stage stage;
  stage.surfaces.push_back(square(2, 0));
  stage.radius = 3;
  Lighting lighting;
  lighting.gloss = 0;
  lighting.disc = 0;  // n.l is the same for all of the light
  const Camera camera = flat_camera(60);
  const Pixel p = render(stage, camera, kClear, lighting).at(100, 100);
  // The key light stands at the same height for every azimuth.
  const double cosine = lighting.direction[1] / norm(lighting.direction);
  // The mean of d.u over directions with the density of a cosine is 2/3, and all of them are above the horizon.
  const double light = lighting.key * cosine + lighting.sky * (0.7 + 0.3 * 2 / 3);
  // 64 directions: the mean of a smooth function over Hammersley points is off by well below 1 %.
  EXPECT_NEAR(p.red, kTestColour[0] * light, 0.01 * p.red);
  EXPECT_NEAR(p.green, kTestColour[1] * light, 0.01 * p.green);
  EXPECT_NEAR(p.blue, kTestColour[2] * light, 0.01 * p.blue);
  EXPECT_EQ(p.alpha, 1);
}

TEST(Picture, WhatStandsUnderARoofIsDarker) {
  Stage open;
  open.surfaces.push_back(square(2, 0));
  open.radius = 3;
  Stage roofed = open;
  // Far to the sides and close above, but not in the camera's way.
  roofed.surfaces.push_back(
      coloured({{-9, 0.4, -9}, {-9, 0.4, 0.3}, {9, 0.4, 0.3}, {9, 0.4, -9}}, {{0, 1, 2}, {0, 2, 3}}));
  const Camera camera = flat_camera(20);
  const double lit = render(open, camera, kClear).at(100, 100).red;
  const double shaded = render(roofed, camera, kClear).at(100, 100).red;
  EXPECT_LT(shaded, 0.75 * lit);
  EXPECT_GT(shaded, 0.0);
}

TEST(Picture, TheGroundShowsAShadowUnderABallAndNothingFarFromIt) {
  Stage stage;
  stage.surfaces.push_back(ball(40));
  stage.ground = -1;
  const Camera camera = flat_camera(35, 4);
  const Image image = render(stage, camera, kClear);
  const auto alpha_at = [&](const Point3& x) {
    const double scale = camera.size_of_unit(200, x);
    const Point3 d = x - Point3{0, 0, 0};
    return image.at(static_cast<int>(100 + scale * dot(d, camera.right())),
                    static_cast<int>(100 - scale * dot(d, camera.up())));
  };
  // The light comes from the left, so the shadow is to the right of the ball's foot.
  const Pixel shadow = alpha_at({0.9, -1, 0.3});
  EXPECT_GT(shadow.alpha, 0.2);
  EXPECT_EQ(shadow.red, 0);
  EXPECT_LT(alpha_at({-2.5, -1, 0}).alpha, 0.06);
}

TEST(Picture, AnyNumberOfThreadsMakesTheSameBits) {
  Stage stage;
  stage.surfaces.push_back(ball(30));
  stage.tubes.push_back({{Point3{-1.4, 0, 0}, {1.4, 1, 0.2}}, 0.03, {kTestColour, kTestColour}});
  stage.ground = -1;
  const Camera camera = flat_camera(20, 1.6);
  const int before = thread_count();
  set_thread_count(1);
  const Image one = render(stage, camera, kClear);
  for (const int threads : {2, 3}) {
    set_thread_count(threads);
    EXPECT_TRUE(same_bits(one, render(stage, camera, kClear))) << threads << " threads";
  }
  set_thread_count(before);
}

TEST(Picture, ATubeIsAsWideAsItIs) {
  for (const double radius : {0.2, 0.02}) {
    Stage stage;
    stage.tubes.push_back({{Point3{-5, 0, 0}, {5, 0, 0}}, radius, {kTestColour, kTestColour}});
    const Camera camera = flat_camera();
    const Image image = render(stage, camera, kClear);
    const double scale = camera.size_of_unit(200, {0, 0, 0});
    // The mean over columns takes out the grid of the samples: 16 in a pixel, at least 80 pixels here.
    double width = 0;
    for (int x = 60; x < 140; ++x)
      for (int y = 0; y < 200; ++y) width += image.at(x, y).alpha / 80;
    EXPECT_NEAR(width, 2 * radius * scale, 0.03 * 2 * radius * scale + 0.06) << radius;
  }
}

TEST(Picture, ThinTubesDoNotBreakUp) {
  Stage stage;
  const Camera camera = flat_camera();
  const double pixel = 1 / camera.size_of_unit(200, {0, 0, 0});
  stage.tubes.push_back({{Point3{-5, -0.37, 0}, {5, 0.61, 0}}, 0.7 * pixel, {kTestColour, kTestColour}});
  const Image image = render(stage, camera, kClear);
  double least = 1e9, most = 0;
  for (int x = 20; x < 180; ++x) {
    double column = 0;
    for (int y = 0; y < 200; ++y) column += image.at(x, y).alpha;
    least = std::min(least, column);
    most = std::max(most, column);
  }
  // 1.4 pixels wide, a little more across the slope; every column shows it about equally.
  EXPECT_GT(least, 1.1);
  EXPECT_LT(most, 1.8);
}

TEST(Picture, BothSidesOfAClothAreSeen) {
  Stage stage;
  stage.surfaces.push_back(square(2, 0));
  stage.radius = 3;
  const Pixel below = render(stage, flat_camera(-40), kClear).at(100, 100);
  EXPECT_EQ(below.alpha, 1);
  EXPECT_GT(below.red, 0.02);
}

TEST(Picture, AWhiteBackgroundIsWhiteAndOpaque) {
  const Image image = render(Stage{}, flat_camera(), {.width = 8, .height = 8, .samples = 1});
  EXPECT_EQ(to_srgb_bytes(image, Channels::rgba), std::string(8 * 8 * 4, '\xff'));
}

TEST(Picture, CreasesAreThoseOfTheRestShape) {
  // Two squares that meet at 90 degrees at rest, flat afterwards: the edge stays sharp, each side has its own normal.
  const std::vector<std::array<int, 3>> triangles{{0, 1, 2}, {0, 2, 3}, {3, 2, 4}, {3, 4, 5}};
  const std::vector<Point3> bent{{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}, {1, 1, 1}, {1, 1, 0}};
  const std::vector<Point3> nearly_flat{{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}, {2, 0.1, 1}, {2, 0.1, 0}};
  const CornerNormals sharp = CreaseNormals(bent, triangles).at(nearly_flat);
  EXPECT_NEAR(sharp[0][2][1], 1, 1e-12);
  EXPECT_LT(sharp[2][0][1], 0.999);
  const CornerNormals smooth = CreaseNormals(nearly_flat, triangles).at(nearly_flat);
  EXPECT_NEAR(norm(smooth[0][2] - smooth[2][1]), 0, 1e-12) << "the shared vertex has one normal";
}

TEST(Picture, ACameraFitsItsPointsExactly) {
  const std::vector<Point3> points{{0, 0, 0}, {2, 0.5, 0}, {1, 1, 3}, {-1, 0.2, -2}};
  const Camera camera({.azimuth = 30, .elevation = 20, .field_of_view = 40}, points, 1.7);
  double widest = 0, tallest = 0;
  for (const Point3& p : points) {
    const Point3 d = p - camera.place();
    const double depth = -dot(d, camera.towards());
    const Ray corner = camera.ray(1, 1);
    const double tx = dot(corner.direction, camera.right()) / -dot(corner.direction, camera.towards()),
                 ty = dot(corner.direction, camera.up()) / -dot(corner.direction, camera.towards());
    widest = std::max(widest, std::abs(dot(d, camera.right())) / (depth * tx));
    tallest = std::max(tallest, std::abs(dot(d, camera.up())) / (depth * ty));
  }
  EXPECT_LE(std::max(widest, tallest), 1 + 1e-12);
  EXPECT_NEAR(std::max(widest, tallest), 1, 1e-9) << "and not smaller than needed";
  const double best = Camera::best_aspect({}, points);
  EXPECT_GT(best, 0.1);
}

}  // namespace
}  // namespace phiflex
