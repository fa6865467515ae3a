// What a scene describes as a finished model (build/assembly.h), with what the scene says about it: probes, the
// fine mesh of its coarsening, the name of its file.
//
// Like an assembly it never changes, is cheap to copy and refers to nothing outside: it outlives its scene.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "phiflex/build/assembly.h"
#include "phiflex/model/grip_load.h"
#include "phiflex/record/frames.h"

namespace phiflex {

struct Scene;          // scene/scene.h
struct SphereContact;  // scene/contact_spec.h

class SceneModel : public Assembly {
 public:
  struct Probe {
    std::string name;
    int vertex;  // of the model
  };
  SceneModel(Assembly assembly, std::string scene_file, std::vector<Probe> probes)
      : Assembly(std::move(assembly)), scene_file_(std::move(scene_file)), probes_(std::move(probes)) {}

  const std::string& scene_file() const { return scene_file_; }  // as the user named it, for messages
  const std::vector<Probe>& probes() const { return probes_; }
  std::vector<std::string> probe_names() const;
  // x: positions of all vertices.
  void probe_positions(const Vector& x, std::vector<Point3>& positions) const;
  FrameGeometry frame_geometry() const;

  // At rest on the finer mesh of the scene's coarsening; null where there is none.
  const Assembly* fine() const { return fine_.get(); }
  void set_fine(Assembly fine) { fine_ = std::make_shared<const Assembly>(std::move(fine)); }

 private:
  std::string scene_file_;
  std::vector<Probe> probes_;
  std::shared_ptr<const Assembly> fine_;
};

// What coarsening makes of a body (coarsening.h).
struct BodyChange {
  std::string body;  // empty: of none
  int refinements = 0;
  double young_factor = 1;
};
// The same from a time on: a factor depends on the constraints, which are released one after the other.
struct TimedChange {
  double from = 0;  // s
  BodyChange change;
};

// What a caller brings along to a scene that goes on (live/engine.h).
struct SceneHand {
  std::shared_ptr<const GripTable> grips;  // the load comes after the scene's forces; null: none
  struct Ball {
    double radius = 0;                       // m
    std::shared_ptr<const PathTrack> track;  // of its centre
  };
  std::optional<Ball> ball;  // an obstacle after the scene's contacts
  // Positions and velocities of all vertices in place of the scene's initial ones; empty: the scene's.
  Vector x, v;
};

// Builds what the scene describes; with coarsening this compares modes (coarsening.h). scene_file: how the user
// named it, for messages. InputError with every problem of the scene, also of one that was filled in code, and of
// its meshes.
SceneModel build_scene(const Scene& scene, const std::string& scene_file);
// The same with a hand; coarsening is not allowed then. As long as the hand's tables hold what a scene's files say, the
// model is that of the scene with a force `grips` and a sphere (hand_contact) at the ends of its lists.
SceneModel build_scene(const Scene& scene, const std::string& scene_file, const SceneHand& hand);
// The sphere as the scene's contact.
SphereContact hand_contact(const SceneHand::Ball& ball);
// With one body changed and without the scene's coarsening. The scene's own values are taken as checked.
SceneModel build_scene(const Scene& scene, const std::string& scene_file, const BodyChange& change);

}  // namespace phiflex
