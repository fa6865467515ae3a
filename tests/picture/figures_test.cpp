#include "phiflex/picture/figures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/base/parallel.h"
#include "phiflex/picture/film.h"
#include "phiflex/record/frame_selection.h"
#include "tests/record/fake_run.h"

namespace phiflex {
namespace {

const SheetOptions kSmall{.width = 300, .samples = 4};

PictureRun fake(const ScratchFolder& scratch, const std::string& name, std::vector<std::size_t> frames) {
  return {name, make_fake_run(scratch.path() / name, {.name = name, .steps = 10}), std::move(frames)};
}

TEST(Picture, AStripHasTheWidthAskedForAndTheSameBytesWithAnyThreads) {
  const ScratchFolder scratch;
  const std::vector<PictureRun> runs{fake(scratch, "bar", {0, 5, 10})};
  const int before = thread_count();
  set_thread_count(1);
  const Image one = draw_strip(runs, kSmall);
  set_thread_count(3);
  EXPECT_EQ(encode_png(one), encode_png(draw_strip(runs, kSmall)));
  set_thread_count(before);
  EXPECT_EQ(one.width(), 300);
  SheetOptions fixed = kSmall;
  fixed.height = 120;
  EXPECT_EQ(draw_strip(runs, fixed).height(), 120);
}

TEST(Picture, EachRunHasARowAndOneCameraServesAll) {
  const ScratchFolder scratch;
  const PictureRun a = fake(scratch, "a", {0, 5, 10}), b = fake(scratch, "b", {0, 5, 10});
  SheetOptions bare = kSmall;
  bare.lettering = Lettering::none;
  const Image one = draw_strip({a}, bare), two = draw_strip({a, b}, bare);
  ASSERT_EQ(two.height(), 2 * one.height());
  for (int y = 0; y < one.height(); ++y)
    for (int x = 0; x < one.width(); ++x) {
      EXPECT_EQ(two.at(x, y).red, one.at(x, y).red);
      EXPECT_EQ(two.at(x, y + one.height()).red, one.at(x, y).red);
    }
}

TEST(Picture, EveryColourModeChangesThePicture) {
  const ScratchFolder scratch;
  const PictureRun run = fake(scratch, "bar", {10});
  std::set<std::string> pictures;
  std::size_t drawn = 0;
  for (const Quantity& what : quantities()) {
    SheetOptions options = kSmall;
    options.quantity = what;
    if (what.colour_by == ColourBy::field) {  // the scene did not ask for it: the message says how to
      EXPECT_THROW(draw_strip({run}, options), InputError) << what.name;
      continue;
    }
    pictures.insert(encode_png(draw_strip({run}, options)));
    ++drawn;
  }
  EXPECT_EQ(pictures.size(), drawn);
}

TEST(Picture, RecordedFieldsAreDrawnWhateverTheirComponent) {
  const ScratchFolder scratch;
  const PictureRun run{"bar", make_fake_run(scratch.path() / "bar", {.steps = 10, .fields = true}), {10}};
  std::set<std::string> pictures;
  const std::vector<std::string> names = {"von-mises", "von_mises", "J", "stress-xx", "contact-force"};
  for (const std::string& name : names) {
    SheetOptions options = kSmall;
    ASSERT_NE(find_quantity(name), nullptr) << name;
    options.quantity = *find_quantity(name);
    pictures.insert(encode_png(draw_strip({run}, options)));
  }
  EXPECT_EQ(pictures.size(), names.size() - 1);  // a word may be written with '-' or '_'
  EXPECT_EQ(find_quantity("stress"), nullptr);   // which component?
}

TEST(Picture, AScaleReachesFromTheValueAtRestToRoundNumbers) {
  const auto scale_of = [](const char* name, const std::vector<double>& values) {
    ScaleFinder finder(*find_quantity(name));
    finder.add(values);
    return finder.scale();
  };
  const ColourScale speed = scale_of("speed", {0.1, 2.3});
  EXPECT_EQ(speed.low, 0);
  EXPECT_EQ(speed.high, 2.5);
  EXPECT_FALSE(speed.two_sided);
  const ColourScale squeezed = scale_of("J", {1, 0.93, 0.99});
  EXPECT_NEAR(squeezed.low, 0.92, 1e-12);
  EXPECT_EQ(squeezed.high, 1);
  EXPECT_FALSE(squeezed.two_sided);
  const ColourScale both = scale_of("J", {1.2, 0.7});
  EXPECT_NEAR(both.low, 0.7, 1e-12);
  EXPECT_NEAR(both.high, 1.3, 1e-12);
  EXPECT_TRUE(both.two_sided);
  // One vertex of two hundred, at a corner, does not decide the scale of a stress.
  std::vector<double> stress(200, 900.0);
  stress[17] = 1e6;
  EXPECT_EQ(scale_of("von-mises", stress).high, 1000);
}

// A trough of two leaning planes above a floor, seen from +x: the near plane would hide what is in it.
TEST(Picture, PlanesMakeATroughAndTheOneBeforeTheCameraIsLeftOut) {
  const auto scene = nlohmann::ordered_json::parse(R"({ "contacts": [ { "type": "floor", "height": 0 },
      { "type": "plane", "point": [-1, 0, 0], "normal": [1, 1, 0] },
      { "type": "plane", "point": [1, 0, 0], "normal": [-1, 1, 0] } ] })");
  const DrawnObstacles obstacles = read_obstacles(scene);
  const std::vector<Surface> from_side = obstacles.borders_at(0, {0, 1, 0}, 3, {20, 1, 0}),
                             from_above = obstacles.borders_at(0, {0, 1, 0}, 3, {0, 50, 0});
  ASSERT_EQ(from_side.size(), 1u);
  EXPECT_EQ(from_above.size(), 2u);
  for (const Point3& x : from_side[0].vertices) {
    EXPECT_NEAR(x[0] + x[1], -1, 1e-9);  // the far plane,
    EXPECT_GE(x[1], -1e-9);              // which ends at the floor
  }
}

