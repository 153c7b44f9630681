// SPDX-License-Identifier: MIT
// The kernel, written once for all register widths: included by kernel_64.cpp and those of other
// widths, each compiled for its instruction set. Everything has internal linkage and of the
// standard library only fixed-size integers are used: see kernel.h.
#pragma once

#include "gdl/kernel/kernel_episodes.h"
#include "gdl/kernel/kernel_expansion.h"
#include "gdl/kernel/kernel_playouts.h"
#include "gdl/kernel/kernel_rows.h"

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
    .perceive = perceive,
    .write_rows = write_rows,
    .read_rows = read_rows,
    .episode_lanes = episode_lanes,
    .choose_moves = choose_moves,
    .make_moves = make_moves,
    .restart_ended = restart_ended,
    .look_at_lanes = look_at_lanes,
    .draw_actions = draw_actions,
};

}  // namespace ludens::gdl::kernel
