import assert from "node:assert/strict";
import { Outage } from "../../../../src/features/tracking/outage.ts";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";

function outageOf() {
  const clock = new FakeClock();
  const said: string[] = [];
  const state = { trouble: undefined as string | undefined, isQuiet: false };
  const outage = new Outage({
    trouble: () => state.trouble,
    isQuiet: () => state.isQuiet,
    sleep: clock.sleep.bind(clock),
    say: (sentence) => void said.push(sentence),
  });
  const become = (trouble: string | undefined): void => {
    state.trouble = trouble;
    outage.look();
  };
  return { clock, said, state, become };
}

const GONE = "https://a.test did not answer.";

describe("an outage", () => {
  it("is told once when it lasts, and again when there is another one", async () => {
    const { clock, said, become } = outageOf();

    become(GONE);
    become("https://a.test did not answer in 3 attempts.");
    await clock.advance(60_000);
    assert.deepEqual(said, ["https://a.test did not answer in 3 attempts."]);

    become(undefined);
    become(GONE);
    await clock.advance(10_000);
    assert.equal(said.length, 2);
  });

  it("is none when the gateway answers again soon", async () => {
    const { clock, said, become } = outageOf();

    become(GONE);
    await clock.advance(9_000);
    become(undefined);
    await clock.advance(60_000);

    assert.deepEqual(said, []);
  });

  it("is not told to who sees it in the list", async () => {
    const { clock, said, state, become } = outageOf();
    state.isQuiet = true;

    become(GONE);
    await clock.advance(60_000);

    assert.deepEqual(said, []);
  });
});
