import assert from "node:assert/strict";
import type { HeadSample } from "../../../../packages/client/src/gateway/clock.ts";
import type { NetworkProfile } from "../../../../packages/client/src/gateway/network.ts";
import { settled } from "../../../support/fakes/fake-clock.ts";
import { loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type Parts = typeof import("../../../../src/host/networks/clock-check.ts");
const { ClockCheck } = await loadWithEditor<Parts>("src/host/networks/clock-check.ts");

const NOW = Date.UTC(2026, 0, 1, 12);
const MINUTE = 60_000;

/** A check, what it said, and heads as they are seen one after the other: how far chain and clock are from `NOW`. */
function checkOf({ jwt = true, local = false, hides = false } = {}) {
  const said: (readonly [network: string, ms: number])[] = [];
  const hidden = new Set<string>();
  const claimed = new Set<string>();
  const notices = {
    isHidden: async (topic: string) => hidden.has(topic),
    hide: async (topic: string) => void hidden.add(topic),
    isSaidHere: async (what: string) => claimed.size < claimed.add(what).size,
  };
  const find = () => ({ jwt, local }) as NetworkProfile;
  const say = async (network: string, ms: number) => {
    said.push([network, ms]);
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
  return { open, said, hidden };
}

describe("a clock that differs from a chain", () => {
  it("is reported as behind at the first head that shows it, and not for less than 30 s", async () => {
    const { open, said } = checkOf();
    const see = open();

    await see(29_999, 0);
    assert.deepEqual(said, []);
    await see(33_000, 3_000);

    assert.deepEqual(said, [["Shop", 30_000]]);
  });

  it("is reported as ahead of a chain that advances", async () => {
    const { open, said } = checkOf();
    const see = open();

    await see(0, MINUTE);
    assert.deepEqual(said, []);
    await see(3_000, MINUTE + 3_000);

    assert.deepEqual(said, [["Shop", MINUTE]]);
  });

  it("is not reported because a chain stands still, or a node catches up", async () => {
    const { open, said } = checkOf();
    const [stands, catchesUp] = [open(), open()];

    for (const clock of [MINUTE, 2 * MINUTE]) await stands(0, clock);
    await catchesUp(0, 5 * MINUTE);
    await catchesUp(4 * MINUTE, 5 * MINUTE + 3_000);

    assert.deepEqual(said, []);
  });

  it("is reported once a day for each network, in whichever window sees it", async () => {
    const { open, said } = checkOf();
    const [here, there] = [open(), open()];

    for (const see of [here, here, there]) await see(MINUTE, 0);
    await there(MINUTE, 0, "Nile");
    await here(25 * 60 * MINUTE, 24 * 60 * MINUTE);

    assert.deepEqual(
      said.map(([network]) => network),
      ["Shop", "Nile", "Shop"],
    );
  });

  it("is not reported for networks without tokens, for the local chain, or after the user hid the notice", async () => {
    const [plain, local, tired] = [checkOf({ jwt: false }), checkOf({ local: true }), checkOf({ hides: true })];
    for (const { open } of [plain, local, tired]) await open()(MINUTE, 0);
    await tired.open()(MINUTE, 0, "Nile");

    assert.deepEqual([plain.said.length, local.said.length, tired.said.length], [0, 0, 1]);
    assert.ok(tired.hidden.has("clock"));
  });
});
