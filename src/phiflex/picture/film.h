// Films, by ffmpeg as a separate process that is fed with pictures.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "phiflex/picture/image.h"

namespace phiflex {

// The endings of film files that can be written, for messages: ".mp4, .webm".
std::string film_extensions();

class Film {
 public:
  // The file appears whole, by finish(), or not at all. Width and height must be even. FileError when ffmpeg cannot
  // be started or the ending is unknown.
  Film(std::filesystem::path file, int width, int height, double frames_per_second,
       const std::string& program = "ffmpeg");
  ~Film();
  Film(const Film&) = delete;
  Film& operator=(const Film&) = delete;

  void add(const Image& image);  // FileError when ffmpeg gives up
  void finish();

 private:
  void send(std::string_view bytes);
  int wait();  // its exit status
  [[noreturn]] void fail();

  std::filesystem::path file_, draft_, log_;
  std::string program_;
  int width_, height_;
  int pipe_ = -1;
  pid_t child_ = -1;
};

}  // namespace phiflex
