// An array in a back end's memory. The back end must outlive it.
#pragma once

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "phiflex/cuda/serial_back_end.h"

namespace phiflex::device {

template <class BackEnd, class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // All zero.
  DeviceArray(BackEnd& back_end, std::size_t size)
      : back_end_(&back_end), size_(size), data_(static_cast<T*>(back_end.allocate(size * sizeof(T)))) {
    if (size > 0) back_end.set_zero(data_, size * sizeof(T));
  }
  DeviceArray(BackEnd& back_end, std::span<const T> values) : DeviceArray(back_end, values.size()) {
    write(values);
  }
  DeviceArray(BackEnd& back_end, const std::vector<T>& values)
      : DeviceArray(back_end, std::span<const T>(values)) {}
  ~DeviceArray() {
    if (data_) back_end_->release(data_);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  DeviceArray(DeviceArray&& other) noexcept
      : back_end_(other.back_end_), size_(other.size_), data_(std::exchange(other.data_, nullptr)) {}

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  T* data() { return data_; }
  const T* data() const { return data_; }
  void write(std::span<const T> values) {
    if (!values.empty()) back_end_->copy_in(data_, values.data(), values.size_bytes());
  }
  void read(std::span<T> values) const {
    if (!values.empty()) back_end_->copy_out(values.data(), data_, values.size_bytes());
  }
  // What a kernel has written, once it is done.
  T first() const {
    T value;
    read({&value, 1});
    return value;
  }
  void assign(const DeviceArray& other) {
    if (size_ > 0) back_end_->copy(data_, other.data_, bytes());
  }
  void swap(DeviceArray& other) noexcept { std::swap(data_, other.data_); }

 private:
  BackEnd* back_end_;
  std::size_t size_;
  T* data_;
};

}  // namespace phiflex::device
