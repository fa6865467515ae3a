// The scene: what a user asks to be simulated, as plain structs that mirror the scene file key by key.
//
// A member's name is its key in the file, its initial value is the key's default; a std::optional member may
// be left out; a std::variant offers alternatives. Each struct is described once more, by its fields() in
// scene/fields.h, which adds units, ranges and a sentence of documentation; reading, writing, validation, the
// JSON schema and the documentation table all follow from that one description.
//
// Alternatives of a variant are recognised in the file by their signature: a key that must be there and,
// where given, the word it must hold, as in { "generate": "box", ... } or { "sphere": ... }.
//
// SI units throughout; angles in degrees. Selections and probes use rest coordinates after `transform`.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace phiflex {

using Triple = std::array<double, 3>;

struct Signature {
  const char* key;
  const char* word = nullptr;  // null: the key may hold any value of its type
};

// ---- Time and method --------------------------------------------------------------------------------------

struct TimeSpec {
  double step = 0;  // s
  double end = 0;   // s
  bool operator==(const TimeSpec&) const = default;
};

// The number of steps, round(end / step); validation has made sure that the step divides the end.
std::int64_t step_count(const TimeSpec& time);

enum class Refactor { automatic, always };  // "auto", "always"
enum class Switch { off, on };              // false, true

// The evaluator of matrix functions with its own settings; a name alone takes the defaults.
enum class BasisProductOf { step, energy };  // of a basis: "step", "energy"
struct EvaluatorSpec {
  static constexpr Signature signature{"type"};
  std::string type = "auto";
  std::optional<std::int64_t> m;    // basis vectors, of those that have a first or fixed number
  std::optional<double> tolerance;  // relative; for expv Expokit's own, absolute and per second
  std::int64_t largest_basis = 60;  // vectors of the state's size
  BasisProductOf inner_product = BasisProductOf::step;
  bool operator==(const EvaluatorSpec&) const = default;
};

enum class Filter { symplectic, gautschi, hochbruck_lubich };

enum class HessianRepair { projection, diagonal };

enum class LinearForm { one_solve, woodbury };

// Every key any method may need; a method reads its own and leaves the others.
struct IntegratorSpec {
  std::string type = "auto";
  double newton_tolerance = 1e-8;  // relative
  std::int64_t newton_limit = 50;
  Switch project_hessian = Switch::on;                           // fall back to the projected stiffness
  HessianRepair hessian_correction = HessianRepair::projection;  // of Newton's method
  Switch halve_step = Switch::on;                                // fall back to two half steps
  double rho_infinity = 0.9;       // generalized-alpha: spectral radius at infinity
  double beta = 0.25;              // newmark
  double gamma = 0.5;              // newmark
  double p = 0.25, q = 1, r = 1;   // zheng: weights of stiffness, damping and mass
  double lambda = 4;               // gui
  double linear_tolerance = 1e-6;  // relative, of solves with a kept factorization
  Refactor refactor = Refactor::automatic;
  std::int64_t modes = 5;                                       // siere, emx: modes that move exactly
  double modes_tolerance = 1e-2;                                // siere: relative eigen-residual
  LinearForm form = LinearForm::one_solve;                      // siere: of its linear system
  std::variant<std::string, EvaluatorSpec> evaluator = "auto";  // exponential methods
  double tolerance = 1e-4;             // exponential methods: of matrix functions, relative
  double error_tolerance = 0;          // embedded pairs: of a step, relative; 0: the step is fixed
  Filter filter = Filter::symplectic;  // gautschi
  double em_tolerance = 1e-3;          // em, emx: of the solver's update, relative
  double energy_tolerance = 1e-4;      // em, emx: of a step's energy, relative
  double dissipation = 1;              // em, emx: the damping dial, 1/3..1
  std::int64_t substeps = 0;           // em, emx, verlet: in a step; 0: as many as it asks for
  bool operator==(const IntegratorSpec&) const = default;
};

// ---- Where ------------------------------------------------------------------------------------------------

struct BoxWhere {
  static constexpr Signature signature{"box"};
  struct Corners {
    Triple low{}, high{};
    bool operator==(const Corners&) const = default;
  } box;
  bool operator==(const BoxWhere&) const = default;
};

struct SphereWhere {
  static constexpr Signature signature{"sphere"};
  struct Sphere {
    Triple center{};
    double radius = 0;
    bool operator==(const Sphere&) const = default;
  } sphere;
  bool operator==(const SphereWhere&) const = default;
};

