import assert from "node:assert/strict";
import { bandwidthOf, transferCost } from "../../packages/client/src/estimates/costs.ts";
import type { AccountResources, ChainParameters } from "../../packages/client/src/gateway/gateway.ts";
import type { HttpGateway } from "../../packages/client/src/gateway/http/http-gateway.ts";
import {
  parseAccount,
  parseAccountResources,
  parseChainParameters,
} from "../../packages/client/src/gateway/wire/accounts.ts";
import type { SystemFacts, SystemIntent } from "../../packages/client/src/reviews/system-effect.view.ts";
import { readSystemFacts } from "../../packages/client/src/reviews/system-facts.ts";
import { effectOf } from "../../packages/client/src/reviews/system-review.view.ts";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { bothUnits, grouped } from "../../packages/tron/src/format/amounts.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { isJsonObject, type Json, type JsonObject } from "../../packages/tron/src/primitives/json.ts";
import type { Intent, IntentOf, Resource } from "../../packages/tron/src/transaction/intent.ts";
import { EVERY_STAKE_VOTES, EveryKind, kindsInOrder, type Owner } from "../support/chain/every-kind.ts";
import { testChainOf } from "../support/chain/test-chain.ts";
import { gatewayAt } from "../support/fakes/gateway-fixtures.ts";
import { dice } from "../support/random/dice.ts";
import { howOften } from "../support/random/how-often.ts";
import { loadExchanges } from "../support/recorded/exchanges.ts";
import type { OwnKind } from "../support/tracking/intents.ts";

const ROUNDS = howOften(8, 100);

/** A review before a transaction, and the accounts after it. */
interface Seen {
  readonly intent: SystemIntent;
  readonly facts: SystemFacts;
  readonly lines: readonly string[];
  readonly info: JsonObject;
  readonly owner: AccountAfter;
  readonly receiver: AccountAfter;
}

interface AccountAfter {
  readonly account: JsonObject;
  readonly resources: AccountResources | undefined;
}

type Check = (seen: Seen) => void;

/** Checks of effects against receipts and accounts, or the reason to check the cost only. */
const CHECKS: { readonly [K in OwnKind]: Check | string } = {
  transfer: "its amount and its cost",
  "token-transfer": "its amount and its cost",
  "contract-call": "energy: recorded-estimates.test.ts",
  "contract-creation": "energy: recorded-estimates.test.ts",
  stake: ({ lines, owner }) => assertBecomes(lineOf(lines, "Brings: "), limitOf(owner, "ENERGY")),
  unstake: ({ lines, owner }) => {
    assertBecomes(lineOf(lines, "Removes: "), limitOf(owner, "ENERGY"));
    const times = listIn(owner.account, "unfrozenV2").map((it) => it.unfreeze_expire_time);
    assert.equal(/^Available: (\d+),/.exec(lineOf(lines, "Available: "))?.[1], String(times.at(-1)));
  },
  withdraw: ({ lines, info }) => assertLine(lines, `Withdraws: ${bothUnits(amountIn(info, "withdraw_expire_amount"))}`),
  "cancel-unstakes": ({ lines, info }) => {
    const cancelled = listIn(info, "cancel_unfreezeV2_amount").filter(({ value }) => value !== 0);
    assert.deepEqual(
      lines
        .filter((it) => it.startsWith("Stakes again: "))
        .map((it) => /\((\d+) sun\)/.exec(it.replaceAll(",", ""))?.[1])
        .sort(),
      cancelled.map(({ value }) => String(value)).sort(),
    );
  },
  delegate: checkBothSides,
  undelegate: checkBothSides,
  vote: ({ intent, lines, owner }) => {
    const votes = listIn(owner.account, "votes");
    const sum = votes.reduce((total, it) => total + Number(it.vote_count), 0);
    const power = Number(owner.resources?.votingPower);
    assertLine(lines, `Votes: ${grouped(sum)} for `);
    assertLine(lines, `Unused: ${grouped(power - sum)} of ${grouped(power)} votes`);
    assert.equal("votes" in intent && intent.votes.length, votes.length);
  },
  "claim-reward": ({ lines, info, facts }) => {
    assert.ok((facts.reward ?? 0n) > 0n);
    assertLine(lines, `Withdraws: ${bothUnits(amountIn(info, "withdraw_amount"))}`);
  },
  "account-creation": "its cost",
  "account-name": "its cost",
  "contract-share": "its cost",
  "contract-limit": "its cost",
  "contract-abi-removal": "its cost",
  "permission-update": "its cost",
};

