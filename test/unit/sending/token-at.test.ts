import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContractRun, SimulatedRun } from "../../../packages/client/src/gateway/gateway.ts";
import type { NetworkProfile } from "../../../packages/client/src/gateway/network.ts";
import { parseTokenAmount } from "../../../packages/client/src/tokens.ts";
import { PinFile } from "../../../packages/node/src/storage/pin-file.ts";
import { ChainError, isChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import { toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import type { Hex } from "../../../packages/tron/src/primitives/bytes.ts";
import { loadWithEditor } from "../../support/fakes/fake-editor.ts";
import { profileAt } from "../../support/fakes/gateway-fixtures.ts";
import { BOB } from "../../support/tracking/tracked.ts";

type TokenAt = typeof import("../../../src/sending/token-at.ts");

const DECIMALS = "313ce567";
const [ONE, TWO] = ["https://one.test", "https://two.test"];
const TOKEN = toBase58(BOB);

describe("tokenAt", () => {
  let folder: string;
  let tokenAt: TokenAt["tokenAt"];
  /** Answer of each URL; undefined does not answer. */
  const answers = new Map<string, number | undefined>();
  let chain = "a";

  before(async () => {
    ({ tokenAt } = await loadWithEditor<TokenAt>("src/sending/token-at.ts"));
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-decimals-"));
    answers.clear();
    chain = "a";
  });

  afterEach(async () => rm(folder, { recursive: true }));

  function gatewayAt(url: string) {
    const constantCall = async ({ data }: ContractRun): Promise<SimulatedRun> => {
      const decimals = answers.get(url);
      if (decimals === undefined)
        throw new ChainError("GATEWAY_UNREACHABLE", { endpoint: url, attempts: 1, reason: "x" });
      const returned = data === DECIMALS ? decimals.toString(16).padStart(64, "0") : "";
      return { reverted: returned === "", returned: returned as Hex } as SimulatedRun;
    };
    return { endpoint: url, constantCall };
  }

  /** Returns the location of tokens in a new window. */
  function locationOf(network: NetworkProfile): Parameters<TokenAt["tokenAt"]>[0] {
    const services = {
      chains: {
        networkRefOf: async ({ name }: NetworkProfile) => ({ network: name, chain }),
        decimals: async () => new PinFile(join(folder, "decimals.jsonl"), (error) => assert.fail(String(error))),
      },
      gateways: {
        for: async () => gatewayAt(network.baseUrl),
        at: async (_: NetworkProfile, url: string) => gatewayAt(url),
      },
    };
    return { services, network, gateway: gatewayAt(network.baseUrl) } as never;
  }

  const differ = (decimals: number, other: number, source: RegExp) => (error: unknown) => {
    assert.ok(isChainError(error));
    assert.equal(error.code, "TOKEN_DECIMALS_DIFFER");
    assert.match(error.message, source);
    assert.match(error.message, new RegExp(`${TOKEN} has ${decimals} decimals.* is ${other}\\. Nothing was signed`));
    return true;
  };

  it("H6: rejects other decimals at the second use", async () => {
    answers.set(ONE, 6);
    const first = await tokenAt(locationOf(profileAt(ONE)), BOB);
    assert.equal(parseTokenAmount("1.5", first), 1_500_000n);
    assert.equal(first.decimalsBy, `reported by ${ONE}, first use`);
    assert.equal((await tokenAt(locationOf(profileAt(ONE)), BOB)).decimalsBy, "the same as at its first use here");

    answers.set(ONE, 8);
    await assert.rejects(tokenAt(locationOf(profileAt(ONE)), BOB), differ(8, 6, /the value from its first use here/));
  });

  it("H6: rejects different decimals when two windows read at the same time", async () => {
    answers.set(ONE, 6).set(TWO, 8);

    const both = await Promise.allSettled([
      tokenAt(locationOf(profileAt(ONE)), BOB),
      tokenAt(locationOf(profileAt(TWO, { name: "Provider B" })), BOB),
    ]);

    assert.deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  });

  it("H6: compares decimals of all networks of one chain", async () => {
    answers.set(ONE, 6).set(TWO, 8);
    await tokenAt(locationOf(profileAt(ONE, { name: "Provider A" })), BOB);

    await assert.rejects(tokenAt(locationOf(profileAt(TWO, { name: "Provider B" })), BOB), differ(8, 6, /first use/));
    chain = "b";
    assert.equal((await tokenAt(locationOf(profileAt(TWO, { name: "Provider B" })), BOB)).decimals, 8);
  });

  it("H6: rejects different decimals of a fallback URL, and stores nothing", async () => {
    answers.set(ONE, 8).set(TWO, 6);
    const network = profileAt(ONE, { fallbackUrls: [TWO] });

    await assert.rejects(tokenAt(locationOf(network), BOB), differ(8, 6, /the value from https:\/\/two\.test is 6/));

    answers.set(ONE, 6);
    const token = await tokenAt(locationOf(network), BOB);
    assert.deepEqual([token.decimals, token.decimalsBy], [6, `reported by ${ONE} and ${TWO}, first use`]);
  });

  it("H6: ignores a fallback URL that does not answer", async () => {
    answers.set(ONE, 6);
    const token = await tokenAt(locationOf(profileAt(ONE, { fallbackUrls: [TWO] })), BOB);
    assert.equal(token.decimalsBy, `reported by ${ONE}, first use`);
  });

  it("H6: rejects more than 36 decimals", async () => {
    for (const decimals of [37, 77, 255]) {
      answers.set(ONE, decimals);
      await assert.rejects(
        tokenAt(locationOf(profileAt(ONE)), BOB),
        new RegExp(`it reports ${decimals} decimals, more than the limit of 36`),
      );
    }
    answers.set(ONE, 36);
    assert.equal((await tokenAt(locationOf(profileAt(ONE)), BOB)).decimals, 36);
  });
});
