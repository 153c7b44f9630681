// SPDX-License-Identifier: MIT
// What the allocator keeps of memory that was freed.
#pragma once

namespace ludens::agent {

/// From now on freed memory goes back to the system where it is more than a megabyte at the end of
/// an arena, or was one large block. Otherwise each of the allocator's arenas, of which there are
/// many, keeps up to 64 MB once a block of 32 MB was freed. For a program, at its start: it holds
/// for the whole process.
void keep_little_freed_memory();

/// Gives what was freed back to the system, which the allocator would keep for the next one: a
/// `last` for the threads of a match, whose memory is a large part of the process's.
void return_memory();

}  // namespace ludens::agent
