// Oscillations in a column of numbers.
//
//   amplitude over [a, b]   half of peak to peak                                                          (1)
//   period                  1/f of the strongest line of the signal about its mean:
//                           the largest |S_k|, S_k = sum_n s_n exp(-2 pi i k t_n / T), k = 1, 2, ...    (2)
//                           shifted towards its larger neighbour by |S_(k+1)| / (|S_k| + |S_(k+1)|),
//                           which is exact for a single tone                                           (3)
//   keep                    (1) over the last full period divided by (1) over the first                  (4)
#pragma once

#include <span>
#include <vector>

namespace phiflex {

struct Signal {
  std::span<const double> times, values;  // of the same length, times rising
};

// Not a number when no instant lies in [from, to].
double amplitude_of(const Signal& signal, double from, double to);  // (1)
double mean_of(const Signal& signal, double from, double to);
double largest_of(const Signal& signal, double from, double to);
double smallest_of(const Signal& signal, double from, double to);
// Linear between instants, held beyond them.
double value_at(const Signal& signal, double t);
// (3), in the units of the times; not a number for a signal that does not change.
double strongest_period(const Signal& signal);
// (4)
double kept_amplitude(const Signal& signal, double period);

}  // namespace phiflex
