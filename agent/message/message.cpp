#include "agent/message/message.h"

namespace ludens::agent {

Part part_of(const std::string& text) {
  auto tree = std::make_shared<gdl::SyntaxTree>(gdl::parse(text).tree);
  if (tree->size() == 0) return {};
  return {std::move(tree), 0};
}

std::string_view kind(const Message& message) {
  struct Visitor {
    std::string_view operator()(const Info&) const { return "INFO"; }
    std::string_view operator()(const Preview&) const { return "PREVIEW"; }
    std::string_view operator()(const Start&) const { return "START"; }
    std::string_view operator()(const Play&) const { return "PLAY"; }
    std::string_view operator()(const Stop&) const { return "STOP"; }
    std::string_view operator()(const Abort&) const { return "ABORT"; }
    std::string_view operator()(const ImperfectInformation&) const { return "GDL-II"; }
  };
  return std::visit(Visitor{}, message);
}

}  // namespace ludens::agent
