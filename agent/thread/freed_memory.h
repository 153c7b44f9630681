// SPDX-License-Identifier: MIT
// What the allocator keeps of memory that was freed.
#pragma once

namespace ludens::agent {

/// From now on freed memory is returned to the system if it is more than a megabyte at the end of
/// an arena, or was one large block. Without this, each of the allocator's many arenas keeps up to
/// 64 MB once a block of 32 MB was freed. To be called at the start of a program: it affects the
/// whole process.
void keep_little_freed_memory();

/// Returns freed memory to the system that the allocator would otherwise keep. Used as `last` by
/// the threads of a match, whose memory is a large part of the process's.
void return_memory();

}  // namespace ludens::agent
