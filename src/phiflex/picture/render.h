// A stage as a picture: matte surfaces with a faint gloss under a soft key light and a bright sky.
//
// A surface of colour c and normal n (up: u) sends back
//
//   L = c (K v_K max(0, n.l) + S mean_d s(d)) + g v_K max(0, n.h)^p                                        (1)
//   s(d) = 0.7 + 0.3 d.u above the horizon, 0.7 + 0.25 d.u below; 0.3 c where d meets something             (2)
//
// K, S: strengths of key light and sky; l: direction of the key light, spread over a disc, v_K the part of it that is
// seen; d: directions about n with the density of a cosine; h: halfway between l and the viewer. The last of (2)
// stands for the light that neighbours send back.
//
// The ground shows nothing but what is missing: with E as in (1) and E_0 without anything that blocks,
//
//   alpha = f max(0, 1 - E/(0.97 E_0)),    f = exp(-(r/3R)^4)                                             (3)
//
// of black, at the distance r from the middle of a stage of radius R; towards the picture's border f goes to 0 as
// well. So it fades into any background.
//
// Directions and places within a pixel are Hammersley points, the same for every pixel: no noise, and the same bits
// in every run, for any number of threads.
#pragma once

#include "phiflex/picture/camera.h"
#include "phiflex/picture/image.h"
#include "phiflex/picture/stage.h"

namespace phiflex {

enum class Background { white, transparent };

struct RenderOptions {
  int width = 400, height = 400;  // pixels
  int samples = 16;               // rays through each pixel
  Background background = Background::white;
};

struct Lighting {
  double key = 0.8, sky = 0.62, gloss = 0.1, sharpness = 40;
  double disc = 0.12;                  // tangent of the key light's half angle
  Point3 direction{-0.4, 0.85, 0.33};  // of the key light, in the camera's right, world's up, to the viewer
};
double sky_light(double upwards);  // (2)

Image render(const Stage& stage, const Camera& camera, const RenderOptions& options,
             const Lighting& lighting = {});

}  // namespace phiflex
