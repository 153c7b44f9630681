// The kernel, written once for all register widths: included by kernel_64.cpp, kernel_256.cpp and
// kernel_512.cpp, each compiled for its instruction set. Everything has internal linkage and
// nothing of the standard library is used but fixed-size integers: see kernel.h.
#pragma once

#include "gdl/sliced/kernel_playouts.h"

namespace ludens::gdl::kernel {

const Kernel LUDENS_KERNEL = {
    LUDENS_KERNEL_NAME,   kLanes,  evaluate, pack, unpack, Choice::scratch,
    PlayoutLoop::scratch, playouts};

}  // namespace ludens::gdl::kernel
