#include "phiflex/cuda/moving_body.h"

namespace phiflex::device {

std::unique_ptr<DeviceBody> make_serial_body(const DeviceTets& tets) {
  return std::make_unique<MovingBody<SerialBackEnd>>(tets);
}

}  // namespace phiflex::device
