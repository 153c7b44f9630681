// SPDX-License-Identifier: MIT
// The kernel, written once for all register widths: included by kernel_64.cpp, kernel_256.cpp and
// kernel_512.cpp, each compiled for its instruction set. Everything has internal linkage and
// nothing of the standard library is used but fixed-size integers: see kernel.h.
#pragma once

#include "gdl/kernel/kernel_expansion.h"
#include "gdl/kernel/kernel_playouts.h"

namespace ludens::gdl::kernel {

const Kernel LUDENS_KERNEL = {
    .name = LUDENS_KERNEL_NAME,
    .lanes = kLanes,
    .evaluate = evaluate,
    .chooser_scratch = Choice::scratch,
    .sparse_scratch = SparseChoice::scratch,
    .weighting_scratch = WeightedChoice::scratch,
    .playout_scratch = PlayoutLoop::scratch,
    .playouts = playouts,
    .expansion_scratch = ExpansionRun::scratch,
    .expand = expand,
    .list_moves = list_moves,
};

}  // namespace ludens::gdl::kernel