function checkBothSides({ lines, owner, receiver }: Seen): void {
  assertBecomes(lineOf(lines, "You: "), limitOf(owner, "ENERGY"));
  assertBecomes(lineOf(lines, "Receiver: "), limitOf(receiver, "ENERGY"));
}

describe("effects in a review, compared with the embedded chain", () => {
  let chain: LocalChain;
  let everyKind: EveryKind;
  let gateway: HttpGateway;
  let end = async (): Promise<void> => undefined;

  before(async function () {
    this.timeout(60_000);
    chain = await startLocalChain({ seed: "predicted", blockTimeMs: 0, accounts: 4, parameters: EVERY_STAKE_VOTES });
    everyKind = await EveryKind.prepare(testChainOf(chain.simulation), [1, 2, 5]);
    const opened = gatewayAt(chain.baseUrl);
    end = async () => await opened[Symbol.asyncDispose]();
    gateway = opened.gateway;
  });

  after(async () => {
    await end();
    await chain.close();
  });

  /** Returns the facts of a review. Kinds with a review of their own have only facts of the owner. */
  async function factsOf(intent: Intent): Promise<SystemFacts> {
    const systemIntent =
      typeof CHECKS[intent.kind as OwnKind] === "string" ? { kind: "withdraw" as const, owner: intent.owner } : intent;
    const { signal } = new AbortController();
    return {
      ...(await readSystemFacts(gateway, systemIntent as SystemIntent, () => undefined, signal)),
      timeOf: String,
    };
  }

  async function accountOf(address: string): Promise<AccountAfter> {
    const account = await everyKind.chain.ask("/wallet/getaccount", { address });
    const resources = await everyKind.chain.ask("/wallet/getaccountresource", { address });
    return { account, resources: parseAccountResources(resources) };
  }

  async function executed(intent: Intent, owner: Owner): Promise<Seen & { readonly bytes: number }> {
    const facts = await factsOf(intent);
    const { lines } =
      typeof CHECKS[intent.kind as OwnKind] === "string" ? { lines: [] } : effectOf(intent as SystemIntent, facts);
    const bytes = everyKind.build(intent).rawDataHex.length / 2;
    const [txId] = await everyKind.executeAll([[intent, owner]]);
    const info = await everyKind.chain.ask("/wallet/gettransactioninfobyid", { value: txId ?? "" });
    const other = "receiver" in intent ? intent.receiver : owner.address;
    const [own, receiver] = [await accountOf(owner.address), await accountOf(other)];
    return { intent: intent as SystemIntent, facts, lines, info, owner: own, receiver, bytes };
  }

  it("are exact for amounts of any size, for both resources and on both sides", async function () {
    this.timeout(60_000);
    const [owner] = everyKind.owners;
    assert.ok(owner);
    const roll = dice(7);
    const { address } = owner;
    const receiver = everyKind.chain.accounts[0]?.hex ?? address;
    for (let round = 0; round < ROUNDS; round += 1) {
      const resource = roll(2) === 0 ? "ENERGY" : "BANDWIDTH";
      const stake = {
        kind: "stake" as const,
        owner: address,
        resource,
        amount: sun(BigInt(1_000_000 + roll(90_000_000))),
      };
      const part = sun(BigInt(1_000_000 + roll(Number(stake.amount) - 999_999)));
      const lent = { owner: address, resource, amount: part, receiver } as const;
      for (const intent of [stake, { kind: "delegate" as const, ...lent }, { kind: "undelegate" as const, ...lent }]) {
        const { lines, owner: own, receiver: other } = await executed(intent as SystemIntent, owner);
        const starts = intent.kind === "stake" ? ["Brings: "] : ["You: ", "Receiver: "];
        for (const it of starts) assertBecomes(lineOf(lines, it), limitOf(it === "Receiver: " ? other : own, resource));
      }
    }
  });

  const COSTS_ENERGY: readonly OwnKind[] = ["contract-call", "contract-creation"];
  for (const kind of kindsInOrder.filter((it) => !COSTS_ENERGY.includes(it))) {
    it(`are exact with 1, 2 and 5 signatures: ${kind}`, async function () {
      this.timeout(20_000);
      for (const owner of everyKind.owners) {
        const seen = await executed(everyKind.intentOf(kind, owner), owner);
        assertCosts(seen, owner.keys.length, kind);
        const check = CHECKS[kind];
        if (typeof check !== "string") check(seen);
      }
    });
  }
});

