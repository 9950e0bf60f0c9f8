import assert from "node:assert/strict";
import { describeStatusBar } from "../../../../src/features/tracking/status-bar.view.ts";
import { adopted, tracked } from "../../../support/tracking/tracked.ts";

const local = { name: "Local chain", local: true, production: false };
const LATER = 1_000_000_000;
const pending = tracked({ state: { kind: "pending" } });
const unknown = tracked({ state: { kind: "unknown", reason: "reset" } });

describe("describeStatusBar", () => {
  it("is only the network when nothing moves", () => {
    const look = describeStatusBar(local, [], LATER);

    assert.equal(look.text, "$(beaker) Local chain");
    assert.equal(look.background, undefined);
  });

  it("counts what is on its way", () => {
    assert.equal(describeStatusBar(local, [pending, pending], LATER).text, "$(beaker) Local chain · $(clockface) 2");
  });

  it("warns by colour only when an outcome is unknown", () => {
    const look = describeStatusBar(local, [pending, unknown], LATER);

    assert.equal(look.text, "$(beaker) Local chain · $(question) 1 · $(clockface) 1");
    assert.equal(look.background, "statusBarItem.warningBackground");
  });

  it("does not warn of a foreign transaction that was not seen yet", () => {
    assert.equal(describeStatusBar(local, [adopted({ state: unknown.state })], LATER).background, undefined);
  });

  it("says that money is real", () => {
    const { tooltip, text } = describeStatusBar({ name: "Main", local: false, production: true }, [], LATER);

    assert.equal(text, "$(broadcast) Main");
    assert.match(tooltip, /real money/);
  });

  it("says that there is no network yet", () => {
    assert.equal(describeStatusBar("none", [], LATER).text, "$(debug-disconnect) No network");
  });

  it("U2: says that a network has to be chosen", () => {
    assert.equal(describeStatusBar("not chosen", [], LATER).text, "$(debug-disconnect) Choose a network");
  });
});