// The points x with (x - point).normal <= 0: the normal points away from what is selected.
struct HalfSpaceWhere {
  static constexpr Signature signature{"half_space"};
  struct HalfSpace {
    Triple point{};
    Triple normal{};
    bool operator==(const HalfSpace&) const = default;
  } half_space;
  bool operator==(const HalfSpaceWhere&) const = default;
};

// A tag of the mesh, by number or by name.
struct TagWhere {
  static constexpr Signature signature{"tag"};
  std::variant<std::int64_t, std::string> tag;
  bool operator==(const TagWhere&) const = default;
};

struct VerticesWhere {
  static constexpr Signature signature{"vertices"};
  std::vector<std::int64_t> vertices;
  bool operator==(const VerticesWhere&) const = default;
};

struct ElementsWhere {
  static constexpr Signature signature{"elements"};
  std::vector<std::int64_t> elements;
  bool operator==(const ElementsWhere&) const = default;
};

struct AllWhere {
  static constexpr Signature signature{"all"};
  Switch all = Switch::on;
  bool operator==(const AllWhere&) const = default;
};

// Everything within `radius` of the segment from `from` to `to`; a cylinder ends in planes there.
struct CapsuleWhere {
  static constexpr Signature signature{"capsule"};
  struct Capsule {
    Triple from{}, to{};  // m
    double radius = 0;    // m
    bool operator==(const Capsule&) const = default;
  } capsule;
  bool operator==(const CapsuleWhere&) const = default;
};
struct CylinderWhere {
  static constexpr Signature signature{"cylinder"};
  struct Cylinder {
    Triple from{}, to{};  // m
    double radius = 0;    // m
    bool operator==(const Cylinder&) const = default;
  } cylinder;
  bool operator==(const CylinderWhere&) const = default;
};

// Everything within `radius` of a line.
struct AxisWhere {
  static constexpr Signature signature{"axis"};
  struct Line {
    Triple point{};  // m
    Triple direction{};
    double radius = 0;  // m
    bool operator==(const Line&) const = default;
  } axis;
  bool operator==(const AxisWhere&) const = default;
};

enum class Axis { x, y, z };

// Everything within `distance` of the outline of the body seen along an axis: of the border of the convex hull of its
// vertices' projections.
struct OutlineWhere {
  static constexpr Signature signature{"outline"};
  struct Outline {
    Axis along = Axis::z;
    double distance = 0;  // m
    bool operator==(const Outline&) const = default;
  } outline;
  bool operator==(const OutlineWhere&) const = default;
};

// A selection that is made of no other, ...
using PlainWhere = std::variant<BoxWhere, SphereWhere, HalfSpaceWhere, CapsuleWhere, CylinderWhere, AxisWhere,
                                OutlineWhere, TagWhere, VerticesWhere, ElementsWhere, AllWhere>;
// ... everything else, ...
struct NotWhere {
  static constexpr Signature signature{"not"};
  PlainWhere excluded = AllWhere{};
  bool operator==(const NotWhere&) const = default;
};
// ... what at least one of several selects, and what all of them do.
using PartWhere = std::variant<BoxWhere, SphereWhere, HalfSpaceWhere, CapsuleWhere, CylinderWhere, AxisWhere,
                               OutlineWhere, TagWhere, VerticesWhere, ElementsWhere, AllWhere, NotWhere>;
struct AnyWhere {
  static constexpr Signature signature{"any"};
  std::vector<PartWhere> any;
  bool operator==(const AnyWhere&) const = default;
};
struct EveryWhere {
  static constexpr Signature signature{"every"};
  std::vector<PartWhere> every;
  bool operator==(const EveryWhere&) const = default;
};

using Where =
    std::variant<BoxWhere, SphereWhere, HalfSpaceWhere, CapsuleWhere, CylinderWhere, AxisWhere, OutlineWhere,
                 TagWhere, VerticesWhere, ElementsWhere, AllWhere, NotWhere, AnyWhere, EveryWhere>;

// ---- Bodies -----------------------------------------------------------------------------------------------

struct FileMesh {
  static constexpr Signature signature{"file"};
  std::filesystem::path file;  // absolute once read
  bool operator==(const FileMesh&) const = default;
};

