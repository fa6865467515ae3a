// A body of linear tetrahedra that moves on a device. Its state stays there between steps; the host sees what it asks
// for.
//
//   verlet   w = v + h/2 a(x),   x+ = x + h w,   v+ = w + h/2 a(x+)        in substeps of h/n               (1)
//   si       (M/h^2 + K) y = f - h K v,   v+ = v + y/h,   x+ = x + h v+                                   (2)
//   em       M (w - v) = h/2 f_em(x, x + h w),   x+ = x + h w,   v+ = 2 w - v                             (3)
//   be       M (w - v) = h (f(x + h w) + M gravity),   x+ = x + h w,   v+ = w                             (4)
//   midpoint M (w - v) = h/2 (f(x + h/2 w) + M gravity),   x+ = x + h w,   v+ = 2 w - v                   (5)
//   ere      (x+; v+) = (x; v) + h phi_1(h J) (v; a),   J = (0 1; -M^-1 K 0)                              (6)
//
// with a = f/m + gravity and lumped masses. f, and so f_em, holds loads and damping, at the times and velocities at
// which the host takes them; then (2) has K + beta K*/h and (1 + h alpha) M in their places. (2) is the semi-implicit
// Euler step of integrate/si.cpp, solved by conjugate gradients. Forces, energies and vectors are in double; K is in
// float (tet_kernels.h), so that y is the solution of (2) with a K that is wrong by some 1e-7: the step stays as
// accurate as its tolerance allows. (3) is the energy-momentum step of integrate/em_method.h (em_stepper.h says how it
// is solved): K only leads its iterations, the residual is in double, and so it is in (4) and (5) (newton_stepper.h).
// (6), the step of integrate/ere.cpp, is one with the K in float (ere_stepper.h).
//
// The same bits in every run on the same device: no sum has an order that is left open.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace phiflex::device {

// Of conjugate gradients: the inverse of the diagonal blocks, or a multigrid by aggregation (multigrid.h), which needs
// fewer iterations and more launches. Automatic: the multigrid for large bodies in long steps (conjugate_gradients.h,
// (4)).
enum class DevicePreconditioner { automatic, diagonal, multigrid };

// Forces on vertices with a strength that changes in time.
struct DeviceLoad {
  std::vector<double> forces;              // N at a factor of 1, three numbers for each vertex
  std::function<double(double t)> factor;  // at a time, s
  std::function<double(double t)> rate;    // its derivative, 1/s; of loads in steps of ere always 0
};

// Held vertices that move.
struct DeviceMotion {
  std::vector<int> vertices;
  // Their positions, m, and velocities, m/s, at a time: three numbers for each.
  std::function<void(double t, std::span<double> x, std::span<double> v)> at;
};

struct DeviceTets {
  std::string law;                            // a name of material/catalogue.h; `spline` is not on devices
  std::vector<double> rest;                   // three coordinates for each vertex, m
  std::vector<std::array<int, 4>> tets;       // vertices
  std::vector<double> parameters;             // the law's, of each tetrahedron, one after the other
  std::vector<double> masses;                 // of each vertex, kg
  std::vector<char> held;                     // of each vertex; not 0: no forces move it
  std::array<double, 3> gravity = {0, 0, 0};  // m/s^2
  DeviceMotion motion = {};                   // not of ere
  std::vector<DeviceLoad> loads = {};
  // Rayleigh damping, f = -(alpha M + beta K*) v; of em Kelvin and Voigt's with eta = beta. Not of ere. Empty: none.
  std::vector<double> alpha = {};  // 1/s, of each vertex
  std::vector<double> beta = {};   // s, of each tetrahedron
  bool damps_current = false;      // K* is the exact stiffness at the current positions, else at rest
  DevicePreconditioner preconditioner = DevicePreconditioner::automatic;
};

enum class [[nodiscard]] DeviceStatus{
    ok,
    not_finite,              // an element left its material's domain
    not_positive_definite,   // the step's matrix, even with the projected stiffness
    not_converged,           // a solve reached its limit
    not_stable,              // verlet: no number of substeps is stable up to the end of the step
    function_not_evaluated,  // ere: a series did not reach its tolerance
};

struct DeviceStep {
  DeviceStatus status = DeviceStatus::ok;
  int iterations = 0;      // of conjugate gradients
  bool projected = false;  // the exact stiffness was not positive definite
  int assemblies = 0;
  int substeps = 1;        // made by verlet; of em those asked for, halves not counted
  int rejected_steps = 0;  // of verlet: made again with more substeps
  // Of em, be and midpoint.
  int newton_iterations = 0;
  int halved_steps = 0;        // substeps that did not converge and were made by two halves
  int line_search_steps = 0;   // iterates that were drawn back, out of the material's domain for one
  int raised = 0;              // multiples of the mass that were added to a matrix
  double modified_energy = 0;  // em: the dial's part of E* after the step, J
  double external_work = 0;    // em: done by the loads and by the movers of vertices, J
  double dissipated = 0;       // em: by damping, J
  // Of ere.
  int products = 0;           // with K, those of the series and of the bounds of its interval
  double function_error = 0;  // the bound of the series' error, relative
};

// Settings of em, as in integrate/em_options.h.
struct DeviceEmOptions {
  double em_tolerance = 1e-3;      // of an update, relative to the step's change of velocity
  double energy_tolerance = 1e-4;  // of the energy of a step, relative to its kinetic energy
  double dissipation = 1;          // the dial, 1/3..1; 1: none
  int substeps = 0;                // in a step; 0: as the motion asks for
};

