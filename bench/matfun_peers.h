// Runs the peers of bench_matfun on the exponential of one matrix: each in a process of its own, on one thread,
// timed by itself without reading and writing.
//
// The increment of a step, dw = h phi_1(h J) (v; a), is the exponential of an augmented matrix,
//
//   exp [ h J  c ] [ 0 ] = [ phi_1(h J) c ],   c = h (v; a).                                              (1)
//       [  0   0 ] [ 1 ]   [      1       ]
//
// The peers get it in the variables most favourable to them: mass-weighted, displacements times w_max (then |h J|
// is h w_max, not h w_max^2), and c of length 1, since their tolerances are relative to the whole.
#pragma once

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/moving_bar.h"
#include "phiflex/linalg/matrix_market.h"

namespace phiflex::bench {

struct PeerResult {
  double seconds = 0;
  long products = 0;
  Vector increment;  // dw
};

class Peers {
 public:
  Peers(const Moment& moment, double h, double w_max)
      : n_(moment.dofs()),
        folder_(std::filesystem::temp_directory_path() / ("bench_matfun_" + std::to_string(getpid()))) {
    const Vector root = moment.mass().diagonal().cwiseSqrt();
    std::vector<Eigen::Triplet<double>> entries;
    const GeneralMatrix K = moment.K().to_eigen();
    for (Index i = 0; i < n_; ++i) {
      entries.emplace_back(i, n_ + i, h * w_max);
      for (GeneralMatrix::InnerIterator entry(K, i); entry; ++entry)
        entries.emplace_back(n_ + i, entry.col(), -h / w_max * entry.value() / (root[i] * root[entry.col()]));
    }
    Vector c(2 * n_);
    c << h * w_max * root.cwiseProduct(moment.state.v), h * root.cwiseProduct(moment.acceleration);
    const double length = c.norm();
    for (Index i = 0; i < 2 * n_; ++i) entries.emplace_back(i, 2 * n_, c[i] / length);
    to_increment_.resize(2 * n_);
    to_increment_ << (length / w_max) * root.cwiseInverse(), length * root.cwiseInverse();
    GeneralMatrix A(2 * n_ + 1, 2 * n_ + 1);  // (1)
    A.setFromTriplets(entries.begin(), entries.end());
    Matrix b = Matrix::Zero(2 * n_ + 1, 1);
    b(2 * n_, 0) = 1;
    std::filesystem::create_directories(folder_);
    write_matrix_market(folder_ / "A.mtx", A);
    write_matrix_market(folder_ / "b.mtx", b);
  }
  ~Peers() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;

  static bool has_slepc() { return std::filesystem::exists(kSlepc); }
  static bool has_scipy() { return std::system("/usr/bin/python3 -c 'import scipy' 2> /dev/null") == 0; }

  std::optional<PeerResult> slepc(const std::string& method, double tolerance, int subspace,
                                  double most_seconds) const {
    return run(kSlepc, fmt_number(tolerance).insert(0, method + " ") + " " + std::to_string(subspace),
               most_seconds);
  }
  std::optional<PeerResult> scipy(double most_seconds) const {
    return run("/usr/bin/python3 " PHIFLEX_MATFUN_PEERS "/scipy_expm_multiply.py", "", most_seconds);
  }

 private:
  static constexpr const char* kSlepc = PHIFLEX_BINARY_DIR "/matfun_peer_slepc";

  static std::string fmt_number(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", x);
    return text;
  }

  // Nothing when the program failed, did not converge, or took too long.
  std::optional<PeerResult> run(const std::string& program, const std::string& options,
                                double most_seconds) const {
    const std::string files = (folder_ / "A.mtx").string() + " " + (folder_ / "b.mtx").string() + " " +
                              (folder_ / "y.mtx").string() + " ";
    const std::string command = "OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 timeout " +
                                fmt_number(most_seconds) + " " + program + " " + files + options +
                                " 2> /dev/null";
    PeerResult result;
    int converged = 1;
    std::FILE* pipe = popen(command.c_str(), "r");
    if (!pipe) return std::nullopt;
    const int numbers = std::fscanf(pipe, "%lf %ld %d", &result.seconds, &result.products, &converged);
    if (pclose(pipe) != 0 || numbers < 2 || converged != 1) return std::nullopt;
    const Matrix y = read_dense_matrix_market(folder_ / "y.mtx");
    result.increment = y.col(0).head(2 * n_).cwiseProduct(to_increment_);
    return result;
  }

  Index n_;
  std::filesystem::path folder_;
  Vector to_increment_;  // from the peers' variables
};

}  // namespace phiflex::bench