TEST(Picture, ARunWithoutFramesSaysHowToGetThem) {
  const ScratchFolder scratch;
  const PictureRun run{"bar", make_fake_run(scratch.path() / "bar", {.steps = 2, .frames = false}), {}};
  try {
    draw_strip({run}, kSmall);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("--no-frames"), std::string::npos);
  }
}

TEST(Picture, RunsThatDivergedAndBodiesOfAnySizeAreDrawn) {
  for (const double size : {1e-7, 1.0, 1e7}) {
    const ScratchFolder scratch;
    const RunFolder folder = prepare_run_folder(scratch.path() / "box", ExistingFolder::refuse);
    write_run_json(folder.run_json(), fake_summary({}));
    const TetMesh box = generate_box({.size = {size, size, size}, .cells = {2, 2, 2}});
    FrameGeometry geometry;
    geometry.add_tets(box.vertices, box.tets, std::vector<int>(box.tets.size(), 0));
    FrameWriter writer(folder, geometry);
    const std::vector<double> zero(3 * box.vertices.size(), 0.0), density(box.tets.size(), 1.0);
    for (const double move : {0.0, std::nan(""), 1e200, static_cast<double>(INFINITY)}) {
      std::vector<double> displacement = zero;
      displacement[4] = move;  // one vertex is lost
      writer.write(move == 0 ? 0 : 1, displacement, displacement, density);
      displacement.assign(displacement.size(), move);  // then all
      writer.write(2, displacement, displacement, density);
    }
    SheetOptions options = kSmall;
    options.ground = Ground::always;
    options.quantity = *find_quantity("displacement");
    const Image image = draw_strip({{"box", folder, {0, 2, 3, 4, 5, 6, 7}}}, options);
    double darkest = 1;
    for (int x = 0; x < image.width() / 7; ++x)
      darkest = std::min<double>(darkest, image.at(x, image.height() / 4).red);
    EXPECT_LT(darkest, 0.5) << "the whole box is seen in the first picture, size " << size;
  }
}

TEST(Picture, AHairThinnerThanAPixelIsSeen) {
  const ScratchFolder scratch;
  const RunFolder folder = prepare_run_folder(scratch.path() / "hair", ExistingFolder::refuse);
  write_run_json(folder.run_json(), fake_summary({}));
  // A strip of one metre and a tenth of a millimetre: a fiftieth of a pixel.
  FrameGeometry geometry;
  geometry.add_springs(std::vector<Point3>{{0, 0, 0}, {1, 0, 0}, {1, 1e-4, 0}, {0, 1e-4, 0}},
                       std::vector<std::array<int, 2>>{{0, 1}},
                       std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}});
  FrameWriter writer(folder, geometry);
  writer.write(0, std::vector<double>(12, 0.0), std::vector<double>(12, 0.0), std::vector<double>{0.0});
  SheetOptions bare = kSmall;
  bare.lettering = Lettering::none;
  bare.height = 40;
  const Image image = draw_strip({{"hair", folder, {0}}}, bare);
  double darkest = 1;
  for (int y = 0; y < image.height(); ++y)
    darkest = std::min<double>(darkest, image.at(image.width() / 2, y).red);
  EXPECT_LT(darkest, 0.7);
}

