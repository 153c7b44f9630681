// SPDX-License-Identifier: MIT
// `ludens report`: a page of tournaments and matches.
#pragma once

#include <string>
#include <vector>

namespace ludens::server {

struct ReportOptions {
  std::vector<std::string> folders;  // or files of records
  std::string out = "report.html";
  std::string title;  // empty: from the folders
  bool json = false;
};

/// Writes the page, and tells where it is. 1 if something in the folders could not be read; 3 if
/// nothing could, or the page could not be written.
int report_command(const ReportOptions& options);

}  // namespace ludens::server
