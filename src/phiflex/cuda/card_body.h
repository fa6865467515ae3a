// Bodies on a graphics card. Only where the build has them (-DPHIFLEX_CUDA=ON).
#pragma once

#include "phiflex/cuda/device_body.h"

namespace phiflex::device {

// "NVIDIA H200, 139 GiB, driver 13.0". CardError (card_back_end.h, a std::runtime_error with one sentence) where there
// is no card that can be used.
std::string describe_card();

// CardError also where the card has too little memory.
std::unique_ptr<DeviceBody> make_card_body(const DeviceTets& tets);

}  // namespace phiflex::device