struct BoxMesh {
  static constexpr Signature signature{"generate", "box"};
  Triple size{};  // m
  std::array<std::int64_t, 3> cells{};
  bool operator==(const BoxMesh&) const = default;
};

struct BallMesh {
  static constexpr Signature signature{"generate", "ball"};
  double radius = 0;            // m
  std::int64_t resolution = 6;  // layers from the centre to the surface
  double shell = 0;             // m, thickness of the outer region tagged "shell"; 0: none
  bool operator==(const BallMesh&) const = default;
};

struct CylinderMesh {
  static constexpr Signature signature{"generate", "cylinder"};
  double radius = 0;             // m
  double length = 0;             // m, along x
  std::int64_t resolution = 3;   // rings across the radius
  std::int64_t cells_along = 0;  // slices; 0: as long as a ring is wide
  bool operator==(const CylinderMesh&) const = default;
};

// A rope coiled around the y axis.
struct HelixMesh {
  static constexpr Signature signature{"generate", "helix"};
  double coil_radius = 50;  // m
  double height = 265;      // m
  double turns = 5;
  double rope_radius = 7.4;        // m
  std::int64_t resolution = 2;     // rings across the rope
  std::int64_t cells_along = 656;  // slices along it
  bool operator==(const HelixMesh&) const = default;
};

// A sheet of hexagonal holes over the x-y plane.
struct HoneycombMesh {
  static constexpr Signature signature{"generate", "honeycomb"};
  std::array<std::int64_t, 2> cells{7, 6};
  double side = 11.5;          // m, of a cell
  double wall = 3;             // m, between two holes
  double thickness = 10;       // m, of the sheet
  std::int64_t divisions = 3;  // along a side
  std::int64_t layers = 2;     // across the sheet
  bool operator==(const HoneycombMesh&) const = default;
};

struct SpheroidMesh {
  static constexpr Signature signature{"generate", "spheroid"};
  Triple radii{0.05, 0.06, 0.05};  // m
  std::int64_t cells = 11;         // along the greatest diameter
  bool operator==(const SpheroidMesh&) const = default;
};

// Bodies that a lattice of tetrahedra fills: their greatest extent, and the cubes along it.
struct LatticeFill {
  double size = 1;  // m
  std::int64_t cells = 1;
  bool operator==(const LatticeFill&) const = default;
};
struct TreeMesh {
  static constexpr Signature signature{"generate", "tree"};
  LatticeFill fill{138, 103};
  bool operator==(const TreeMesh&) const = default;
};
struct TowerMesh {
  static constexpr Signature signature{"generate", "tower"};
  LatticeFill fill{45, 84};
  bool operator==(const TowerMesh&) const = default;
};
struct BridgeMesh {
  static constexpr Signature signature{"generate", "bridge"};
  LatticeFill fill{240, 140};
  bool operator==(const BridgeMesh&) const = default;
};
struct MoebiusMesh {
  static constexpr Signature signature{"generate", "moebius"};
  LatticeFill fill{120, 34};
  bool operator==(const MoebiusMesh&) const = default;
};
struct HumanMesh {
  static constexpr Signature signature{"generate", "body"};
  LatticeFill fill{1.8, 107};
  bool operator==(const HumanMesh&) const = default;
};
struct ArmMesh {
  static constexpr Signature signature{"generate", "arm"};
  LatticeFill fill{1.82, 49};
  bool operator==(const ArmMesh&) const = default;
};
struct KidneyMesh {
  static constexpr Signature signature{"generate", "kidney"};
  LatticeFill fill{0.102, 6};
  bool operator==(const KidneyMesh&) const = default;
};

// Triangles in the plane z = 0.
struct RectangleMesh {
  static constexpr Signature signature{"generate", "rectangle"};
  std::array<double, 2> size{};  // m, along x and y from the origin
  std::array<std::int64_t, 2> cells{};
  bool operator==(const RectangleMesh&) const = default;
};

struct RightTriangleMesh {
  static constexpr Signature signature{"generate", "triangle"};
  std::array<double, 2> size{};  // m, legs along x and y from the origin
  std::int64_t cells = 0;        // along each side
  bool operator==(const RightTriangleMesh&) const = default;
};

using MeshSpec =
    std::variant<FileMesh, BoxMesh, BallMesh, CylinderMesh, HelixMesh, HoneycombMesh, SpheroidMesh, TreeMesh,
                 TowerMesh, BridgeMesh, MoebiusMesh, HumanMesh, ArmMesh, KidneyMesh, RectangleMesh,
                 RightTriangleMesh>;