TEST(Picture, FramesAreChosenByNumberRangeAndTime) {
  const ScratchFolder scratch;
  const MotionReader motion(make_fake_run(scratch.path() / "bar", {.steps = 10, .h = 0.1}));
  using Frames = std::vector<std::size_t>;
  EXPECT_EQ(select_frames("0,5,10", motion), (Frames{0, 5, 10}));
  EXPECT_EQ(select_frames("2-4,last", motion), (Frames{2, 3, 4, 10}));
  EXPECT_EQ(select_frames("0-last:5", motion), (Frames{0, 5, 10}));
  EXPECT_EQ(select_frames("all", motion).size(), 11u);
  EXPECT_EQ(select_times("0,0.52,1", motion), (Frames{0, 5, 10}));
  EXPECT_EQ(spread_frames(3, motion), (Frames{0, 5, 10}));
  for (const char* bad : {"", "x", "1:2", "3-1", "-1", "11", "0,,1", "1-", "0-5:0"})
    EXPECT_THROW(select_frames(bad, motion), InputError) << bad;
  try {
    select_frames("0,99", motion);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("0 to 10"), std::string::npos) << error.what();
  }
  EXPECT_THROW(select_times("2", motion), InputError);
  EXPECT_THROW(select_times("nan", motion), InputError);
}

TEST(Picture, ObstaclesOfTheSceneAreDrawnWhereTheyAreAtThatTime) {
  const auto scene = nlohmann::ordered_json::parse(R"({"contacts": [
    {"type": "floor", "height": -2},
    {"type": "sphere", "center": [1, 2, 3], "radius": 0.5, "motion": {"keys": [
      {"time": 0, "translate": [0, 0, 0]}, {"time": 1, "translate": [0, 4, 0]}]}},
    {"type": "capsule", "from": [0, 0, 0], "to": [0, 3, 0], "radius": 0.25},
    {"type": "box", "center": [0, 0, 0], "size": [2, 1, 4], "rotate": [[0, 1, 0], 90]},
    {"type": "plane", "point": [0, -1, 0], "normal": [0, 1, 1]},
    {"type": "something of another version"}, {"type": "sphere", "radius": "wrong"}, 7]})");
  const DrawnObstacles obstacles = read_obstacles(scene);
  EXPECT_EQ(obstacles.floor, -2);
  ASSERT_EQ(obstacles.solids.size(), 3u);
  ASSERT_EQ(obstacles.half_spaces.size(), 1u);
  for (const Point3& x : obstacles.solids[0].at(0.5).vertices)
    EXPECT_NEAR(norm(x - Point3{1, 4, 3}), 0.5, 1e-12);
  for (const Point3& x : obstacles.solids[1].at(0).vertices) {
    const double along = std::clamp(x[1], 0.0, 3.0);
    EXPECT_NEAR(norm(x - Point3{0, along, 0}), 0.25, 1e-12);
  }
  for (const Point3& x : obstacles.solids[2].at(0).vertices) {
    EXPECT_NEAR(std::abs(x[0]), 2, 1e-12) << "turned: its long side lies along x";
    EXPECT_NEAR(std::abs(x[2]), 1, 1e-12);
  }
  for (const Surface& surface :
       {obstacles.solids[0].at(0), obstacles.solids[1].at(0), obstacles.solids[2].at(0)}) {
    double volume = 0;  // outward triangles enclose a positive one
    for (const auto& [a, b, c] : surface.triangles)
      volume += dot(surface.vertices[static_cast<std::size_t>(a)],
                    cross(surface.vertices[static_cast<std::size_t>(b)],
                          surface.vertices[static_cast<std::size_t>(c)])) /
                6;
    EXPECT_GT(volume, 0);
  }
}

