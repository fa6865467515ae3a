// A sheet of cells, each one run at one moment, all seen by one camera that fits the whole of them, with captions
// and a legend.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "phiflex/picture/render.h"
#include "phiflex/picture/run_stage.h"

namespace phiflex {

enum class Ground { as_scene, always, never };
enum class Lettering { shown, none };

struct SheetOptions {
  View view{};
  int width = 1200;  // pixels, of the whole sheet
  int height = 0;    // 0: as the motion asks for
  int samples = 16;
  Background background = Background::white;
  Quantity quantity{};
  std::optional<double> low{}, high{};  // of the numbers; absent: as far as they go from the value at rest
  Ground ground = Ground::as_scene;
  double tube_radius = 0;  // m; 0: by the springs' length
  double text_size = 0;    // pixels; 0: by the width
  Lettering lettering = Lettering::shown;
};

struct Cell {
  std::size_t run = 0, frame = 0;
  std::string caption;
};

struct Row {
  std::string heading;  // when all are empty there is no room for them
  std::vector<Cell> cells;
};

using RunStages = std::vector<std::unique_ptr<RunStage>>;

class Sheet {
 public:
  // Lays out rows like these, and looks at every cell that will ever be drawn, to place the camera and to find the
  // range of the colours. The runs must outlive the sheet. InputError when a frame is damaged, or when width or
  // height leave no room.
  Sheet(const RunStages& runs, std::span<const Row> layout, std::span<const Cell> cells,
        const SheetOptions& options);

  Image draw(std::span<const Row> rows) const;
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  void read_frame(const RunStage& run, std::size_t number, VisibleFrame& frame) const;
  void survey(std::span<const Cell> cells);
  void lay_out(std::span<const Row> rows);
  void place_tubes();
  Image draw_cell(const Cell& cell) const;
  void draw_legend(Image& sheet) const;
  void draw_scale(Image& sheet, double middle_x, double baseline) const;
  struct Kind {
    std::string name;
    Colour colour;
  };
  std::vector<Kind> kinds() const;  // of the legend; empty when there is but one

  const RunStages& runs_;
  SheetOptions options_;
  Look look_;
  ExtremePoints extremes_;
  std::optional<Camera> camera_;
  int width_ = 0, height_ = 0, cell_width_ = 0, cell_height_ = 0;
  double text_ = 16;                               // pixels, like the next
  double heading_ = 0, caption_ = 0, legend_ = 0;  // heights
};

}  // namespace phiflex