inline bool is_flat(const MeshSpec& mesh) {
  return std::holds_alternative<RectangleMesh>(mesh) || std::holds_alternative<RightTriangleMesh>(mesh);
}

enum class SpringLaw { linear, cubic, corotated };

// What all springs of a body share; exactly one of the two stiffnesses is given.
struct SpringStiffness {
  std::optional<double> stiffness;        // N per unit strain: a spring's constant is stiffness / rest length
  std::optional<double> spring_constant;  // N/m, the same for every spring
  SpringLaw law = SpringLaw::linear;
  bool operator==(const SpringStiffness&) const = default;
};

struct RopeSprings {
  static constexpr Signature signature{"generate", "rope"};
  Triple from{}, to{};  // m
  std::int64_t segments = 0;
  SpringStiffness spring;
  double linear_density = 0;  // kg/m
  bool operator==(const RopeSprings&) const = default;
};

struct ClothSprings {
  static constexpr Signature signature{"generate", "cloth"};
  std::array<double, 2> size{};         // m, in the x-z plane from the origin
  std::array<std::int64_t, 2> cells{};  // along x, along z
  SpringStiffness spring;
  double shear = 1;         // stiffness of the diagonal springs over that of the structural ones; 0: none
  double bending = 0;       // the same for springs that skip a particle
  double area_density = 0;  // kg/m^2
  bool operator==(const ClothSprings&) const = default;
};

// A cloth upright at a pole along y.
struct FlagSprings {
  static constexpr Signature signature{"generate", "flag"};
  std::array<double, 2> size{};         // m, in the x-y plane from the origin; the pole is x = 0
  std::array<std::int64_t, 2> cells{};  // along x, along y
  SpringStiffness spring{{}, {}, SpringLaw::cubic};
  double shear = 0.1;
  double bending = 0.01;
  double area_density = 0;  // kg/m^2
  bool operator==(const FlagSprings&) const = default;
};

// What fibres of cuboids are made of.
struct FibreMaterial {
  std::int64_t segments = 8;
  std::array<double, 2> thickness{};  // m, at the root and at the tip
  double young = 0;                   // Pa
  double shear_modulus = 0;           // Pa
  double density = 0;                 // kg/m^3
  bool operator==(const FibreMaterial&) const = default;
};

struct FibreSprings {
  static constexpr Signature signature{"generate", "fibre"};
  Triple from{}, to{};  // m, root and tip
  FibreMaterial fibre;
  bool operator==(const FibreSprings&) const = default;
};

struct SphereGround {
  static constexpr Signature signature{"sphere"};
  struct Sphere {
    Triple center{};    // m
    double radius = 0;  // m
    double cap = 180;   // degrees from the pole +y
    bool operator==(const Sphere&) const = default;
  } sphere;
  bool operator==(const SphereGround&) const = default;
};

struct PlateGround {
  static constexpr Signature signature{"plate"};
  struct Plate {
    Triple center{};               // m
    std::array<double, 2> size{};  // m, along x and z; the normal is +y
    bool operator==(const Plate&) const = default;
  } plate;
  bool operator==(const PlateGround&) const = default;
};

struct FileGround {
  static constexpr Signature signature{"file"};
  std::filesystem::path file;  // absolute once read
  bool operator==(const FileGround&) const = default;
};

using FibreGround = std::variant<SphereGround, PlateGround, FileGround>;

// Many fibres on a surface, evenly spread.
struct FibresSprings {
  static constexpr Signature signature{"generate", "fibres"};
  FibreGround on = SphereGround{};
  std::int64_t count = 0;
  double length = 0;                // m
  std::optional<Triple> direction;  // absent: the surface's normals
  FibreMaterial fibre;
  bool operator==(const FibresSprings&) const = default;
};

// Springs on the edges of a tetrahedral mesh and from its vertices to the opposite faces.
struct TetraSprings {
  static constexpr Signature signature{"generate", "tetrahedra"};
  MeshSpec mesh;
  SpringStiffness spring;
  double diagonal = 0;  // strength of the springs to the faces over that of the edges; 0: none
  double density = 0;   // kg/m^3
  bool operator==(const TetraSprings&) const = default;
};

