import assert from "node:assert/strict";
import { describeStatusBar } from "../../../../src/features/tracking/status-bar.view.ts";
import { adopted, tracked } from "../../../support/tracking/tracked.ts";

const local = { name: "Local chain", local: true, production: false };
const LATER = 1_000_000_000;
const pending = tracked({ state: { kind: "pending" } });
const unknown = tracked({ state: { kind: "unknown", reason: "reset" } });

describe("describeStatusBar", () => {
  it("shows the network and the number of pending transactions", () => {
    const look = describeStatusBar(local, [], LATER);

    assert.equal(look.text, "$(beaker) Local chain");
    assert.equal(look.background, undefined);
    assert.equal(describeStatusBar(local, [pending, pending], LATER).text, "$(beaker) Local chain · $(clockface) 2");
  });

  it("is highlighted only for an unknown outcome", () => {
    const look = describeStatusBar(local, [pending, unknown], LATER);

    assert.equal(look.text, "$(beaker) Local chain · $(question) 1 · $(clockface) 1");
    assert.equal(look.background, "statusBarItem.warningBackground");
    assert.equal(describeStatusBar(local, [adopted({ state: unknown.state })], LATER).background, undefined);
  });

  it("shows real money in the tooltip", () => {
    const { tooltip, text } = describeStatusBar({ name: "Main", local: false, production: true }, [], LATER);

    assert.equal(text, "$(broadcast) Main");
    assert.match(tooltip, /real money/);
  });

  it("shows a missing network", () => {
    assert.equal(describeStatusBar("none", [], LATER).text, "$(debug-disconnect) No network");
    assert.equal(describeStatusBar("not chosen", [], LATER).text, "$(debug-disconnect) Choose a network");
    assert.match(describeStatusBar("disconnected", [], LATER).text, /Disconnected from local chain$/);
    assert.equal(describeStatusBar("stopped", [], LATER).text, "$(debug-disconnect) Local chain is not running");
  });
});
