// EigenFit: what a coarse mesh lacks to move like a fine one. A coarse mesh is numerically stiffer: of its leading
// modes K U = M U L, U'M U = I, each oscillates too fast, by the square root of r_i = lambda_fine,i/lambda_i at
// rest. With the modes of the beginning of the step,
//
//   K+ = K + M U (R - I) L U'M,       f+ = f + M U (R - I) U'f_elastic                                    (1)
//
// give mode i the stiffness r_i lambda_i (the elastic force only: scaled loads would leave the static deflection
// what it was on the coarse mesh). Within a step U, L and R are frozen at its beginning (t_n, q_n), and the
// correction of the force is that of the linearized elastic force,
//
//   f+ = f + W [(R - I) U'(f_elastic - beta K* v_n) + (t - t_n) g_n - (R - I) L W'(q - q_n) - B W'(v - v_n)],   W = M U   (2)
//
// g_n = (R - I) (L W'v_n - U'K v_n), K and K* taken with the velocities of moved vertices, too: along the motion of
// the moment the elastic force of the modes changes as it does, also where U is known to a residual only. To first
// order in the step (2) is (1), for linear materials exactly, and K+ is its derivative wherever in the step a method
// looks. Damping by stiffness, D+ = D + W B W' with B_i = (r_i - 1) u_i'(beta K*) u_i, is corrected like the stiffness
// it is made of, so that a mode decays as on the fine mesh (EigenFitOptions::damping; else both its terms are left
// out).
//
// In motion modes change, mix and swap their places. A mode's ratio is that of the modes at rest it is made of,
//
//   r_i = 1 + w_i sum_j G_ij^2 (r_j(rest) - 1),   G = U'M (Q U_rest),                                   (3)
//   w_i = u_i'Q K_rest Q'u_i/lambda_i, at most 1,                                                         (4)
//
// Q the rotations of the vertices since rest, or the identity, whichever finds more of them (modes of a linear
// material do not turn). It follows a swap and does not care how a multiple eigenvalue's modes are chosen. What a load
// has added to the stiffness of a mode, such as that of tension, is not too stiff on a coarse mesh: w_i is the part of
// the stiffness that the rest shape has.
// Safeguard: at least half of the (elastic) modes at rest must be found again, with an entry of G above 0.6. Where
// they are not, ratios at rest say nothing of the body any more, and the correction is switched off, for good.
//
// Chen, Levin, Kaufman, Ascher, Pai: EigenFit for consistent elastodynamic simulation across mesh resolution, 2019.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "phiflex/base/archive.h"
#include "phiflex/linalg/followed_modes.h"
#include "phiflex/linalg/low_rank.h"
#include "phiflex/model/deformable_tangent.h"

namespace phiflex {

enum class FittedDamping { as_stiffness, none };  // B of (2), or B = 0
enum class Safeguard { on, off };

struct EigenFitOptions {
  double modes_tolerance = 0.2;  // of the modes in motion: (1) of linalg/followed_modes.h
  FittedDamping damping = FittedDamping::none;
  Safeguard safeguard = Safeguard::on;
  LowRankSolve solve = LowRankSolve::one_solve;  // of its part of implicit matrices
};

// How many modes are found again: columns of G with an entry above 0.6 in size.
constexpr double kModeMatch = 0.6;
Index matched_columns(const Matrix& G);

// Changes only in update(), which the owner calls at the beginning of every step. An EigenFitSystem reads it.
class EigenFitCorrection {
 public:
  static constexpr Index kMostModes = 256;

  // ratios: one for each of the lowest modes of the model at rest, 1 where nothing is to be corrected (rigid modes);
  // rest: these modes, and any number of them above, which guard the last in motion. The model must outlive the
  // correction. Throws std::invalid_argument for more than kMostModes.
  EigenFitCorrection(const DeformableModel& model, Modes rest, Vector ratios, const EigenFitOptions& options);

  // The correction of the step that begins here.
  void update(const State& now, Work& work);
  // Corrects nothing from now on.
  void switch_off(std::string reason);

  bool trivial() const { return trivial_; }  // all ratios are 1: nothing is ever changed
  // Why it is switched off, in words; empty while it is on.
  const std::string& reason() const { return reason_; }
  bool is_off() const { return !reason_.empty(); }
  const Vector& ratios() const { return ratios_; }  // at rest
  Index matched() const { return matched_; }        // modes at rest found again at the latest update

  // Empty when there is nothing to correct.
  const LowRank& low_rank() const { return low_rank_; }
  void add_force(const State& at, Vector& f) const;  // (2)
  void add_load_rate(Vector& g) const;               // the part of (2) that changes with time
  // The model's own exact tangent of the latest update; where has_force_at() holds, it is that of the state.
  const AssembledTangent& tangent() const { return *tangent_; }
  bool damping_changes() const { return damping_changes_; }  // D of it, from one update to the next
  // Whether the latest update was at this state: then tangent() and model_force() are those of the state.
  bool has_force_at(const State& at) const;
  const Vector& model_force() const { return force_; }

  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  // Vectors of a number per mode on the stack: forces are asked for by several threads at once.
  using Modal = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kMostModes, 1>;

  bool prepare_inverse(Work& work);
  bool update_modes(const State& now, Work& work);
  bool match(const State& now);
  void set_share_at_rest();
  void set_low_rank();
  void set_forces(const State& now);
  void set_elastic_force(const State& now);
  void set_damping();
  void expand(const Vector& free, Vector& all) const;  // zero on held vertices

  const DeformableModel& model_;
  Modes rest_;
  Vector ratios_;
  EigenFitOptions options_;
  bool trivial_;
  Index elastic_modes_;  // of the modes at rest: the last so many
  std::string reason_;

  std::unique_ptr<DeformableTangent> tangent_;
  State origin_, at_, modes_at_, inverse_at_;
  ImplicitMatrix inverse_matrix_;  // M + s K of inverse_at_, turned with the body
  FollowedModes followed_;
  Index refreshes_ = 0;  // of the steps before this one, in a row
  // From the modes at rest, from the latest refresh and from the inverse to now; from the inverse to the refresh.
  BlockRotations since_rest_, since_refresh_, since_inverse_, between_;
  bool turns_ = true;  // Q of (3) is the rotations, not the identity
  bool modes_changed_ = true;
  bool damping_changes_;                    // it is by the current stiffness, or loads have a drag
  bool contacts_ = false, others_ = false;  // terms that are not elastic: with a stiffness, and any
  Matrix DU_;
  Matrix turned_rest_, G_, G_turned_;
  Index matched_ = 0;
  LowRank low_rank_;
  std::optional<SparseMatrix> stiffness_at_rest_;  // K_rest of (4)
  Matrix turned_back_;                             // Q'U
  Vector share_at_rest_;                           // w_i of (4)
  Vector change_;                                  // r_i - 1 of (3)
  Vector modal_force_, modal_rate_, modal_q_;      // of (2): what does not depend on q, t - t_n, W'q_n
  Vector inner_;                                   // W'v_n
  Vector force_;                                   // of the model
  Vector x_, v_, y_, z_, f_;                       // working memory, all vertices but for f_
};

}  // namespace phiflex