struct GirderSprings {
  static constexpr Signature signature{"generate", "girder"};
  Triple size{};  // m: length along x, height along y, width along z
  std::int64_t bays = 0;
  SpringStiffness spring;
  double shear = 1;           // of the diagonals over that of the others; 0: none
  double linear_density = 0;  // kg/m, of every bar
  bool operator==(const GirderSprings&) const = default;
};

// Springs on the edges of a file's triangles and lines.
struct FileSprings {
  static constexpr Signature signature{"file"};
  std::filesystem::path file;  // absolute once read
  SpringStiffness spring;
  double bending = 0;                    // of the springs across edges and along lines over that of the edges
  std::optional<double> area_density;    // kg/m^2
  std::optional<double> linear_density;  // kg/m
  bool operator==(const FileSprings&) const = default;
};

using SpringsSpec = std::variant<RopeSprings, ClothSprings, FlagSprings, FibreSprings, FibresSprings,
                                 TetraSprings, GirderSprings, FileSprings>;

// What a region changes of its body's springs.
struct SpringChange {
  std::optional<double> stiffness;        // N per unit strain
  std::optional<double> spring_constant;  // N/m
  std::optional<double> factor;           // of what the springs have
  std::optional<SpringLaw> law;
  bool operator==(const SpringChange&) const = default;
};

// A per-element field of the mesh file.
struct MeshField {
  static constexpr Signature signature{"field"};
  std::string field;
  bool operator==(const MeshField&) const = default;
};
using MaterialValue = std::variant<double, MeshField>;

enum class MaterialLaw { linear, corotated, arap, stvk, neo_hookean, stable_neo_hookean, spline };
enum class Volumetric { log, isochoric };

// A smooth curve through points.
struct CurveSpec {
  std::vector<double> knots;   // ascending
  std::vector<double> values;  // one for each knot
  bool operator==(const CurveSpec&) const = default;
};

struct MaterialSpec {
  MaterialLaw type = MaterialLaw::neo_hookean;
  MaterialValue young;          // Pa
  MaterialValue poisson = 0.3;  // -1 < nu < 0.5
  MaterialValue density;        // kg/m^3
  Volumetric volumetric = Volumetric::log;
  std::optional<CurveSpec> f, g, h;  // of `spline`: derivatives in units of Young's modulus
  bool operator==(const MaterialSpec&) const = default;
};

// What a region changes of its body's material.
struct MaterialChange {
  std::optional<MaterialLaw> type;
  std::optional<MaterialValue> young, poisson, density;
  std::optional<Volumetric> volumetric;
  std::optional<CurveSpec> f, g, h;
  bool operator==(const MaterialChange&) const = default;
};

MaterialSpec changed(MaterialSpec material, const MaterialChange& change);

// Elements are selected by their centroid (springs by their middle); a later region wins over an earlier one.
struct RegionSpec {
  Where where = AllWhere{};
  std::optional<MaterialChange> material;  // of a solid body
  std::optional<SpringChange> springs;     // of a body made of springs
  bool operator==(const RegionSpec&) const = default;
};

enum class ElementKind { tet4, tet10, tri3, dg_bz, dg_ip };
inline bool is_plane(ElementKind element) {
  return element == ElementKind::tri3 || element == ElementKind::dg_bz || element == ElementKind::dg_ip;
}
inline bool is_discontinuous(ElementKind element) {
  return element == ElementKind::dg_bz || element == ElementKind::dg_ip;
}
enum class MassKind { lumped, consistent };
enum class StiffnessOf { rest, current };

// Rayleigh damping D = mass M + stiffness K.
struct DampingSpec {
  double mass = 0;       // 1/s
  double stiffness = 0;  // s
  StiffnessOf stiffness_of = StiffnessOf::rest;
  bool operator==(const DampingSpec&) const = default;
};

// Applied in the order scale, rotate, translate.
struct TransformSpec {
  struct Rotation {
    Triple axis{0, 0, 1};
    double angle = 0;  // degrees
    bool operator==(const Rotation&) const = default;
  };
  double scale = 1;
  Rotation rotate;
  Triple translate{};  // m
  bool operator==(const TransformSpec&) const = default;
};

struct StretchSpec {
  Axis axis = Axis::x;
  double factor = 1;  // length over rest length
  bool operator==(const StretchSpec&) const = default;
};

struct TwistSpec {
  Axis axis = Axis::x;
  double angle = 0;  // degrees over the whole length, linear
  bool operator==(const TwistSpec&) const = default;
};

