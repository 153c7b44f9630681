// SPDX-License-Identifier: MIT
// Ludens itself, in a Worker of the page: requests one after the other, answered by the module (server/wasm/engine.h).
"use strict";

/** The bytes of a text in base64 that gzip made smaller. */
async function unpacked(base64) {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const loaded = new Promise((resolve, reject) => {
  self.load = async (module) => {
    try {
      const bytes = await unpacked(module);
      const made = await LudensModule({wasmBinary: bytes, tell: (text) => postMessage({told: JSON.parse(text)})});
      resolve(made);
      postMessage({ready: true});
    } catch (error) {
      reject(error);
      postMessage({failed: String(error)});
    }
  };
});

/** The answer to a request, whose text lies in the module's memory: its stack has no room for long rules. */
function ask(module, request) {
  const text = new TextEncoder().encode(JSON.stringify(request) + "\0");
  const place = module._malloc(text.length);
  if (place === 0) throw new Error("no memory for the request");
  module.HEAPU8.set(text, place);
  const answer = module.ccall("ludens_ask", "string", ["number"], [place]);
  module._free(place);
  return answer;
}

onmessage = async ({data}) => {
  if (data.module) return self.load(data.module);
  const module = await loaded;
  const {until, ...request} = data.request;
  if (until) request.ms = Math.max(0, Math.round(until - Date.now()));
  let answer;
  try {
    answer = JSON.parse(ask(module, request));
  } catch (error) {  // the module is of no more use
    return postMessage({failed: String(error)});
  }
  postMessage({number: data.number, answer});
};
