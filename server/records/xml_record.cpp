// SPDX-License-Identifier: MIT
#include "server/records/xml_record.h"

#include <pugixml.hpp>
#include <stdexcept>

#include "server/records/dresden_xml.h"
#include "server/records/gametrace_xml.h"
#include "server/records/record_shape.h"
#include "server/records/stanford_xml.h"
#include "server/records/text_place.h"

namespace ludens::server {

namespace {

gdl::Error not_xml(const pugi::xml_parse_result& result, std::string_view text) {
  const TextPlace place = text_place(text, result.offset);
  return {std::string("no XML: ") + result.description() + " at line " +
          std::to_string(place.line) + ", column " + std::to_string(place.column)};
}

MatchRecord read(const pugi::xml_document& document) {
  if (const auto trace = document.child("gametrace")) return read_gametrace_xml(trace);
  const pugi::xml_node match = document.child("match");
  return match.child("herstory") ? read_stanford_xml(match) : read_dresden_xml(match);
}

}  // namespace

gdl::Result<MatchRecord> parse_xml_record(std::string_view text) {
  pugi::xml_document document;
  const auto result = document.load_buffer(text.data(), text.size());
  if (!result) return not_xml(result, text);
  try {
    MatchRecord record = read(document);
    if (std::string problem = shape_problem(record); !problem.empty()) {
      return gdl::Error{std::move(problem)};
    }
    return record;
  } catch (const std::invalid_argument& problem) {
    return gdl::Error{problem.what()};
  }
}

bool may_be_xml_record(std::string_view text) {
  pugi::xml_document document;
  if (!document.load_buffer(text.data(), text.size())) return true;
  return document.child("match") || document.child("gametrace");
}

}  // namespace ludens::server
