#include "phiflex/picture/render.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "phiflex/base/parallel.h"
#include "phiflex/picture/tracer.h"

namespace phiflex {
namespace {

constexpr std::size_t kKeyRays = 4, kSkyRays = 4;  // of each sample; one packet together
static_assert(kKeyRays + kSkyRays == Tracer::kPacket);
constexpr int kTile = 16;             // pixels
constexpr double kOpenEnough = 0.97;  // a loss of less is haze, not shadow
constexpr double kBorder = 0.3;       // of half the picture
const Point3 kUp{0, 1, 0};

// The digits of i in base 2, mirrored at the point: 0, 1/2, 1/4, 3/4, 1/8, ...
double mirrored(std::uint32_t i) {
  i = (i << 16) | (i >> 16);
  i = ((i & 0x00ff00ffu) << 8) | ((i & 0xff00ff00u) >> 8);
  i = ((i & 0x0f0f0f0fu) << 4) | ((i & 0xf0f0f0f0u) >> 4);
  i = ((i & 0x33333333u) << 2) | ((i & 0xccccccccu) >> 2);
  i = ((i & 0x55555555u) << 1) | ((i & 0xaaaaaaaau) >> 1);
  return i * 0x1p-32;
}

struct Pair {
  double x, y;
};

// From [0, 1) to (-1, 1) with the density of a tent: neighbouring pixels share their edges.
double tent(double u) {
  return u < 0.5 ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u);
}

double smooth_step(double u) {
  u = std::clamp(u, 0.0, 1.0);
  return u * u * (3 - 2 * u);
}

// What every pixel does, made once.
struct Pattern {
  struct Sample {
    Pair offset;                     // in pixels, from the middle
    std::array<Pair, kKeyRays> key;  // in the unit disc
    std::array<Pair, kSkyRays> sky;  // the same; lifted to the hemisphere it has the density of a cosine
  };
  std::vector<Sample> samples;

  explicit Pattern(int count) {
    const auto n = static_cast<std::uint32_t>(count);
    // Another order for each purpose, or the left half of a pixel would see the light's left half.
    const auto shuffled = [&](std::uint32_t i, std::uint32_t step) { return (i * step + step / 2) % n; };
    const auto disc = [&](std::uint32_t j, std::uint32_t total) {
      const double r = std::sqrt((j + 0.5) / total), a = 2 * std::numbers::pi * mirrored(j);
      return Pair{r * std::cos(a), r * std::sin(a)};
    };
    for (std::uint32_t i = 0; i < n; ++i) {
      Sample s;
      s.offset = {tent((i + 0.5) / n), tent(mirrored(i) + 0.5 / n - std::floor(mirrored(i) + 0.5 / n))};
      for (std::uint32_t k = 0; k < kKeyRays; ++k)
        s.key[k] = disc(shuffled(i, coprime(n, 7)) + n * k, n * kKeyRays);
      for (std::uint32_t k = 0; k < kSkyRays; ++k)
        s.sky[k] = disc(shuffled(i, coprime(n, 11)) + n * k, n * kSkyRays);
      samples.push_back(s);
    }
  }

 private:
  // The least number from `wanted` on without a common factor with n.
  static std::uint32_t coprime(std::uint32_t n, std::uint32_t wanted) {
    const auto common = [](std::uint32_t a, std::uint32_t b) {
      while (b != 0) a = std::exchange(b, a % b);
      return a;
    };
    while (common(n, wanted) != 1) ++wanted;
    return wanted;
  }
};

class Painter {
 public:
  Painter(const Stage& stage, const Camera& camera, const Lighting& lighting, int samples)
      : stage_(stage), camera_(camera), lighting_(lighting), tracer_(stage), pattern_(samples) {
    const Point3 level = unit_vector(cross(camera.right(), kUp));  // from the scene to the viewer, level
    light_ = unit_vector(lighting.direction[0] * camera.right() + lighting.direction[1] * kUp +
                         lighting.direction[2] * level);
    light_x_ = unit_vector(cross(kUp, light_));
    light_y_ = cross(light_, light_x_);
    // The ground's light where nothing blocks it, with the same directions.
    for (const Pattern::Sample& sample : pattern_.samples)
      open_ground_ +=
          light_on(kUp, directions(kUp, sample), 0).total() / static_cast<double>(pattern_.samples.size());
  }

  Pixel pixel(double x, double y, double pixel_width, double pixel_height) const {
    Point3 sum{};
    double alpha = 0;
    const double border = smooth_step(std::min(1 - std::abs(x), 1 - std::abs(y)) / kBorder);
    for (const Pattern::Sample& sample : pattern_.samples) {
      const Ray ray = camera_.ray(x + sample.offset.x * pixel_width, y - sample.offset.y * pixel_height);
      Hit hit;
      const bool met = tracer_.closest(ray, hit);
      double to_ground = 0;
      if (meets_ground(ray, to_ground) && (!met || to_ground < hit.distance)) {
        if (border > 0) alpha += border * shadow(ray.origin + to_ground * ray.direction, sample);
      } else if (met) {
        sum = sum + colour(hit, ray.direction, sample);
        alpha += 1;
      }
    }
    const double share = 1 / static_cast<double>(pattern_.samples.size());
    Pixel p = opaque(share * sum);
    p.alpha = static_cast<float>(share * alpha);
    return p;
  }

