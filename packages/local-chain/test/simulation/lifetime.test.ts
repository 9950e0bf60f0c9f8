import assert from "node:assert/strict";
import { mock } from "node:test";
import { Lifetime } from "../../src/simulation/lifetime.ts";

describe("Lifetime", () => {
  let lifetime: Lifetime;
  let ends: number;

  beforeEach(() => {
    mock.timers.enable({ apis: ["setInterval"] });
    ends = 0;
    lifetime = new Lifetime();
    lifetime.onEnd(() => {
      ends++;
      lifetime.close();
    });
  });

  afterEach(() => mock.timers.reset());

  it("ends the chain when its lease is not renewed", () => {
    lifetime.renew(2_000);
    mock.timers.tick(1_500);
    assert.equal(ends, 0);

    mock.timers.tick(500);

    assert.equal(ends, 1);
  });

  it("starts the lease again when it is renewed, with the new time", () => {
    lifetime.renew(2_000);
    mock.timers.tick(1_500);
    lifetime.renew(5_000);

    mock.timers.tick(4_500);
    assert.equal(ends, 0);
    mock.timers.tick(500);

    assert.equal(ends, 1);
  });

  it("never ends a chain with a lease of 0", () => {
    lifetime.renew(2_000);
    lifetime.renew(0);

    mock.timers.tick(10_000_000);

    assert.equal(ends, 0);
  });

  it("ends the chain after the response to the request", () => {
    lifetime.endIfRequested();
    assert.equal(ends, 0);

    lifetime.requestStop();
    assert.equal(ends, 0);
    lifetime.endIfRequested();

    assert.equal(ends, 1);
  });
});
