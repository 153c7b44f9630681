// SPDX-License-Identifier: MIT
// The window of Ludens that a click on the player's page opens (gamemaster.js): asks Ludens for that page, where the
// browser does not let the page do so. Both ends look at each other's origin; Ludens wants the page's token all the same.
"use strict";

const {origin} = JSON.parse(document.getElementById("data").textContent);
const page = window.opener;  // the player's page
const status = element("p", {id: "status", role: "status"}, "");
document.querySelector("main").append(element("section", {class: "card"}, status));

async function ask({number, path, token, body}) {
  try {
    if (path !== "message" && path !== "view") throw new Error("this window does not ask for that");
    const reply = await fetch(`/gamemaster/${path}`, {
      method: "POST", cache: "no-store", headers: {"Authorization": `Bearer ${token}`, "Content-Type": "application/json"}, body,
    });
    return {number, status: reply.status, text: await reply.text()};
  } catch (error) {
    return {number, failed: error.message};
  }
}

function here() {
  if (!page.closed) return page.postMessage({ludens: "here"}, origin);
  status.textContent = "The player's page was closed; this window is of no more use.";
}

if (page) {
  status.textContent = `The player's page at ${origin} talks to Ludens through this window: leave it open while you play.`;
  addEventListener("message", async ({source, origin: from, data}) => {
    if (source !== page || from !== origin || data?.ludens !== "ask") return;
    page.postMessage({ludens: "answer", ...await ask(data)}, origin);
  });
  setInterval(here, 1000);
  here();
} else {
  status.textContent = "The player's page on Gamemaster opens this window where it needs it.";
}