// The centre line becomes a circular arc.
struct BendSpec {
  Axis axis = Axis::x;
  Axis toward = Axis::y;
  double angle = 0;  // degrees between the ends
  bool operator==(const BendSpec&) const = default;
};

// A shape of the body's own free vibration about rest.
struct ModeSpec {
  std::int64_t index = 1;  // from the lowest elastic one on; rigid motions do not count
  double amplitude = 0;    // m, of the vertex that moves most
  bool operator==(const ModeSpec&) const = default;
};

// The initial state. Deformations act on the rest shape in the order stretch, twist, bend; each leaves the
// body's low end along `axis` (the bounding box's) in place and acts about the axis through
// the bounding box's centre.
struct InitialSpec {
  Triple velocity{};          // m/s
  Triple angular_velocity{};  // rad/s, about the centre of mass
  std::optional<StretchSpec> stretch;
  std::optional<TwistSpec> twist;
  std::optional<BendSpec> bend;
  std::optional<ModeSpec> mode;                // added to the deformations
  std::optional<std::filesystem::path> state;  // instead of all others: a frame or a run; absolute once read
  bool operator==(const InitialSpec&) const = default;
};

// Either a solid (mesh and material) or springs.
struct BodySpec {
  std::string name;
  std::optional<MeshSpec> mesh;
  std::optional<MaterialSpec> material;
  std::vector<RegionSpec> regions;
  std::optional<SpringsSpec> springs;
  ElementKind element = ElementKind::tet4;  // of a solid, or of a plane body
  std::optional<double> penalty;            // N/m^3, of discontinuous triangles
  MassKind mass = MassKind::lumped;
  DampingSpec damping;
  TransformSpec transform;
  InitialSpec initial;
  bool operator==(const BodySpec&) const = default;
};

// ---- Constraints, forces, contacts ------------------------------------------------------------------------

struct FixConstraint {
  static constexpr Signature signature{"type", "fix"};
  std::string body;
  Where where = AllWhere{};
  std::optional<double> until;  // s; absent: for ever
  bool operator==(const FixConstraint&) const = default;
};

struct PathPoint {
  double time = 0;  // s
  Triple offset{};  // m, from where the vertex was at the start
  bool operator==(const PathPoint&) const = default;
};

// A swing: sin(2 pi frequency (t - from) + phase) - sin(phase) times a shift and a rotation; 0 before `from`, and from
// `until` on it stays where it is.
struct SineSpec {
  Triple translate{};  // m
  TransformSpec::Rotation rotate;
  double frequency = 0;         // Hz
  double phase = 0;             // degrees
  double from = 0;              // s
  std::optional<double> until;  // s; absent: for ever
  bool operator==(const SineSpec&) const = default;
};

// Linear between the points of the path, held before the first and after the last; swings are added.
struct MoveConstraint {
  static constexpr Signature signature{"type", "move"};
  std::string body;
  Where where = AllWhere{};
  std::vector<PathPoint> path;
  std::vector<SineSpec> sine;
  std::optional<double> until;  // s
  bool operator==(const MoveConstraint&) const = default;
};

struct FrameKey {
  double time = 0;     // s
  Triple translate{};  // m
  TransformSpec::Rotation rotate;
  bool operator==(const FrameKey&) const = default;
};

// A rigid motion, from the place at the start: rotation about the pivot, then translation. Constant velocity
// and turning speed between the keys, or smooth (at rest at every key); held outside. Swings are added, one after the
// other.
struct RigidMotionSpec {
  Triple pivot{};  // m
  std::vector<FrameKey> keys;
  std::vector<SineSpec> sine;
  Switch smooth = Switch::off;
  bool operator==(const RigidMotionSpec&) const = default;
};

// Vertices that follow a rigid frame.
struct FrameConstraint {
  static constexpr Signature signature{"type", "frame"};
  std::string body;
  Where where = AllWhere{};
  RigidMotionSpec motion;
  std::optional<double> until;  // s
  bool operator==(const FrameConstraint&) const = default;
};

// Vertices that go where a file says (docs/contact.md describes it).
struct MotionConstraint {
  static constexpr Signature signature{"type", "motion"};
  std::string body;
  std::filesystem::path file;   // absolute once read
  std::optional<double> until;  // s
  bool operator==(const MotionConstraint&) const = default;
};

