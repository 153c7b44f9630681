// SPDX-License-Identifier: MIT
// For wasm_encoder_test.cpp: runs the modules N.wasm of a folder over the slots in N.slots, and writes what these are
// behind Status, Next and Goals, then behind a step in place, to N.phases and N.advanced. N.calls has the functions.
"use strict";
const fs = require("fs");
const kBehind = 4096;  // where the slots begin: not at 0

const [folder, count] = process.argv.slice(2);
for (let n = 0; n < Number(count); ++n) {
  const read = (ending) => fs.readFileSync(`${folder}/${n}.${ending}`);
  const slots = read("slots");
  const memory = new WebAssembly.Memory({initial: Math.ceil((kBehind + slots.length) / 65536)});
  const bytes = new Uint8Array(memory.buffer, kBehind, slots.length);
  bytes.set(slots);
  const {exports} = new WebAssembly.Instance(new WebAssembly.Module(read("wasm")), {e: {m: memory}});
  const calls = read("calls").toString().trim().split(" ");
  for (const called of calls.slice(0, -1)) exports[called](kBehind);
  fs.writeFileSync(`${folder}/${n}.phases`, bytes);
  exports[calls[calls.length - 1]](kBehind);
  fs.writeFileSync(`${folder}/${n}.advanced`, bytes);
}