// Settings of be and midpoint, as in integrate/newton_options.h.
struct DeviceNewtonOptions {
  bool midpoint = false;           // else backward Euler
  double newton_tolerance = 1e-8;  // of the update, relative to the velocities
  int newton_limit = 50;           // iterations
  bool project_hessian = true;     // where the matrix is not positive definite
  bool raise_diagonal = false;     // instead: hessian_correction is "diagonal"
  bool halve_step = true;          // where a step does not converge
};

// Settings of ere, as in integrate/ere.cpp.
struct DeviceEreOptions {
  double tolerance = 1e-4;      // of the series, relative to the step's change
  bool project_hessian = true;  // where the stiffness is indefinite and what grows outgrows the step
};

// Of the functions of an eigenvalue of M^-1 K that make a step of ere: the changes of position and of velocity, each
// from the velocity and from the acceleration, as Chebyshev series on an interval, middle - radius to middle + radius,
// 1/s^2.
struct DeviceSeries {
  enum class Outcome { ok, not_finite, not_resolved } outcome = Outcome::ok;
  double middle = 0, radius = 0;
  std::vector<std::array<double, 4>>
      coefficients;                    // of degree 0, 1, ...: x from v, x from a, v from v, v from a
  std::array<double, 4> largest = {};  // of all degrees
};
// What ere computes on the host. The same answers in every call: steps ask again only when something has changed.
class DeviceSeriesMaker {
 public:
  virtual ~DeviceSeriesMaker() = default;
  // For steps of h, as accurate as doubles allow; not_resolved where that takes more than largest_degree.
  virtual DeviceSeries make(double low, double high, double h, int largest_degree) = 0;
  // The smallest and the largest eigenvalue, as Lanczos steps with these numbers estimate them: alpha_j, and beta_j
  // beside the diagonal, the last of which is the size of what is left.
  virtual std::array<double, 2> ends_of_spectrum(const std::vector<double>& alpha,
                                                 const std::vector<double>& beta) = 0;
};

struct DeviceEnergy {
  double kinetic = 0, elastic = 0, gravity = 0;  // J; gravity is 0 at rest
  double total() const { return kinetic + elastic + gravity; }
};

class DeviceBody {
 public:
  virtual ~DeviceBody() = default;
  virtual std::string device() const = 0;  // such as "NVIDIA H200"
  // Three numbers for each vertex, in the order of DeviceTets: positions, m, and velocities, m/s. Held vertices keep
  // the positions they are given, and their velocities are 0, until set_time() moves them.
  virtual void set_state(std::span<const double> x, std::span<const double> v) = 0;
  virtual void state(std::span<double> x, std::span<double> v) const = 0;
  // When the next step begins, s; 0 at first, and after a step its end. Vertices that move are where they are then.
  virtual void set_time(double t) = 0;
  // The same of the free vertices alone, in ascending order, without a detour.
  virtual int free_vertices() const = 0;
  virtual void free_state(std::span<double> x, std::span<double> v) const = 0;
  virtual DeviceEnergy energy() = 0;
  // The elastic force at the state, 0 on held vertices, N.
  virtual void elastic_force(std::span<double> f) = 0;
  // K at the state, and y = K p with it; p counts as 0 on held vertices.
  virtual void assemble(bool projected) = 0;
  virtual void product(std::span<const double> p, std::span<double> y) = 0;

  // How long a substep of verlet may be at the state, s: nine tenths of 2/sqrt(|M^-1 K|), in the infinity norm over the
  // free coordinates, and less where something damps (integrate/stable_step.h, (1)); 0: K is not finite.
  virtual double stable_substep() = 0;
  // A step that fails leaves the state as it was. substeps: 0 takes the fewest that are stable at both ends of the
  // step, and no more than 20,000 (integrate/verlet.cpp).
  virtual DeviceStep step_verlet(double h, int substeps) = 0;
  // tolerance: of the residual in the norm of the inverse block diagonal, relative to the right-hand side.
  virtual DeviceStep step_si(double h, double tolerance) = 0;
  virtual DeviceStep step_em(double h, const DeviceEmOptions& options) = 0;
  // Takes the memory that em needs, so that it is missing here and not in the middle of a run.
  virtual void reserve_em(const DeviceEmOptions& options) = 0;
  // be and midpoint.
  virtual DeviceStep step_newton(double h, const DeviceNewtonOptions& options) = 0;
  virtual void reserve_newton() = 0;
  // maker: one and the same in all steps of a body.
  virtual DeviceStep step_ere(double h, const DeviceEreOptions& options, DeviceSeriesMaker& maker) = 0;
  virtual void reserve_ere() = 0;

  // Everything that the next step depends on but the places of held vertices, as numbers; a body of the same tetrahedra
  // with its held vertices at the same places that restores them continues bit for bit. restore() returns false, and
  // does nothing, when they are not such numbers.
  virtual std::vector<double> saved() const = 0;
  virtual bool restore(std::span<const double> numbers) = 0;
};

// On the CPU, one item after the other: what a card computes, for tests. std::invalid_argument for input that does not
// fit.
std::unique_ptr<DeviceBody> make_serial_body(const DeviceTets& tets);

}  // namespace phiflex::device
