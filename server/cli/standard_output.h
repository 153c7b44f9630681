// SPDX-License-Identifier: MIT
// Has all that was printed arrived?
#pragma once

namespace ludens::server {

/// Flushes standard output and returns `code`, or, with a line on standard error, 3 where something
/// could not be written: a full disk is no success. A reader that has gone away has seen what it
/// wanted, and changes nothing.
int flush_output(int code);

}  // namespace ludens::server
