import assert from "node:assert/strict";
import type { HeadSample } from "../../../../packages/client/src/gateway/clock.ts";
import type { NetworkProfile } from "../../../../packages/client/src/gateway/network.ts";
import { settled } from "../../../support/fakes/fake-clock.ts";
import { loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type ClockModule = typeof import("../../../../src/host/networks/clock-check.ts");
const { ClockCheck } = await loadWithEditor<ClockModule>("src/host/networks/clock-check.ts");

const NOW = Date.UTC(2026, 0, 1, 12);
const MINUTE = 60_000;

/** Creates a check that records its reports. `open` returns a function that passes heads, as offsets from `NOW`. */
function checkOf({ jwt = true, local = false, hides = false } = {}) {
  const reports: (readonly [network: string, ms: number])[] = [];
  const hidden = new Set<string>();
  const claimed = new Set<string>();
  const notices = {
    isHidden: async (topic: string) => hidden.has(topic),
    hide: async (topic: string) => void hidden.add(topic),
    isShownHere: async (what: string) => claimed.size < claimed.add(what).size,
  };
  const find = () => ({ jwt, local }) as NetworkProfile;
  const say = async (network: string, ms: number) => {
    reports.push([network, ms]);
    return hides;
  };
  const open = () => {
    const check = new ClockCheck({ find, notices: async () => notices, say });
    let before: HeadSample | undefined;
    return async (chain: number, clock: number, network = "Shop") => {
      const head = { chain: NOW + chain, local: NOW + clock };
      check.saw(network, head, before);
      before = head;
      await settled();
    };
  };
  return { open, reports, hidden };
}

describe("ClockCheck", () => {
  it("reports a clock that is at least 30 s behind", async () => {
    const { open, reports } = checkOf();
    const see = open();

    await see(29_999, 0);
    assert.deepEqual(reports, []);
    await see(33_000, 3_000);

    assert.deepEqual(reports, [["Shop", 30_000]]);
  });

  it("reports a clock that is ahead of an advancing chain", async () => {
    const { open, reports } = checkOf();
    const see = open();

    await see(0, MINUTE);
    assert.deepEqual(reports, []);
    await see(3_000, MINUTE + 3_000);

    assert.deepEqual(reports, [["Shop", MINUTE]]);
  });

  it("reports nothing for a stopped chain or a node that catches up", async () => {
    const { open, reports } = checkOf();
    const [stands, catchesUp] = [open(), open()];

    for (const clock of [MINUTE, 2 * MINUTE]) await stands(0, clock);
    await catchesUp(0, 5 * MINUTE);
    await catchesUp(4 * MINUTE, 5 * MINUTE + 3_000);

    assert.deepEqual(reports, []);
  });

  it("reports once a day per network in all windows", async () => {
    const { open, reports } = checkOf();
    const [here, there] = [open(), open()];

    for (const see of [here, here, there]) await see(MINUTE, 0);
    await there(MINUTE, 0, "Nile");
    await here(25 * 60 * MINUTE, 24 * 60 * MINUTE);

    assert.deepEqual(
      reports.map(([network]) => network),
      ["Shop", "Nile", "Shop"],
    );
  });

  it("reports nothing without JWT, for the local chain, or after the user hid it", async () => {
    const [plain, local, hiding] = [checkOf({ jwt: false }), checkOf({ local: true }), checkOf({ hides: true })];
    for (const { open } of [plain, local, hiding]) await open()(MINUTE, 0);
    await hiding.open()(MINUTE, 0, "Nile");

    assert.deepEqual([plain.reports.length, local.reports.length, hiding.reports.length], [0, 0, 1]);
    assert.ok(hiding.hidden.has("clock"));
  });
});
