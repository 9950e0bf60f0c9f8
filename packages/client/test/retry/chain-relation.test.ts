import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway } from "../../../../test/support/fakes/fake-gateway.ts";
import { bytesReferringTo, chainId } from "../../../../test/support/tracking/chain-places.ts";
import { signedPart, tracked } from "../../../../test/support/tracking/tracked.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import type { Hex } from "../../../tron/src/primitives/bytes.ts";
import { relationOf } from "../../src/retry/conflicting-transactions.ts";

/** Returns a chain that differs from others by its number of forks. */
function chainOf(forks: number): FakeGateway {
  const gateway = new FakeGateway();
  for (let fork = 0; fork < forks; fork++) {
    gateway.mine();
    gateway.reorganise(1);
  }
  gateway.mineEmpty(5);
  return gateway;
}

const refers = (gateway: FakeGateway): Hex => bytesReferringTo(gateway.head.id);
const silent = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "x", attempts: 1, reason: "timeout" });

/** Returns the relation of old bytes on "First" to new bytes on "Second". */
function fixture(networks: { readonly [name: string]: readonly FakeGateway[] }) {
  const urlsOf = async (network: string) => networks[network] ?? Promise.reject(silent);
  const networkOf = ({ network }: { network: string }): string => network;
  const sources = { urlsOf, networkOf, clock: new FakeClock(), signal: new AbortController().signal };
  return (old: Hex, rawDataHex?: Hex) => {
    const first = tracked({ network: "First", chain: chainId("a"), signed: { ...signedPart(), rawDataHex: old } });
    return relationOf(first, { network: "Second", chain: chainId("b"), rawDataHex }, sources);
  };
}

describe("relationOf", () => {
  it('H1: returns "same" when the target network has the reference block of the old transaction', async () => {
    const honest = chainOf(0);

    assert.equal(await fixture({ First: [chainOf(1)], Second: [honest] })(refers(honest)), "same");
  });

  it('H1: returns "same" when the old network has the reference block of the new transaction', async () => {
    const [honest, dishonest] = [chainOf(0), chainOf(1)];
    const relation = fixture({ First: [honest], Second: [dishonest] });

    assert.equal(await relation(refers(honest)), "apart", "before anything is built");
    assert.equal(await relation(refers(honest), refers(honest)), "same");
  });

  it('H1: returns "apart" when neither network has the reference block of the other', async () => {
    const [one, other] = [chainOf(0), chainOf(1)];

    assert.equal(await fixture({ First: [one], Second: [other] })(refers(one), refers(other)), "apart");
  });

  it('H1: returns "unknown" when a network does not answer or does not exist', async () => {
    const [one, other] = [chainOf(0), chainOf(1)];
    const bytes = [refers(one), refers(other)] as const;
    other.fail("headBlocks", silent);
    assert.equal(await fixture({ First: [one], Second: [other] })(...bytes), "unknown");
    one.fail("headBlocks", silent);
    assert.equal(await fixture({ First: [one], Second: [other] })(...bytes), "unknown");

    assert.equal(await fixture({ Second: [other] })(...bytes), "unknown");
  });

  it('H1: returns "same" when one URL has the block, and "unknown" when one of the others is unreachable', async () => {
    const [honest, dishonest, down] = [chainOf(0), chainOf(1), chainOf(1)];
    down.fail("headBlock", silent);

    assert.equal(await fixture({ First: [dishonest], Second: [dishonest, honest] })(refers(honest)), "same");
    assert.equal(await fixture({ First: [dishonest], Second: [dishonest, down] })(refers(honest)), "unknown");
  });

  it("H1: sends no request when both networks report the same chain", async () => {
    const gateway = chainOf(0);
    const sources = {
      urlsOf: async () => [gateway],
      networkOf: () => "First",
      clock: new FakeClock(),
      signal: new AbortController().signal,
    };
    const first = tracked({ network: "First", chain: chainId("a") });

    assert.equal(await relationOf(first, { network: "Second", chain: chainId("a") }, sources), "same");
    assert.deepEqual(gateway.requests, []);
  });
});
