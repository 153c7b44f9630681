// SPDX-License-Identifier: MIT
#include "server/cli/learning_curve.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <pugixml.hpp>
#include <sstream>

namespace ludens::server {

namespace {

constexpr double kWidth = 760, kHeight = 440;
constexpr double kLeft = 60, kRight = 740, kTop = 50, kBottom = 390;
constexpr const char* kGrey = "#999";
constexpr const char* kBlue = "#1f5fa8";

std::string text_of(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

/// Positions in a picture whose x axis goes from 0 to `end` seconds and whose y axis goes from 0 to
/// 100 %.
class Canvas {
 public:
  explicit Canvas(double end) : end_(end), svg_(document_.append_child("svg")) {
    set(svg_, {{"xmlns", "http://www.w3.org/2000/svg"},
               {"viewBox", "0 0 " + text_of(kWidth) + " " + text_of(kHeight)},
               {"width", text_of(kWidth)},
               {"height", text_of(kHeight)},
               {"font-family", "sans-serif"},
               {"font-size", "13"}});
    set(svg_.append_child("rect"), {{"width", "100%"}, {"height", "100%"}, {"fill", "white"}});
  }

  [[nodiscard]] double x(double seconds) const { return kLeft + (kRight - kLeft) * seconds / end_; }
  [[nodiscard]] static double y(double percent) {
    return kBottom - (kBottom - kTop) * percent / 100;
  }

  void line(double x1, double y1, double x2, double y2, const char* colour) {
    set(svg_.append_child("line"), {{"x1", text_of(x1)},
                                    {"y1", text_of(y1)},
                                    {"x2", text_of(x2)},
                                    {"y2", text_of(y2)},
                                    {"stroke", colour}});
  }
  void text(double x, double y, const char* anchor, const std::string& words) {
    pugi::xml_node node = svg_.append_child("text");
    set(node, {{"x", text_of(x)}, {"y", text_of(y)}, {"text-anchor", anchor}});
    node.text().set(words.c_str());
  }
  void dot(double x, double y) {
    set(svg_.append_child("circle"),
        {{"cx", text_of(x)}, {"cy", text_of(y)}, {"r", "3"}, {"fill", kBlue}});
  }
  void curve(const std::string& places) {
    set(svg_.append_child("polyline"),
        {{"points", places}, {"fill", "none"}, {"stroke", kBlue}, {"stroke-width", "2"}});
  }
  [[nodiscard]] std::string svg() const {
    std::ostringstream out;
    document_.save(out, "  ");
    return out.str();
  }

 private:
  static void set(pugi::xml_node node,
                  std::initializer_list<std::pair<const char*, std::string>> attributes) {
    for (const auto& [name, value] : attributes) {
      node.append_attribute(name).set_value(value.c_str());
    }
  }

  double end_;
  pugi::xml_document document_;
  pugi::xml_node svg_;
};

void draw_axes(Canvas& canvas, double end) {
  for (int percent = 0; percent <= 100; percent += 25) {
    const double y = Canvas::y(percent);
    canvas.line(kLeft, y, kRight, y, percent == 50 ? "#555" : "#ddd");
    canvas.text(kLeft - 8, y + 4, "end", std::to_string(percent) + " %");
  }
  canvas.line(kLeft, kTop, kLeft, kBottom, kGrey);
  const double distance = tick_distance(end);
  for (int tick = 0; tick * distance <= end * 1.0001; ++tick) {
    const double x = canvas.x(tick * distance);
    canvas.line(x, kBottom, x, kBottom + 5, kGrey);
    canvas.text(x, kBottom + 20, "middle", text_of(tick * distance));
  }
  canvas.text((kLeft + kRight) / 2, kBottom + 40, "middle", "seconds of learning");
}

}  // namespace

double tick_distance(double end) {
  const double least = end / 10;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1, 2, 5}) {
    if (factor * power >= least * 0.9999) return factor * power;
  }
  return 10 * power;
}

void LearningCurve::add(double seconds, const search::Score& score) {
  points_.push_back({seconds, 100 * score.mean(), 196 * score.standard_error()});
}

std::string LearningCurve::svg() const {
  const double end = points_.empty() ? 1 : std::max(1e-3, points_.back().seconds);
  Canvas canvas(end);
  canvas.text(kLeft, kTop - 20, "start", title_);
  draw_axes(canvas, end);
  std::string places;
  for (const Point& point : points_) {
    const double x = canvas.x(point.seconds), y = Canvas::y(point.percent);
    canvas.line(x, Canvas::y(std::max(0.0, point.percent - point.margin)), x,
                Canvas::y(std::min(100.0, point.percent + point.margin)), "#9bbfe4");
    places += (places.empty() ? "" : " ") + text_of(x) + "," + text_of(y);
  }
  canvas.curve(places);
  for (const Point& point : points_) canvas.dot(canvas.x(point.seconds), Canvas::y(point.percent));
  return canvas.svg();
}

}  // namespace ludens::server
