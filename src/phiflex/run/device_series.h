// The series that steps of `ere` on a device ask the host for: those of the Chebyshev evaluator (matfun/chebyshev.cpp),
// of the functions of matfun/pencil_functions.h without damping.
#pragma once

#include "phiflex/cuda/device_body.h"
#include "phiflex/matfun/chebyshev_series.h"
#include "phiflex/matfun/pencil_functions.h"
#include "phiflex/matfun/spectral_bounds.h"

namespace phiflex {

class HostSeries final : public device::DeviceSeriesMaker {
 public:
  device::DeviceSeries make(double low, double high, double h, int largest_degree) override {
    using Part = PhiSumFunction::Part;
    const PhiSumFunction::Half halves[] = {{1, Part::displacement}, {1, Part::velocity}};
    function_.set(halves, {&h, 1}, Rayleigh{}, h, 1);
    device::DeviceSeries series;
    switch (series_.expand(function_, low, high, kAccuracy, largest_degree)) {
      case ChebyshevSeries::Outcome::ok:
        break;
      case ChebyshevSeries::Outcome::not_finite:
        series.outcome = device::DeviceSeries::Outcome::not_finite;
        return series;
      case ChebyshevSeries::Outcome::not_resolved:
        series.outcome = device::DeviceSeries::Outcome::not_resolved;
        return series;
    }
    series.middle = series_.middle();
    series.radius = series_.radius();
    series.coefficients.resize(std::size_t(series_.degree()) + 1);
    for (Index row = 0; row < 2; ++row)
      for (Index column = 0; column < 2; ++column) {
        const auto entry = std::size_t(2 * row + column);
        for (std::size_t k = 0; k < series.coefficients.size(); ++k)
          series.coefficients[k][entry] = series_.coefficient(int(k), row, column);
        series.largest[entry] = series_.largest(row, column);
      }
    return series;
  }
  std::array<double, 2> ends_of_spectrum(const std::vector<double>& alpha,
                                         const std::vector<double>& beta) override {
    const auto as_vector = [](const std::vector<double>& list) {
      return Vector(Eigen::Map<const Vector>(list.data(), Index(list.size())));
    };
    const SpectralBounds bounds = ritz_bounds(as_vector(alpha), as_vector(beta));
    return {bounds.smallest, bounds.largest};
  }

 private:
  static constexpr double kAccuracy = 1e-15;  // as matfun/chebyshev.cpp asks

  PhiSumFunction function_;
  ChebyshevSeries series_;
};

}  // namespace phiflex
