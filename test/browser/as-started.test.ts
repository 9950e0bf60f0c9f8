import assert from "node:assert/strict";
import type { OpenWorkbench } from "../support/workbench/workbench.ts";
import { shareQuietWorkbench } from "./shared-workbench.ts";

describe("workbench server of the tests and of npm start", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;

  before(async () => {
    workbench = await shareQuietWorkbench();
  });

  it("P1: renders notifications", async () => {
    const { page } = workbench;

    await workbench.runCommand("Finality: Decode Last Debug Output");

    const notice = page.locator(".notifications-toasts .notification-list-item-message");
    await notice
      .filter({ hasText: /No debugged program/ })
      .first()
      .waitFor();
    await workbench.screenshot("notification-as-started");
  });

  it("L15: answers only requests with the token of this start, and none from another origin", async () => {
    const { url } = workbench;
    const { origin, searchParams } = new URL(url);
    const token = searchParams.get("token") ?? "";
    assert.match(token, /^[0-9a-f]{64}$/);

    for (const path of ["/", "/version", "/?folder=%2F", "/?token=", `/?token=${"0".repeat(64)}`]) {
      assert.equal((await fetch(origin + path)).status, 403, path);
    }
    assert.equal((await fetch(`${origin}/mint-key`, { method: "POST" })).status, 403);
    assert.equal((await fetch(`${url}`, { headers: { origin: "http://evil.example" } })).status, 403);
    assert.equal((await fetch(url)).status, 200);
  });

  it("L15: opens no web socket without the token", async () => {
    const { origin } = new URL(workbench.url);
    const socket = new WebSocket(`${origin.replace("http", "ws")}/?reconnectionToken=x`);

    await new Promise((resolve) => {
      socket.onerror = resolve;
      socket.onopen = () => assert.fail("it opened");
    });
  });
});
