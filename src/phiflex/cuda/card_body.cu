#include "phiflex/cuda/card_body.h"

#include "phiflex/cuda/card_back_end.h"
#include "phiflex/cuda/moving_body.h"

namespace phiflex::device {

std::string describe_card() {
  cudaDeviceProp card;
  int driver = 0;
  card_detail::check(cudaGetDeviceProperties(&card, 0), "cannot be used");
  card_detail::check(cudaDriverGetVersion(&driver), "cannot be used");
  return std::string(card.name) + ", " + std::to_string(card.totalGlobalMem >> 30) + " GiB, driver " +
         std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
}

std::unique_ptr<DeviceBody> make_card_body(const DeviceTets& tets) {
  return std::make_unique<MovingBody<CardBackEnd>>(tets);
}

}  // namespace phiflex::device
