// A session without a server: what clients ask for, at step boundaries, and what they hear.
#include <gtest/gtest.h>

#include <condition_variable>
#include <cstring>
#include <fstream>
#include <mutex>

#include "phiflex/live/live_session.h"
#include "tests/pages/motion_decoder.h"
#include "tests/scratch_folder.h"

namespace phiflex::testing {
namespace {

using Json = nlohmann::ordered_json;
using Kind = LiveCommand::Kind;

class Listener : public LiveAudience {
 public:
  bool wants_frame() override { return true; }
  void show(std::shared_ptr<const std::string> frame, std::int64_t) override {
    const std::lock_guard lock(mutex_);
    frame_ = *frame;
    changed_.notify_all();
  }
  void tell(const Json& message) override {
    std::unique_lock lock(mutex_);
    heard_.push_back(message);
    changed_.notify_all();
    changed_.wait_for(lock, std::chrono::seconds(60),
                      [&] { return hold_at_.empty() || !said({message}, "log", hold_at_); });
  }
  // The session's thread waits in a line of the log with these words until they are others.
  void hold_at(const std::string& words) {
    const std::lock_guard lock(mutex_);
    hold_at_ = words;
    changed_.notify_all();
  }
  void tell(std::uint64_t, const Json& message) override { tell(message); }

  // Waits until `found(head of the latest frame, all texts)`.
  template <class Found>
  bool eventually(Found found) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return found(head(), heard_); });
  }
  Json latest_head() {
    const std::lock_guard lock(mutex_);
    return head();
  }
  const std::string& frame() const { return frame_; }  // within `found`
  std::string latest_frame() {
    const std::lock_guard lock(mutex_);
    return frame_;
  }
  static bool said(const std::vector<Json>& heard, const std::string& kind, const std::string& text = "") {
    return std::any_of(heard.begin(), heard.end(), [&](const Json& one) {
      return one["kind"] == kind && (text.empty() || one.value("text", "").find(text) != std::string::npos);
    });
  }

 private:
  Json head() const {
    if (frame_.empty()) return Json{{"t", -1.0}, {"steps", -1}};
    std::uint32_t size = 0;
    std::memcpy(&size, frame_.data() + 4, sizeof size);
    return Json::parse(frame_.substr(8, size));
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string frame_, hold_at_;
  std::vector<Json> heard_;
};

