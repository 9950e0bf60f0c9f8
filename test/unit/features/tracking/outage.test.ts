import assert from "node:assert/strict";
import { Outage } from "../../../../src/features/tracking/outage.ts";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";

function outageOf() {
  const clock = new FakeClock();
  const said: (readonly string[])[] = [];
  const state = { unanswered: [] as readonly string[], isQuiet: false };
  const outage = new Outage({
    unanswered: () => state.unanswered,
    isQuiet: () => state.isQuiet,
    sleep: clock.sleep.bind(clock),
    say: (networks) => void said.push(networks),
  });
  const become = (...unanswered: readonly string[]): void => {
    state.unanswered = unanswered;
    outage.look();
  };
  return { clock, said, state, become, outage };
}

describe("an outage", () => {
  it("is told once when it lasts, with all that does not answer then, and again when there is another one", async () => {
    const { clock, said, become } = outageOf();

    become("Shop");
    become("Shop", "Nile");
    await clock.advance(60_000);
    assert.deepEqual(said, [["Shop", "Nile"]]);

    become();
    become("Shop");
    await clock.advance(10_000);
    assert.equal(said.length, 2);
  });

  it("is none when the gateway answers again soon", async () => {
    const { clock, said, become } = outageOf();

    become("Shop");
    await clock.advance(9_000);
    become();
    await clock.advance(60_000);

    assert.deepEqual(said, []);
  });

  it("is not told to who sees it in the list", async () => {
    const { clock, said, state, become } = outageOf();
    state.isQuiet = true;

    become("Shop");
    await clock.advance(60_000);

    assert.deepEqual(said, []);
  });

  it("leaves no timer behind when the window closes", async () => {
    const { clock, said, become, outage } = outageOf();
    become("Shop");

    outage.dispose();
    await clock.advance(60_000);

    assert.deepEqual([said, clock.sleeping], [[], 0]);
  });
});