 private:
  struct Light {
    double key = 0;   // K v max(0, n.l)
    double seen = 0;  // v_K
    double sky = 0;   // S mean s(d), of what is open
    double echo = 0;  // S times the part that is blocked
    double total() const { return key + sky; }
  };

  using Directions = std::array<Point3, Tracer::kPacket>;

  Directions directions(const Point3& n, const Pattern::Sample& sample) const {
    Directions d;
    for (std::size_t i = 0; i < kKeyRays; ++i)
      d[i] = unit_vector(light_ + (lighting_.disc * sample.key[i].x) * light_x_ +
                         (lighting_.disc * sample.key[i].y) * light_y_);
    // Axes about n that turn smoothly with it, but for n = -u.
    const double s = 1 / (1 + std::max(n[1], -0.999999));
    const Point3 a{1 - n[0] * n[0] * s, -n[0], -n[0] * n[2] * s},
        b{-n[0] * n[2] * s, -n[2], 1 - n[2] * n[2] * s};
    for (std::size_t i = 0; i < kSkyRays; ++i) {
      const auto [x, y] = sample.sky[i];
      d[kKeyRays + i] = x * a + y * b + std::sqrt(std::max(0.0, 1 - x * x - y * y)) * n;
    }
    return d;
  }

  // (1) without the colour. Directions below the flat surface itself are those that the tracer finds blocked.
  Light light_on(const Point3& n, const Directions& d, unsigned blocked) const {
    Light light;
    for (std::size_t i = 0; i < kKeyRays; ++i)
      if ((blocked >> i & 1u) == 0) {
        light.key += lighting_.key * std::max(0.0, dot(n, d[i])) / kKeyRays;
        light.seen += 1.0 / kKeyRays;
      }
    for (std::size_t i = kKeyRays; i < d.size(); ++i) {
      if ((blocked >> i & 1u) == 0)
        light.sky += lighting_.sky * sky_light(dot(d[i], kUp)) / kSkyRays;
      else
        light.echo += lighting_.sky / kSkyRays;
    }
    return light;
  }

  Colour colour(const Hit& hit, const Point3& direction, const Pattern::Sample& sample) const {
    const Directions d = directions(hit.normal, sample);
    const Light light = light_on(hit.normal, d, tracer_.blocked(hit.start, d));
    const Point3 half = unit_vector(light_ - direction);
    const double gloss =
        lighting_.gloss * light.seen * std::pow(std::max(0.0, dot(hit.normal, half)), lighting_.sharpness);
    Colour c = hit.colour;
    if (hit.side == Hit::Side::back) c = 0.75 * c;
    Colour out;
    for (std::size_t k = 0; k < 3; ++k) out[k] = c[k] * (light.total() + 0.3 * light.echo * c[k]) + gloss;
    return out;
  }

  bool meets_ground(const Ray& ray, double& distance) const {
    if (!stage_.ground || ray.direction[1] >= 0) return false;
    distance = (*stage_.ground - ray.origin[1]) / ray.direction[1];
    return distance > 0 && std::isfinite(distance);
  }

  double shadow(const Point3& x, const Pattern::Sample& sample) const {  // (3)
    const double r = std::hypot(x[0] - stage_.middle[0], x[2] - stage_.middle[2]) / (3 * stage_.radius);
    const double fade = std::exp(-r * r * r * r);
    if (!(fade >= 1e-4)) return 0;
    const Directions d = directions(kUp, sample);
    const double open = light_on(kUp, d, tracer_.blocked(x, d)).total() / open_ground_;
    return fade * std::max(0.0, 1 - open / kOpenEnough);
  }

  const Stage& stage_;
  const Camera& camera_;
  Lighting lighting_;
  Tracer tracer_;
  Pattern pattern_;
  Point3 light_, light_x_, light_y_;
  double open_ground_ = 0;
};

}  // namespace

double sky_light(double upwards) {
  return 0.7 + (upwards > 0 ? 0.3 : 0.25) * upwards;
}

Image render(const Stage& stage, const Camera& camera, const RenderOptions& options,
             const Lighting& lighting) {
  Image image(options.width, options.height);
  const Painter painter(stage, camera, lighting, std::max(1, options.samples));
  const int across = (options.width + kTile - 1) / kTile, down = (options.height + kTile - 1) / kTile;
  const double w = 2.0 / options.width, h = 2.0 / options.height;
  parallel_for(static_cast<std::ptrdiff_t>(across) * down, [&](std::ptrdiff_t tile) {
    const int left = static_cast<int>(tile % across) * kTile, top = static_cast<int>(tile / across) * kTile;
    for (int y = top; y < std::min(top + kTile, options.height); ++y)
      for (int x = left; x < std::min(left + kTile, options.width); ++x) {
        Pixel& p = image.at(x, y);
        p = painter.pixel(-1 + w * (x + 0.5), 1 - h * (y + 0.5), w, h);
        if (options.background == Background::white) {
          const float paper = 1 - p.alpha;
          p = {p.red + paper, p.green + paper, p.blue + paper, 1};
        }
      }
  });
  return image;
}

}  // namespace phiflex