function assertCosts({ facts, info, bytes }: Seen & { bytes: number }, signatures: number, kind: Intent["kind"]): void {
  const { parameters, owner } = facts;
  const cost = costOf({ bytes, signatures, resources: owner.resources, kind }, parameters);
  assert.equal(cost.fee, BigInt(Number(info.fee ?? 0)), `${kind} with ${signatures} signatures`);
  const [part] = cost.parts;
  const { net_usage = 0, net_fee = 0 } = info.receipt as { net_usage?: number; net_fee?: number };
  if (part?.kind === "staked-bandwidth" || part?.kind === "free-bandwidth") assert.equal(net_usage, Number(part.bytes));
  else assert.equal(BigInt(net_fee), part?.amount);
}

interface Costs {
  readonly bytes: number;
  readonly signatures: number;
  readonly resources: AccountResources | undefined;
  readonly kind: Intent["kind"];
}

function costOf({ bytes, signatures, resources, kind }: Costs, parameters: ChainParameters) {
  const facts = { bandwidth: bandwidthOf(bytes, signatures), signatures, hasMemo: false, resources };
  const recipientExists = kind !== "account-creation";
  return transferCost({ ...facts, recipientExists, updatesPermissions: kind === "permission-update" }, parameters);
}

/** Facts that no recording of a real node contains. */
const NOT_RECORDED = [
  "stake for votes alone",
  "withdraw of a stake that came back",
  "unstake with another part that is due",
  "cancelling unstakes of several purposes",
  "vote",
  "reward that is claimed",
  "undelegation, what the receiver may use after it",
  "TRC-10 transfer that creates its receiver",
  "account creation",
  "name of an account",
  "share, limit and ABI of a contract",
  "five signatures",
];