TEST(Picture, UpIsAgainstGravityAsInTheReport) {
  using Eigen::Vector3d;
  const auto turn = [](const Point3& gravity) { return upright_turn({{"gravity", gravity}}); };
  for (const Point3& pull :
       {Point3{0, -9.81, 0}, {0, 9.81, 0}, {0, 0, -9.81}, {0, 0, 2}, {3, 0.5, 0}, {-3, 0, 1}}) {
    const Eigen::Matrix3d R = turn(pull);
    EXPECT_GT((R * Vector3d(-pull[0], -pull[1], -pull[2]))[1], 0);
    EXPECT_EQ((R.transpose() * R - Eigen::Matrix3d::Identity()).norm(), 0);
    EXPECT_EQ(R.determinant(), 1);
    EXPECT_EQ((R.transpose() * Vector3d(0, 1, 0)).cwiseAbs().maxCoeff(), 1) << "an axis";
  }
  EXPECT_EQ(turn({0, -9.81, 0}), Eigen::Matrix3d::Identity());
  EXPECT_EQ(turn({0, 0, 0}), Eigen::Matrix3d::Identity());
  EXPECT_EQ(upright_turn(nullptr), Eigen::Matrix3d::Identity());

  // A run with gravity along -z: its floor, its sphere and its frames are turned alike.
  const ScratchFolder scratch;
  const RunFolder folder = make_fake_run(scratch.path() / "run", {.steps = 2});
  auto json = read_run_json(folder.run_json());
  json["scene"]["gravity"] = {0, 0, -9.81};
  json["scene"]["contacts"] =
      nlohmann::json::parse(R"([ { "type": "plane", "point": [0, 0, -2], "normal": [0, 0, 1] },
    { "type": "sphere", "center": [1, 2, 3], "radius": 0.5 } ])");
  write_file_atomically(folder.run_json(), json.dump(1));
  const RunStage stage(folder);
  EXPECT_EQ(stage.obstacles().floor, -2);
  EXPECT_TRUE(stage.obstacles().half_spaces.empty());
  for (const Point3& x : stage.obstacles().solids.at(0).at(0).vertices)
    EXPECT_NEAR(norm(x - Point3{1, 3, -2}), 0.5, 1e-12);
  VisibleFrame turned, plain;
  stage.read(2, turned, FrameParts::motion_only);
  stage.motion().read(2, plain);
  for (std::size_t v = 0; v < plain.positions.size(); ++v) {
    const auto& [x, y, z] = plain.positions[v];
    EXPECT_EQ(turned.positions[v], (Point3{x, z, -y}));
  }
}

// A program in place of ffmpeg, in a folder that is looked into first: it writes down how it was called, and the
// pictures.
TEST(Picture, AFilmIsSixteenToNineWhereNothingElseIsAskedFor) {
  const ScratchFolder scratch;
  const std::string args = (scratch.path() / "arguments").string();
  const std::filesystem::path program = scratch.path() / "ffmpeg";
  write_file_atomically(
      program, "#!/bin/sh\necho \"$@\" > " + args + "\nfor last; do :; done\ncat > \"${last#file:}\"\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const char* path = ::getenv("PATH");
  const std::string before = path != nullptr ? path : "";
  ::setenv("PATH", (scratch.path().string() + ":" + before).c_str(), 1);
  write_film(scratch.path() / "film.mp4", {fake(scratch, "bar", {0, 10})}, {.width = 160, .samples = 1},
             {.frames_per_second = 25, .speed = 1});
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_NE(read_file(args).find("-video_size 160x90"), std::string::npos) << read_file(args);
  EXPECT_EQ(std::filesystem::file_size(scratch.path() / "film.mp4"), 160u * 90 * 3 * 6) << "0 to 0.2 s";
}

TEST(Picture, AFilmWithoutFfmpegNamesThePackage) {
  const ScratchFolder scratch;
  try {
    Film film(scratch.path() / "film.mp4", 16, 16, 30, "no-such-ffmpeg");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("package ffmpeg"), std::string::npos);
  }
  EXPECT_THROW(Film(scratch.path() / "film.txt", 16, 16, 30), FileError);
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path())) << "nothing is left behind";
}

TEST(Picture, AProgramThatEndsEarlyIsAnErrorAndNotASignal) {
  const ScratchFolder scratch;
  Film film(scratch.path() / "film.mp4", 512, 512, 30, "false");
  const Image page(512, 512, {1, 1, 1, 1});
  EXPECT_THROW(
      {
        for (int i = 0; i < 10; ++i) film.add(page);
        film.finish();
      },
      FileError);
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "film.mp4"));
}

TEST(Picture, AFilmThatWouldNeverEndIsRefused) {
  const ScratchFolder scratch;
  EXPECT_THROW(
      write_film(scratch.path() / "film.mp4", {fake(scratch, "bar", {0, 10})}, kSmall, {.speed = 1e-9}),
      InputError);
}

TEST(Picture, AFilmHasOnePictureForEachMomentAtItsSpeed) {
  if (std::system("ffmpeg -version > /dev/null 2>&1 && ffprobe -version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "no ffmpeg here";
  const ScratchFolder scratch;
  // 0.2 s of motion at half speed and 25 pictures a second: 0.4 s, so 11 with both ends.
  write_film(scratch.path() / "film.mp4", {fake(scratch, "bar", {0, 2, 4, 6, 8, 10})},
             {.width = 200, .height = 101, .samples = 1}, {.frames_per_second = 25, .speed = 0.5});
  const auto out = scratch.path() / "probe.txt";
  ASSERT_EQ(
      std::system(
          ("ffprobe -v error -count_frames -show_entries stream=nb_read_frames,width,height -of csv=p=0 " +
           (scratch.path() / "film.mp4").string() + " > " + out.string())
              .c_str()),
      0);
  EXPECT_EQ(read_file(out), "200,102,11\n");
}

}  // namespace
}  // namespace phiflex