class Session : public ::testing::Test {
 protected:
  LiveSetup setup(const std::vector<std::string>& integrators) {
    LiveSetup setup;
    setup.scene_file =
        scratch_
            .write("bar.json", R"({ "phiflex": 1, "name": "bar", "time": { "step": 0.01, "end": 1 },
      "integrator": { "type": "em" }, "gravity": [0, -9.81, 0],
      "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1] },
        "material": { "type": "neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000 } } ],
      "constraints": [ { "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] }, "type": "fix" } ] })")
            .string();
    setup.integrators = integrators;
    setup.output = scratch_.path() / "out";
    setup.control.threads = 1;
    return setup;
  }
  ScratchFolder scratch_;
  Listener listener_;
};

TEST_F(Session, MovesInRealTimeAndSendsChunksThatDecode) {
  const LiveSession session(setup({}), listener_);
  ASSERT_TRUE(listener_.eventually([](const Json& head, const auto&) { return head["t"] > 0.2; }));
  const std::string frame = listener_.latest_frame();
  ASSERT_EQ(frame.substr(0, 4), "PFL1");
  const Json head = listener_.latest_head();
  EXPECT_EQ(head["views"].size(), 2u);  // si and the scene's own
  std::uint32_t head_size = 0, chunk_size = 0;
  std::memcpy(&head_size, frame.data() + 4, 4);
  std::memcpy(&chunk_size, frame.data() + 8 + head_size, 4);
  const DecodedChunk chunk = decode_motion_chunk(std::string_view(frame).substr(12 + head_size, chunk_size));
  ASSERT_EQ(chunk.positions.size(), 1u);
  double lowest = 1;
  for (const Point3& x : chunk.positions[0]) lowest = std::min(lowest, x[1]);
  EXPECT_LT(lowest, 0) << "the free end falls";
}

TEST_F(Session, TheSameGripLeadsEveryViewAndALeavingClientLetsGo) {
  LiveSession session(setup({"si", "em"}), listener_);
  session.post({.kind = Kind::grip,
                .client = 3,
                .number = 1,
                .view = 1,
                .vertices = {0, 0, 0},
                .point = {0.2, 0.2, 0}});
  ASSERT_TRUE(listener_.eventually([](const Json& head, const auto&) {
    return head.contains("grips") && head["grips"].size() == 1 && head["grips"][0]["lines"].size() == 2;
  }));
  session.post({.kind = Kind::leave, .client = 4});
  session.post({.kind = Kind::move, .client = 3, .number = 1, .point = {0.2, 0.3, 0}, .stamp = 77});
  ASSERT_TRUE(listener_.eventually(
      [](const Json& head, const auto&) { return head["stamps"].value("3", 0.0) == 77; }));
  EXPECT_EQ(listener_.latest_head()["grips"].size(), 1u);
  session.post({.kind = Kind::leave, .client = 3});
  EXPECT_TRUE(listener_.eventually([](const Json& head, const auto&) { return head["grips"].empty(); }));
}

TEST_F(Session, PausesStepsAndResets) {
  LiveSession session(setup({"em"}), listener_);
  session.post({.kind = Kind::pause, .on = true});
  ASSERT_TRUE(
      listener_.eventually([](const Json& head, const auto&) { return head.value("paused", false); }));
  const std::int64_t steps = listener_.latest_head()["steps"];
  for (int n = 1; n <= 3; ++n) {
    session.post({.kind = Kind::step});
    ASSERT_TRUE(
        listener_.eventually([&](const Json& head, const auto&) { return head["steps"] == steps + n; }));
  }
  session.post({.kind = Kind::reset});
  EXPECT_TRUE(listener_.eventually([](const Json& head, const auto&) { return head["steps"] == 0; }));
}

TEST_F(Session, WhatIsNotAllowedIsRefusedInWordsAndTheRunGoesOn) {
  LiveSession session(setup({"em"}), listener_);
  session.post({.kind = Kind::set_step, .value = -1});
  session.post({.kind = Kind::set_integrator, .view = 0, .text = "emm"});
  session.post({.kind = Kind::set_integrator, .view = 7, .text = "em"});
  session.post({.kind = Kind::set_stiffness, .value = 2, .text = "no such body"});
  session.post({.kind = Kind::set_dial, .view = 0, .value = 7});
  session.post({.kind = Kind::pin, .vertices = {1 << 20, 0, 0}});
  session.post({.kind = Kind::open, .number = 5});
  const auto said = [](const std::vector<Json>& heard, const char* words) {
    return std::count_if(heard.begin(), heard.end(), [&](const Json& one) {
      return one["kind"] == "log" && one.value("text", "").starts_with(words);
    });
  };
  ASSERT_TRUE(listener_.eventually([&](const Json&, const std::vector<Json>& heard) {
    return said(heard, "not changed: ") == 6 && said(heard, "not opened: ") == 1;
  }));
  const double t = listener_.latest_head()["t"];
  EXPECT_TRUE(listener_.eventually([&](const Json& head, const auto&) { return head["t"] > t + 0.05; }));
}

TEST_F(Session, OfSettingsThatComeTogetherTheNewestOfAKindCounts) {
  LiveSession session(setup({"em"}), listener_);
  listener_.hold_at("gravity is off");
  session.post({.kind = Kind::gravity});
  const auto said = [&](const std::string& words) {
    return listener_.eventually(
        [&](const Json&, const std::vector<Json>& heard) { return Listener::said(heard, "log", words); });
  };
  ASSERT_TRUE(said("gravity is off"));
  for (int n = 1; n <= 20; ++n) session.post({.kind = Kind::set_step, .value = 0.001 * n});
  session.post({.kind = Kind::set_damping, .value = 1});
  session.post({.kind = Kind::set_damping, .value = 2, .text = "bar"});  // of another body
  session.post({.kind = Kind::set_damping, .client = 5, .value = 3, .text = "bar"});
  for (int n = 1; n <= 3; ++n) session.post({.kind = Kind::set_stiffness, .value = 2});  // factors
  for (int n = 0; n < 2; ++n) session.post({.kind = Kind::gravity});
  listener_.hold_at("");
  ASSERT_TRUE(listener_.eventually([](const Json&, const std::vector<Json>& heard) {
    return std::count_if(heard.begin(), heard.end(), [](const Json& one) {
             return one["kind"] == "log" && one["text"] == "gravity is off";
           }) == 2;
  }));
  const auto count = [&](const std::string& words) {
    std::ptrdiff_t lines = 0;
    listener_.eventually([&](const Json&, const std::vector<Json>& heard) {
      lines = std::count_if(heard.begin(), heard.end(),
                            [&](const Json& one) { return Listener::said({one}, "log", words); });
      return true;
    });
    return lines;
  };
  EXPECT_EQ(count("the step is"), 1);
  EXPECT_EQ(count("the step is 0.02 s"), 1);
  EXPECT_EQ(count("damping of"), 3);
  EXPECT_EQ(count("is multiplied by 2"), 3);
}

TEST_F(Session, StrainEnergiesAreMadeAsLongAsAClientWantsThem) {
  LiveSession session(setup({"em"}), listener_);
  const auto largest = [](const std::string& frame) {
    std::uint32_t head_size = 0, chunk_size = 0;
    std::memcpy(&head_size, frame.data() + 4, 4);
    std::memcpy(&chunk_size, frame.data() + 8 + head_size, 4);
    return decode_motion_chunk(std::string_view(frame).substr(12 + head_size, chunk_size)).energy_max;
  };
  const auto comes = [&](bool wanted) {
    return listener_.eventually([&](const Json& head, const auto&) {
      return head["t"] > 0.05 && (largest(listener_.frame()) > 0) == wanted;
    });
  };
  EXPECT_TRUE(comes(false));
  session.post({.kind = Kind::look, .client = 1, .on = true});
  session.post({.kind = Kind::look, .client = 2, .on = true});
  EXPECT_TRUE(comes(true));
  session.post({.kind = Kind::look, .client = 1, .on = false});
  session.post({.kind = Kind::move, .client = 2, .stamp = 77});
  ASSERT_TRUE(listener_.eventually(
      [](const Json& head, const auto&) { return head["stamps"].value("2", 0.0) == 77; }));
  EXPECT_TRUE(comes(true)) << "the other one still wants them";
  session.post({.kind = Kind::leave, .client = 2});
  EXPECT_TRUE(comes(false));
}

TEST_F(Session, AFailedStepIsToldAndGoesBack) {
  LiveSession session(setup({"si", "symplectic-euler"}), listener_);
  session.post({.kind = Kind::set_step, .value = 0.0001});
  ASSERT_TRUE(listener_.eventually([](const Json& head, const auto&) { return head["steps"] > 200; }));
  session.post({.kind = Kind::set_step, .value = 0.5});
  ASSERT_TRUE(listener_.eventually(
      [](const Json&, const std::vector<Json>& heard) { return Listener::said(heard, "failed", "step"); }));
  // Again and again: it pauses by itself.
  ASSERT_TRUE(listener_.eventually([](const Json&, const std::vector<Json>& heard) {
    return Listener::said(heard, "log", "again and again");
  }));
  session.post({.kind = Kind::set_step, .value = 0.0001});
  session.post({.kind = Kind::pause, .on = false});
  const double t = listener_.latest_head()["t"];
  EXPECT_TRUE(listener_.eventually([&](const Json& head, const auto&) { return head["t"] > t; }));
}

TEST_F(Session, AChangeEndsARecordingAndBeginsTheNext) {
  LiveSession session(setup({"em"}), listener_);
  session.post({.kind = Kind::record, .on = true});
  ASSERT_TRUE(listener_.eventually([](const Json& head, const auto&) { return head["t"] > 0.05; }));
  session.post({.kind = Kind::gravity});
  ASSERT_TRUE(listener_.eventually(
      [](const Json&, const std::vector<Json>& heard) { return Listener::said(heard, "recorded"); }));
  const double t = listener_.latest_head()["t"];
  ASSERT_TRUE(listener_.eventually([&](const Json& head, const auto&) { return head["t"] > t + 0.05; }));
  session.post({.kind = Kind::record, .on = false});
  ASSERT_TRUE(listener_.eventually([](const Json&, const std::vector<Json>& heard) {
    return std::count_if(heard.begin(), heard.end(),
                         [](const Json& one) { return one["kind"] == "recorded"; }) == 2;
  }));
  for (const char* name : {"recording-001", "recording-002"})
    EXPECT_TRUE(std::filesystem::exists(scratch_.path() / "out" / name / "1-em" / "scene.json")) << name;
  const auto gravity_of = [&](const char* name) {
    std::ifstream file(scratch_.path() / "out" / name / "1-em" / "scene.json");
    return Json::parse(file)["gravity"][1].get<double>();
  };
  EXPECT_EQ(gravity_of("recording-001"), -9.81);
  EXPECT_EQ(gravity_of("recording-002"), 0);
}

TEST_F(Session, ARecordingThatCannotBeWrittenIsToldAndTheRunGoesOn) {
  LiveSetup blocked = setup({"si", "em"});
  blocked.output = scratch_.write("a-file", "no folder");
  LiveSession session(std::move(blocked), listener_);
  session.post({.kind = Kind::record, .on = true});
  session.post({.kind = Kind::record, .on = true});  // not taken for one that is under way
  ASSERT_TRUE(listener_.eventually([](const Json&, const std::vector<Json>& heard) {
    return std::count_if(heard.begin(), heard.end(), [](const Json& one) {
             return one["kind"] == "log" && one["tone"] == "bad" &&
                    one.value("text", "").find("a-file") != std::string::npos;
           }) == 2;
  }));
  const double t = listener_.latest_head()["t"];
  EXPECT_TRUE(listener_.eventually([&](const Json& head, const auto&) { return head["t"] > t + 0.05; }));
}

TEST_F(Session, ARecordingWhoseFolderIsTakenAwayEndsAndTheRunGoesOn) {
  LiveSession session(setup({"si", "em"}), listener_);
  session.post({.kind = Kind::record, .on = true});
  ASSERT_TRUE(listener_.eventually([](const Json& head, const auto&) { return head["t"] > 0.05; }));
  std::filesystem::rename(scratch_.path() / "out" / "recording-001", scratch_.path() / "moved");
  ASSERT_TRUE(listener_.eventually([](const Json&, const std::vector<Json>& heard) {
    return Listener::said(heard, "log", "recording of si has failed") &&
           Listener::said(heard, "log", "recording of em has failed") && heard.back()["kind"] == "settings" &&
           heard.back()["recording"] == "";
  }));
  const double t = listener_.latest_head()["t"];
  EXPECT_TRUE(listener_.eventually([&](const Json& head, const auto&) { return head["t"] > t + 0.05; }));
  session.post({.kind = Kind::record, .on = true});
  EXPECT_TRUE(listener_.eventually([](const Json&, const std::vector<Json>& heard) {
    return heard.back()["kind"] == "settings" && heard.back()["recording"] != "";
  }));
}

TEST_F(Session, ABallGoesWithTheClientThatLeadsIt) {
  LiveSession session(setup({"si", "em"}), listener_);
  const auto has_ball = [](bool wanted) {
    return [wanted](const Json& head, const auto&) { return head.contains("ball") == wanted; };
  };
  session.post({.kind = Kind::ball, .client = 3, .point = {0.2, 0.5, 0}, .on = true});
  ASSERT_TRUE(listener_.eventually(has_ball(true)));
  session.post({.kind = Kind::leave, .client = 4});
  session.post({.kind = Kind::move, .client = 5, .stamp = 77});
  ASSERT_TRUE(listener_.eventually(
      [](const Json& head, const auto&) { return head["stamps"].value("5", 0.0) == 77; }));
  EXPECT_TRUE(listener_.latest_head().contains("ball"));
  session.post({.kind = Kind::leave, .client = 3});
  EXPECT_TRUE(listener_.eventually(has_ball(false)));
}

TEST_F(Session, OpensScenesOfTheGalleryAndGoesBackToIt) {
  LiveSetup with_gallery = setup({"em"});
  with_gallery.gallery = {{"bar", "A bar", with_gallery.scene_file}};
  with_gallery.scene_file = "";
  LiveSession session(std::move(with_gallery), listener_);
  session.post({.kind = Kind::join, .client = 1});
  ASSERT_TRUE(listener_.eventually([](const Json&, const std::vector<Json>& heard) {
    return !heard.empty() && heard.back()["kind"] == "hello" && heard.back()["motion"].is_null();
  }));
  session.post({.kind = Kind::open, .number = 0});
  ASSERT_TRUE(listener_.eventually([](const Json& head, const auto&) { return head["t"] > 0.03; }));
  EXPECT_EQ(session.title(), "bar");
  session.post({.kind = Kind::gallery});
  EXPECT_TRUE(listener_.eventually([](const Json&, const std::vector<Json>& heard) {
    return heard.back()["kind"] == "hello" && heard.back()["motion"].is_null();
  }));
}

}  // namespace
}  // namespace phiflex::testing
