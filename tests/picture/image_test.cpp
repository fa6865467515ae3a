#include "phiflex/picture/image.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <set>

#include "phiflex/base/files.h"
#include "phiflex/picture/lettering.h"
#include "phiflex/picture/palette.h"
#include "tests/scratch_folder.h"

namespace phiflex {
namespace {

using testing::ScratchFolder;

// A picture with every byte value, opaque or not.
Image sample(bool transparent) {
  Image image(97, 31);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const double alpha = transparent ? (x % 7) / 6.0 : 1.0;
      image.at(x, y) = opaque({x / 96.0, y / 30.0, ((x * 31 + y * 17) % 64) / 63.0}, alpha);
    }
  return image;
}

// Decodes with Python's zlib and nothing of ours: undoes the five filters and prints the pixels' bytes.
constexpr const char* decoder = R"py(
import struct, sys, zlib
data = open(sys.argv[1], 'rb').read()
assert data[:8] == b'\x89PNG\r\n\x1a\n'
at, pixels = 8, b''
while at < len(data):
    length, kind = struct.unpack('>I4s', data[at:at + 8])
    body = data[at + 8:at + 8 + length]
    assert zlib.crc32(kind + body) == struct.unpack('>I', data[at + 8 + length:at + 12 + length])[0]
    if kind == b'IHDR':
        width, height, bits, colour, deflate, filters, interlace = struct.unpack('>IIBBBBB', body)
        assert bits == 8 and (deflate, filters, interlace) == (0, 0, 0)
    if kind == b'IDAT':
        pixels += body
    at += 12 + length
assert kind == b'IEND'
raw, n = zlib.decompress(pixels), {2: 3, 6: 4}[colour]
row_bytes, before, out = width * n, bytearray(width * n), bytearray()
assert len(raw) == height * (row_bytes + 1)
for y in range(height):
    row = bytearray(raw[y * (row_bytes + 1) + 1:(y + 1) * (row_bytes + 1)])
    for i in range(row_bytes):
        a, b, c = (row[i - n] if i >= n else 0), before[i], (before[i - n] if i >= n else 0)
        p = a + b - c
        paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        row[i] = (row[i] + [0, a, b, (a + b) // 2, paeth][raw[y * (row_bytes + 1)]]) % 256
    out += row
    before = row
open(sys.argv[2], 'wb').write(out)
)py";

TEST(Picture, PngDecodesToTheSamePixels) {
  if (std::system("python3 -c 'import zlib' 2> /dev/null") != 0) GTEST_SKIP() << "no python3 with zlib here";
  const ScratchFolder scratch;
  const auto script = scratch.write("decode.py", decoder);
  for (const bool transparent : {false, true}) {
    const Image image = sample(transparent);
    const auto png = scratch.path() / "image.png", bytes = scratch.path() / "pixels";
    write_file_atomically(png, encode_png(image));
    const std::string command = "python3 " + script.string() + " " + png.string() + " " + bytes.string();
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(read_file(bytes), to_srgb_bytes(image, transparent ? Channels::rgba : Channels::rgb));
  }
}

TEST(Picture, PngIsTheSameForPillow) {
  if (std::system("/usr/bin/python3 -c 'import PIL' 2> /dev/null") != 0)
    GTEST_SKIP() << "no python3-pil here";
  const ScratchFolder scratch;
  const auto png = scratch.path() / "image.png", bytes = scratch.path() / "pixels";
  const Image image = sample(true);
  write_file_atomically(png, encode_png(image));
  const auto script = scratch.write("read.py",
                                    "import sys\nfrom PIL import Image\nopen(sys.argv[2], "
                                    "'wb').write(Image.open(sys.argv[1]).tobytes())\n");
  ASSERT_EQ(std::system(
                ("/usr/bin/python3 " + script.string() + " " + png.string() + " " + bytes.string()).c_str()),
            0);
  EXPECT_EQ(read_file(bytes), to_srgb_bytes(image, Channels::rgba));
}

TEST(Picture, SrgbBytesComeBackFromLinearLight) {
  for (std::uint32_t byte = 0; byte < 256; ++byte) EXPECT_EQ(to_srgb(from_srgb(byte)[2]), byte);
  EXPECT_EQ(to_srgb(-1), 0);
  EXPECT_EQ(to_srgb(7), 255);
  // Half of the light is far from half of the byte's range.
  EXPECT_EQ(to_srgb(0.5), 188);
}

TEST(Picture, BlendingHalfBlackOverWhiteIsHalfTheLight) {
  Image image(1, 1, {1, 1, 1, 1});
  image.blend(0, 0, opaque({0, 0, 0}, 0.5));
  EXPECT_EQ(image.at(0, 0).red, 0.5f);
  EXPECT_EQ(image.at(0, 0).alpha, 1.0f);
  image.blend(5, -3, opaque({0, 0, 0}));  // outside: nothing happens
  EXPECT_EQ(image.at(0, 0).red, 0.5f);
}

TEST(Picture, EveryPrintableCharacterHasAGlyphOfItsOwn) {
  const auto drawn = [](char c) {
    Image image(40, 40, {1, 1, 1, 1});
    draw_text(std::string(1, c), 10, 30, Align::left, {.size = 24}, image);
    return to_srgb_bytes(image, Channels::rgb);
  };
  std::set<std::string> glyphs;
  for (char c = '!'; c <= '~'; ++c) glyphs.insert(drawn(c));
  // I and l are the same stroke.
  EXPECT_EQ(glyphs.size(), static_cast<std::size_t>('~' - '!' + 1) - 1);
  EXPECT_EQ(glyphs.count(drawn('\x01')), 0u) << "unknown characters are boxes";
}

TEST(Picture, TextStandsWhereItIsPut) {
  Image image(200, 40, {1, 1, 1, 1});
  draw_text("abc", 100, 30, Align::centre, {.size = 20}, image);
  int left = 200, right = 0;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 200; ++x)
      if (image.at(x, y).red < 0.5f) {
        left = std::min(left, x);
        right = std::max(right, x);
      }
  EXPECT_NEAR(left + right, 199, 2);
  EXPECT_NEAR(right - left, text_width("abc", 20), 3);
  EXPECT_LT(text_width("m^3", 20), text_width("m3", 20)) << "a raised character is smaller";
}

TEST(Picture, ColoursOfNumbersGetLighter) {
  double before = -1;
  for (int i = 0; i <= 20; ++i) {
    const Colour c = colour_of_number(i / 20.0);
    const double luminance = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    EXPECT_GT(luminance, before);
    before = luminance;
  }
  EXPECT_EQ(colour_of_number(-1), colour_of_number(0));
  EXPECT_EQ(colour_of_number(std::nan("")), colour_of_number(1));
}

}  // namespace
}  // namespace phiflex