using ConstraintSpec = std::variant<FixConstraint, MoveConstraint, FrameConstraint, MotionConstraint>;

// A force acts while from <= t < until.
struct TimeWindow {
  double from = 0;              // s
  std::optional<double> until;  // s; absent: for ever
  bool operator==(const TimeWindow&) const = default;
};

// A change of strength: the factor 1 + amplitude sin(2 pi frequency t).
struct GustSpec {
  double amplitude = 0;  // as a fraction
  double frequency = 0;  // Hz
  bool operator==(const GustSpec&) const = default;
};
// A point of a factor over time, linear in between.
struct ProfilePoint {
  double time = 0;  // s
  double factor = 1;
  bool operator==(const ProfilePoint&) const = default;
};
struct ForceInTime {
  TimeWindow window;
  GustSpec gust;
  std::vector<ProfilePoint> profile;  // empty: 1
  bool operator==(const ForceInTime&) const = default;
};

struct UniformForce {
  static constexpr Signature signature{"type", "uniform"};
  std::optional<std::string> body;  // absent: every body
  Triple acceleration{};            // m/s^2
  ForceInTime in_time;
  bool operator==(const UniformForce&) const = default;
};

// The same force on the vertex nearest to `at`, or on each vertex of `where`.
struct PointForce {
  static constexpr Signature signature{"type", "point"};
  std::string body;
  std::optional<Triple> at;  // m
  std::optional<Where> where;
  Triple force{};  // N
  ForceInTime in_time;
  bool operator==(const PointForce&) const = default;
};

// A load spread over a region: `force` is its total, shared by mass; exactly one of the three is given.
struct RegionForce {
  static constexpr Signature signature{"type", "region"};
  std::string body;
  Where where = AllWhere{};
  std::optional<Triple> force;          // N
  std::optional<Triple> acceleration;   // m/s^2
  std::optional<Triple> force_density;  // N/m^3
  ForceInTime in_time;
  bool operator==(const RegionForce&) const = default;
};

// Drag on the surface: air moves with velocity (1 + amplitude sin(2 pi frequency t)).
struct WindForce {
  static constexpr Signature signature{"type", "wind"};
  std::optional<std::string> body;  // absent: every body
  Triple velocity{};                // m/s
  GustSpec gust;
  double air_density = 1.225;   // kg/m^3
  double drag_coefficient = 1;  // of a surface element facing the wind
  TimeWindow window;
  bool operator==(const WindForce&) const = default;
};

// A Stokes fluid around a body, by regularized Stokeslets at its vertices.
struct StokesForce {
  static constexpr Signature signature{"type", "stokes"};
  std::string body;
  Where where = AllWhere{};
  double viscosity = 0;  // Pa s
  double radius = 0;     // m, the regularization: about the thickness of the fibre
  bool operator==(const StokesForce&) const = default;
};

// A torque between two parts of a body, about the line from one vertex to another.
struct MotorForce {
  static constexpr Signature signature{"type", "motor"};
  std::string body;
  std::array<std::int64_t, 2> axis{};  // vertices
  Where rotor = AllWhere{}, stator = AllWhere{};
  double torque = 0;  // N m on the rotor, the opposite on the stator
  TimeWindow window;
  bool operator==(const MotorForce&) const = default;
};

using ForceSpec = std::variant<UniformForce, PointForce, RegionForce, WindForce, StokesForce, MotorForce>;

enum class ContactMode { project, penalty };
enum class AtStart { error, push };

// How an obstacle is met.
struct ObstacleSpec {
  ContactMode mode = ContactMode::project;
  double friction = 0;                                   // Coulomb's coefficient
  double slip_speed = 0.01;                              // m/s, of friction in `penalty`
  double thickness = 0;                                  // m, kept between vertex and surface
  double stiffness = 1e5;                                // N/m per vertex, of `penalty`
  std::optional<AtStart> at_start = std::nullopt;        // absent: error for `project`, nothing for `penalty`
  std::optional<std::string> body = std::nullopt;        // absent: every body
  std::optional<RigidMotionSpec> motion = std::nullopt;  // of the obstacle; absent: it stays
  bool operator==(const ObstacleSpec&) const = default;
};

// A floor under y = height.
struct FloorContact {
  static constexpr Signature signature{"type", "floor"};
  double height = 0;  // m
  ObstacleSpec how{.mode = ContactMode::penalty};
  bool operator==(const FloorContact&) const = default;
};

