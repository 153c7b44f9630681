#include "server/records/xml_record.h"

#include <pugixml.hpp>

#include "server/records/dresden_xml.h"
#include "server/records/gametrace_xml.h"
#include "server/records/stanford_xml.h"

namespace ludens::server {

std::variant<MatchRecord, std::string> parse_xml_record(std::string_view text) {
  pugi::xml_document document;
  if (document.load_buffer(text.data(), text.size())) {
    if (document.child("gametrace")) return parse_gametrace_xml(text);
    if (document.child("match").child("herstory")) return parse_stanford_xml(text);
  }
  return parse_dresden_xml(text);
}

bool may_be_xml_record(std::string_view text) {
  pugi::xml_document document;
  if (!document.load_buffer(text.data(), text.size())) return true;
  return document.child("match") || document.child("gametrace");
}

}  // namespace ludens::server
