// SPDX-License-Identifier: MIT
#include "server/match/beside_page.h"

#include <boost/url/decode_view.hpp>
#include <boost/url/pct_string_view.hpp>
#include <system_error>
#include <utility>

namespace ludens::server {
namespace {

namespace fs = std::filesystem;

struct FileKind {
  std::string_view extension, content_type;
  bool shared;  // whether pages of a site have such files in common
};
constexpr FileKind kKinds[] = {
    {".js", "text/javascript", true},    {".mjs", "text/javascript", true},
    {".wasm", "application/wasm", true}, {".css", "text/css", true},
    {".png", "image/png", true},         {".jpg", "image/jpeg", true},
    {".gif", "image/gif", true},         {".svg", "image/svg+xml", true},
    {".ico", "image/x-icon", true},      {".json", "application/json", false},
    {".txt", "text/plain", false},       {".html", "text/html", false},
};
/// How many folders above that of the page are looked at.
constexpr int kAbove = 2;

const FileKind* kind_of(const fs::path& path) {
  for (const FileKind& kind : kKinds) {
    if (path.extension() == kind.extension) return &kind;
  }
  return nullptr;
}

/// The path of the target without its first slash; nullopt if it could lead elsewhere.
std::optional<fs::path> path_of(std::string_view target) {
  target = target.substr(0, target.find_first_of("?#"));
  if (!target.starts_with('/')) return std::nullopt;
  const auto encoded = boost::urls::make_pct_string_view(target.substr(1));
  if (!encoded) return std::nullopt;
  const boost::urls::decode_view decoded(*encoded);
  fs::path path(decoded.begin(), decoded.end());
  if (path.empty() || path.is_absolute()) return std::nullopt;
  for (const fs::path& part : path) {
    if (part.empty() || part.string().starts_with('.')) return std::nullopt;
  }
  return path.string().find('\0') == std::string::npos ? std::optional(std::move(path))
                                                       : std::nullopt;
}

}  // namespace

std::optional<FileBesidePage> file_beside_page(const fs::path& folder, std::string_view target) {
  const auto path = path_of(target);
  const FileKind* const kind = path ? kind_of(*path) : nullptr;
  if (kind == nullptr) return std::nullopt;
  std::error_code error;
  fs::path above = fs::absolute(folder, error).lexically_normal();
  if (!above.has_filename()) above = above.parent_path();  // what ends with a slash
  for (int steps = 0; steps <= (kind->shared ? kAbove : 0); ++steps) {
    if (fs::is_regular_file(above / *path, error)) {
      return FileBesidePage{above / *path, kind->content_type};
    }
    above = above.parent_path();
  }
  return std::nullopt;
}

}  // namespace ludens::server