// The half space behind a plane: the normal points to where bodies may be.
struct PlaneContact {
  static constexpr Signature signature{"type", "plane"};
  Triple point{};  // m
  Triple normal{0, 1, 0};
  ObstacleSpec how;
  bool operator==(const PlaneContact&) const = default;
};

struct SphereContact {
  static constexpr Signature signature{"type", "sphere"};
  Triple center{};    // m
  double radius = 0;  // m
  ObstacleSpec how;
  bool operator==(const SphereContact&) const = default;
};

struct CapsuleContact {
  static constexpr Signature signature{"type", "capsule"};
  Triple from{}, to{};  // m, ends of the axis
  double radius = 0;    // m
  ObstacleSpec how;
  bool operator==(const CapsuleContact&) const = default;
};

struct BoxContact {
  static constexpr Signature signature{"type", "box"};
  Triple center{};  // m
  Triple size{};    // m, edge lengths
  TransformSpec::Rotation rotate;
  ObstacleSpec how;
  bool operator==(const BoxContact&) const = default;
};

// The inside of a closed surface: that of a surface file, or of tetrahedra.
struct SurfaceContact {
  static constexpr Signature signature{"type", "surface"};
  MeshSpec mesh;
  TransformSpec transform;
  ObstacleSpec how;
  bool operator==(const SurfaceContact&) const = default;
};

// Particles keep their distance from one another, by inelastic impulses at the ends of steps.
struct ParticlesContact {
  static constexpr Signature signature{"type", "particles"};
  double distance = 0;  // m
  double friction = 0;
  std::vector<std::string> bodies;  // empty: every body
  bool operator==(const ParticlesContact&) const = default;
};

using ContactSpec = std::variant<FloorContact, PlaneContact, SphereContact, CapsuleContact, BoxContact,
                                 SurfaceContact, ParticlesContact>;

// ---- Coarsening ---------------------------------------------------------------------------------------------

enum class CoarseningType { eigenfit, dac };
enum class OnMismatch { go_on, stop, ignore };

// The finer mesh of a body: another mesh, or its own, each tetrahedron divided into eight, so many times.
struct FineSpec {
  std::optional<MeshSpec> mesh;
  std::optional<std::int64_t> refine;
  bool operator==(const FineSpec&) const = default;
};

// A coarse mesh that moves like a fine one: its leading eigenvalues times ratios, which come from the finer mesh at
// rest, or by hand.
struct CoarseningSpec {
  CoarseningType type = CoarseningType::eigenfit;
  std::optional<std::string> body;    // absent: the only solid
  std::optional<std::int64_t> modes;  // elastic ones; absent: 10, or as many as there are ratios
  std::optional<FineSpec> fine;
  std::optional<std::vector<double>> ratios;  // fine over coarse eigenvalue
  double modes_tolerance = 0.2;               // energy angle of the modes in motion
  Switch fit_damping = Switch::off;           // damping by stiffness is corrected, too
  OnMismatch on_mismatch = OnMismatch::go_on;
  bool operator==(const CoarseningSpec&) const = default;
};

// ---- What to record ---------------------------------------------------------------------------------------

struct ProbeSpec {
  std::string name;
  std::string body;
  Triple at{};  // m
  bool operator==(const ProbeSpec&) const = default;
};

enum class FrameFormat { vtu };

struct OutputSpec {
  std::int64_t every = 1;  // steps
  std::vector<FrameFormat> formats = {FrameFormat::vtu};
  Switch measures = Switch::off;   // area, speed, contact work of every step
  std::int64_t modes = 0;          // lowest modes whose eigenvalues are followed
  Switch condition = Switch::off;  // of the matrices of implicit methods
  bool operator==(const OutputSpec&) const = default;
};

// ---- The scene --------------------------------------------------------------------------------------------

struct Scene {
  std::int64_t phiflex = 1;  // version of the scene format
  std::string name;          // by default the file's
  TimeSpec time;
  IntegratorSpec integrator;
  Triple gravity{};  // m/s^2
  std::vector<BodySpec> bodies;
  std::vector<ConstraintSpec> constraints;
  std::vector<ForceSpec> forces;
  std::vector<ContactSpec> contacts;
  std::vector<ProbeSpec> probes;
  std::optional<CoarseningSpec> coarsening;
  OutputSpec output;
  bool operator==(const Scene&) const = default;
};

}  // namespace phiflex