describe("effects in a review, compared with recordings of a real node", () => {
  const recorded = (name: string, file: "resources" | "broadcast" = "resources"): JsonObject => {
    const body = loadExchanges(file).find((it) => it.case === name)?.responseBody;
    assert.ok(isJsonObject(body), name);
    return body;
  };
  const resourcesOf = (name: string): AccountResources => {
    const found = parseAccountResources(recorded(name));
    assert.ok(found);
    return found;
  };
  const parameters = parseChainParameters(recorded("getchainparameters"));
  const COIN = 1_000_000n;
  const owner = parseAccount(recorded("account-delegated-owner"))?.address;
  assert.ok(owner);

  /** @param stake - whole coins that the owner has staked for the resource */
  function linesOf(
    intent: SystemIntent,
    stake: bigint,
    resources: AccountResources,
    headTimestamp = 0,
  ): readonly string[] {
    const nothing = { BANDWIDTH: sun(0n), ENERGY: sun(0n), TRON_POWER: sun(0n) };
    const purpose = "resource" in intent ? intent.resource : "ENERGY";
    const stakes = {
      own: { ...nothing, [purpose]: sun(stake * COIN) },
      delegated: nothing,
      received: nothing,
      unstaking: [],
    };
    const account = { address: intent.owner, balance: sun(5_000n * COIN), stakes };
    return effectOf(intent, { owner: { account, resources }, parameters, headTimestamp, timeOf: String }).lines;
  }

  const stakeOf = (resource: Resource, coins: bigint): IntentOf<"stake"> => ({
    kind: "stake",
    ...partOf(resource, coins),
  });
  const partOf = (resource: Resource, coins: bigint) => ({ owner, resource, amount: sun(coins * COIN) });

  it("match the limits after a stake, a delegation and an undelegation", () => {
    const fresh = resourcesOf("accountresource-fresh");
    const staked = resourcesOf("accountresource-staked");
    const delegated = resourcesOf("accountresource-delegated-owner");
    const undelegated = resourcesOf("accountresource-after-undelegate-owner");
    const delegate = (resource: Resource, coins: bigint): IntentOf<"delegate"> => ({
      kind: "delegate",
      ...partOf(resource, coins),
      receiver: owner,
    });
    const undelegate: IntentOf<"undelegate"> = { ...delegate("ENERGY", 300n), kind: "undelegate" };
    for (const [intent, stake, before, start, limit] of [
      [stakeOf("ENERGY", 1_000n), 0n, fresh, "Brings: ", staked.energyLimit],
      [stakeOf("BANDWIDTH", 500n), 0n, fresh, "Brings: ", staked.stakedBandwidthLimit],
      [delegate("BANDWIDTH", 100n), 500n, staked, "You: ", delegated.stakedBandwidthLimit],
      [delegate("ENERGY", 400n), 1_000n, staked, "You: ", delegated.energyLimit],
      [undelegate, 600n, delegated, "You: ", undelegated.energyLimit],
    ] as const)
      assertBecomes(lineOf(linesOf(intent, stake, before), start), limit);
  });

  it("match the time of an unstake: unfreeze-energy-info, account-unfreezing", () => {
    const { blockTimeStamp } = recorded("unfreeze-energy-info");
    const back = { kind: "unstake" as const, ...partOf("ENERGY", 200n) };
    const head = Number(blockTimeStamp) - 3_000;
    const line = lineOf(
      linesOf(back, 900n, resourcesOf("accountresource-after-undelegate-owner"), head),
      "Available: ",
    );

    const [unstaked] = listIn(recorded("account-unfreezing"), "unfrozenV2");
    assert.match(line, new RegExp(`^Available: ${unstaked?.unfreeze_expire_time},`));
  });

  it("match cancelled unstakes: account-unfreezing, cancelallunfreezev2-info", () => {
    const account = parseAccount(recorded("account-unfreezing"));
    const facts = {
      owner: { account, resources: undefined },
      parameters,
      headTimestamp: 1_795_231_383_000,
      timeOf: String,
    };
    const { lines } = effectOf({ kind: "cancel-unstakes", owner }, facts);

    const [energy] = listIn(recorded("cancelallunfreezev2-info"), "cancel_unfreezeV2_amount");
    assert.deepEqual(lines, [`Stakes again: ${bothUnits(sun(BigInt(Number(energy?.value))))} for energy`]);
  });

  it("match a later withdrawal: account-unfreezing, canwithdrawunfreezeamount-later", () => {
    const account = parseAccount(recorded("account-unfreezing"));
    const facts = {
      owner: { account, resources: undefined },
      parameters,
      headTimestamp: 1_796_527_383_162,
      timeOf: String,
    };
    const { lines } = effectOf({ kind: "withdraw", owner }, facts);

    assertLine(lines, `Withdraws: ${bothUnits(amountIn(recorded("canwithdrawunfreezeamount-later"), "amount"))}`);
  });

  for (const [name, signatures, kind] of [
    ["permission-update-ok", 1, "permission-update"],
    ["multisig-ok", 2, "transfer"],
  ] as const) {
    it(`match the fee of ${name}`, () => {
      const info = recorded(`${name}-info`, "broadcast");
      const { raw_data_hex } = recorded(name === "multisig-ok" ? "multisig-ok-tx" : name, "broadcast");
      const { net_fee } = info.receipt as { net_fee?: number };
      const free = { freeBandwidthLimit: 600n, freeBandwidthUsed: net_fee === undefined ? 0n : 600n };
      const none = { stakedBandwidthLimit: 0n, stakedBandwidthUsed: 0n, energyLimit: 0n, energyUsed: 0n };
      const { fee } = costOf(
        { bytes: String(raw_data_hex).length / 2, signatures, resources: { ...free, ...none }, kind },
        parameters,
      );

      assert.equal(fee, BigInt(Number(info.fee)));
    });
  }

  it("lists facts that no recording contains", () => {
    process.stdout.write(`        not recorded in this repository: ${NOT_RECORDED.join("; ")}\n`);
  });
});

function lineOf(lines: readonly string[], start: string): string {
  const line = lines.find((it) => it.startsWith(start));
  assert.ok(line, `${start} is not in ${lines.join(" | ")}`);
  return line;
}

function assertLine(lines: readonly string[], start: string): void {
  assert.ok(
    lines.some((it) => it.startsWith(start)),
    `"${start}" is not in ${lines.join(" | ")}`,
  );
}

/** Asserts the number after the arrow. */
function assertBecomes(line: string, actual: bigint): void {
  assert.equal(/ → ([^ ]+)/.exec(line)?.[1], grouped(actual), line);
}

function limitOf({ resources }: AccountAfter, resource: Resource): bigint {
  return (resource === "ENERGY" ? resources?.energyLimit : resources?.stakedBandwidthLimit) ?? 0n;
}

function amountIn(object: JsonObject, name: string): ReturnType<typeof sun> {
  const amount = BigInt(Number(object[name] ?? 0));
  assert.ok(amount > 0n, `${name} is nothing`);
  return sun(amount);
}

function listIn(object: JsonObject, name: string): readonly JsonObject[] {
  return (object[name] as readonly Json[] | undefined)?.filter(isJsonObject) ?? [];
}
