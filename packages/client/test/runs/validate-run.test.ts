import assert from "node:assert/strict";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { type Address, parseAddress, toBase58 } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { hex } from "../../../tron/src/primitives/bytes.ts";
import { foreignText } from "../../../tron/src/primitives/plain-text.ts";
import type { Intent } from "../../../tron/src/transaction/intent.ts";
import type { BindingContext } from "../../src/call-sites/bind-call.ts";
import type { Account, AccountResources } from "../../src/gateway/gateway.ts";
import { parseChainId } from "../../src/gateway/network.ts";
import type { EarlierRuns } from "../../src/runs/earlier-runs.ts";
import { readRunFile } from "../../src/runs/run-file.ts";
import { planRun } from "../../src/runs/run-plan.ts";
import type { RunGateway } from "../../src/runs/run-recipients.ts";
import { reviewRun } from "../../src/runs/run-review.ts";
import { validateRun } from "../../src/runs/validate-run.ts";
import { transferData } from "../../src/tokens.ts";

const OWNER = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
const FRIEND = parseAddress("TTZhLCRC5guGZAJyRkR2py6ZHGsgrpkU13");
const POISON = parseAddress("TTZhLCRC5ZiKoSCbrZGUSTcBeaSEakkU13");
const TOKEN = parseAddress("TUJu5QP3iLbJPJB4xJqv1RLz1b5Yb18BGW");
const other = (number: number): Address => parseAddress(`41${number.toString(16).padStart(40, "0")}`);
const FRESH = other(7);

const RESOURCES: AccountResources = {
  freeBandwidthLimit: 600n,
  freeBandwidthUsed: 0n,
  stakedBandwidthLimit: 0n,
  stakedBandwidthUsed: 0n,
  energyLimit: 0n,
  energyUsed: 0n,
  energyTotals: { limit: 180_000_000_000n, weight: 18_000_000_000n },
  bandwidthTotals: { limit: 43_200_000_000n, weight: 43_200_000_000n },
};

const PARAMETERS = new Map([
  ["getEnergyFee", 100n],
  ["getTransactionFee", 1_000n],
  ["getCreateAccountFee", 100_000n],
  ["getCreateNewAccountFeeInSystemContract", 1_000_000n],
  ["getMemoFee", 1_000_000n],
  ["getMaxFeeLimit", 15_000_000_000n],
]);

const word = (value: bigint | boolean): string => BigInt(value).toString(16).padStart(64, "0");

/** State of the chain that a test describes. */
interface Chain {
  readonly coins?: bigint;
  readonly tokens?: ReadonlyMap<Address, bigint>;
  readonly active?: readonly Address[];
  readonly contracts?: readonly Address[];
  readonly blacklist?: readonly Address[];
  readonly reverts?: boolean;
}

/** A token with `balanceOf`, `isBlackListed` and `transfer`, and accounts. Counts the requests. */
function chainOf({ coins = 10n ** 12n, tokens = new Map(), active = [], contracts = [], blacklist, reverts }: Chain) {
  const requests: string[] = [];
  const partyIn = (data: string): Address => parseAddress(`41${data.slice(32, 72)}`);
  const gateway: RunGateway = {
    headBlock: async () => ({ number: 7, timestamp: 0 }),
    chainParameters: async () => PARAMETERS,
    account: async (address) => {
      requests.push(`account ${toBase58(address)}`);
      const account: Account = { address, balance: sun(address === OWNER ? coins : 1n) };
      return address === OWNER || active.includes(address) ? account : undefined;
    },
    accountResources: async () => RESOURCES,
    isSolid: async () => true,
    estimateEnergy: () =>
      Promise.reject(
        new ChainError("NODE_REFUSED", { endpoint: "http://n.test", code: "OTHER_ERROR", message: "off", body: "" }),
      ),
    deployedContract: async (address) =>
      contracts.includes(address)
        ? {
            address,
            owner: OWNER,
            name: "",
            callerPercent: 100n,
            ownerEnergyLimit: 0n,
            created: hex(""),
            abi: [],
          }
        : undefined,
    constantCall: async ({ data }) => {
      const balance = tokens.get(partyIn(data)) ?? 0n;
      const run = { reverted: false, energyUsed: 0n, energyPenalty: 0n, events: [] };
      if (data.startsWith("70a08231")) return { ...run, returned: hex(word(balance)) };
      if (data.startsWith("a9059cbb")) {
        requests.push("simulation");
        const energyUsed = balance > 0n ? 14_650n : 29_650n;
        return { ...run, reverted: reverts === true, energyUsed, returned: hex(word(true)) };
      }
      if (blacklist === undefined) return { ...run, reverted: true, returned: hex("") };
      return { ...run, returned: hex(word(blacklist.includes(partyIn(data)))) };
    },
  };
  return { gateway, requests };
}

const CALLS: BindingContext = {
  contractsNamed: () => [],
  contractsAt: () => [],
  contractsWith: () => [],
  addressOf: () => undefined,
  caller: { name: "", address: OWNER },
  answer: () => undefined,
};

interface Given extends Chain {
  readonly history?: readonly Intent[];
  readonly named?: readonly Address[];
  readonly queries?: number;
  readonly earlier?: EarlierRuns;
}

const NO_RUNS: EarlierRuns = { runs: async () => [], rows: async () => [] };
const idOf = (byte: string) => parseChainId(`${"0".repeat(16)}${byte.repeat(24)}`) ?? assert.fail();
const CHAIN = idOf("ab");

async function validated(rows: readonly string[], given: Given = {}) {
  const { gateway, requests } = chainOf(given);
  const text = ["recipient,amount,token,memo,key", ...rows].join("\n");
  const run = await validateRun(readRunFile(Buffer.from(text), { name: "pay.csv", coinSymbol: "TRX" }), {
    owner: OWNER,
    gateway,
    tokenAt: async (address) => {
      if (address !== TOKEN)
        throw new ChainError("CONTRACT_UNKNOWN", { contract: toBase58(address), reason: "it is no token" });
      const texts = { name: foreignText("Tether USD"), symbol: foreignText("USDT") };
      return { address, ...texts, decimals: 6, decimalsBy: "reported by the test" };
    },
    calls: CALLS,
    history: given.history ?? [],
    earlier: { store: given.earlier ?? NO_RUNS, chain: CHAIN },
    named: given.named ?? [],
    queries: given.queries ?? 100,
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  const messages = (severity: string) => run.findings.filter((it) => it.severity === severity).map((it) => it.message);
  return { run, requests, refused: messages("refused"), warnings: messages("warning"), notes: messages("note") };
}

const coins = (address: Address, amount: string, key = "") => `${toBase58(address)},${amount},,,${key}`;
const usdt = (address: Address, amount: string, key = "") =>
  `${toBase58(address)},${amount},${toBase58(TOKEN)},,${key}`;

const REVIEW = {
  network: { name: "Shasta", production: false },
  symbol: "TRX",
  owner: OWNER,
  nameOf: () => undefined,
  file: "pay.csv",
  concurrency: 8,
};

describe("validation of a run", () => {
  it("binds each row to its intent, with the fee limit of a first transfer for all rows of a token", async () => {
    const { run } = await validated(
      [coins(FRIEND, "1.5"), usdt(FRIEND, "2"), usdt(FRESH, "3.25"), `${toBase58(FRIEND)},7,1000001,,`],
      {
        tokens: new Map([
          [OWNER, 10n ** 9n],
          [FRIEND, 1n],
        ]),
        active: [FRIEND],
      },
    );

    assert.deepEqual(run.refusals, []);
    const [first, second, third, fourth] = run.rows.map(({ intent }) => intent);
    assert.deepEqual(first, { kind: "transfer", owner: OWNER, to: FRIEND, amount: 1_500_000n });
    assert.equal(second?.kind === "contract-call" && second.data, transferData(FRIEND, 2_000_000n));
    assert.equal(third?.kind === "contract-call" && third.data, transferData(FRESH, 3_250_000n));
    assert.deepEqual(fourth, { kind: "token-transfer", owner: OWNER, to: FRIEND, tokenId: "1000001", amount: 7n });
    const limits = [second, third].map((it) => it?.kind === "contract-call" && it.feeLimit);
    assert.deepEqual(limits, [3_558_000n, 3_558_000n]);
    assert.equal(run.needs.energy, 14_650n + 29_650n);
    assert.equal(run.canStart, true);
  });

  it("simulates one transfer to a holder and one to another account, whatever the number of rows", async () => {
    const rows = Array.from({ length: 40 }, (_, at) => usdt(other(100 + at), "1"));
    const tokens = new Map(Array.from({ length: 20 }, (_, at) => [other(100 + at), 5n] as const));
    const { run, requests } = await validated(rows, { tokens: new Map([...tokens, [OWNER, 10n ** 9n]]) });

    assert.equal(requests.filter((it) => it === "simulation").length, 2);
    assert.equal(run.needs.energy, 20n * 14_650n + 20n * 29_650n);
  });

  it("queries at most the given number of recipients and counts the others as new accounts", async () => {
    const rows = Array.from({ length: 12 }, (_, at) => coins(other(100 + at), "1"));
    const { run, requests, notes } = await validated(rows, {
      queries: 5,
      active: rows.map((_, at) => other(100 + at)),
    });

    assert.equal(requests.filter((it) => !it.includes(toBase58(OWNER))).length, 5);
    assert.deepEqual([run.needs.activations, run.needs.isUpperBound], [7, true]);
    assert.match(notes.join(), /The chain was not asked about the recipient of rows 7, 8, 9, 10, 11 and 2 more/);
  });

  it("refuses amounts finer than the token, and tokens that cannot be read", async () => {
    const { run, refused } = await validated([
      usdt(FRIEND, "1.1234567"),
      `${toBase58(FRIEND)},1,${toBase58(FRIEND)},,`,
    ]);

    assert.deepEqual(
      run.refusals.map(({ row, message }) => [row, message]),
      [[2, "Row 2, amount: “1.1234567”: USDT has 6 decimals."]],
    );
    assert.match(refused[0] ?? "", /^The token of row 3 cannot be used: /);
    assert.equal(run.canStart, false);
  });

  it("refuses rows that pay the account itself or the contract of a token", async () => {
    const { refused, run } = await validated([coins(OWNER, "1"), usdt(TOKEN, "1"), coins(FRIEND, "2")], {
      tokens: new Map([[OWNER, 10n ** 9n]]),
      active: [FRIEND],
    });

    assert.deepEqual(refused, [
      "The paying account itself is the recipient of row 2. An account cannot pay itself.",
      "The contract of a token is the recipient of row 3: what it receives is lost.",
    ]);
    assert.equal(run.canStart, false);
  });

  it("warns of recipients that look like a known one, a paid one or another row", async () => {
    const history: Intent[] = [{ kind: "transfer", owner: OWNER, to: FRIEND, amount: sun(1n) }];
    const active = [FRIEND, POISON];
    for (const given of [{ named: [FRIEND] }, { history }]) {
      const { warnings } = await validated([coins(POISON, "1")], { ...given, active });
      assert.match(warnings.join(), /^Row 2, recipient: TTZhLCRC5ZiK\w+ looks like TTZhLCRC5guG\w+, and only the ends/);
    }
    const { warnings, run } = await validated([coins(FRIEND, "1"), coins(POISON, "1"), coins(FRIEND, "3")], { active });
    assert.equal(warnings.length, 1);
    assert.equal(run.canStart, true);
  });

  it("warns of payments that the journal has, contracts, and blacklisted recipients; notes new and repeated accounts", async () => {
    const paid: Intent = { kind: "transfer", owner: OWNER, to: FRIEND, amount: sun(1_000_000n) };
    const { warnings, notes } = await validated(
      [
        coins(FRIEND, "1"),
        coins(FRIEND, "2"),
        usdt(other(9), "1"),
        coins(FRESH, "1"),
        coins(other(10), "123456789.12345"),
      ],
      {
        history: [paid],
        contracts: [FRIEND],
        blacklist: [other(9)],
        active: [FRIEND, other(10)],
        tokens: new Map([[OWNER, 10n ** 9n]]),
        coins: 10n ** 18n,
      },
    );

    assert.match(warnings.join("\n"), /The journal or an unfinished run has equal payments for row 2/);
    assert.match(warnings.join("\n"), /A contract is the recipient of rows 2, 3/);
    assert.match(warnings.join("\n"), /has the recipient of row 4 on its blacklist/);
    assert.match(notes.join("\n"), /The recipient of row 5 is not activated/);
    assert.match(notes.join("\n"), /The recipient of row 3 is in an earlier row too/);
  });

  it("warns of amounts that a spreadsheet may have rounded", async () => {
    const { warnings } = await validated([coins(FRIEND, "1234567890.12345")], { active: [FRIEND], coins: 10n ** 18n });

    assert.deepEqual(warnings, [
      "The amount of row 2 has 15 digits, as many as a spreadsheet keeps. Check that no digit was rounded.",
    ]);
  });

  it("refuses a run that the balances do not cover, fees included", async () => {
    const short = await validated([coins(FRIEND, "10"), usdt(FRIEND, "5")], {
      coins: 12_000_000n,
      active: [FRIEND],
      tokens: new Map([[OWNER, 4_000_000n]]),
    });

    assert.match(short.refused.join("\n"), /The account has 12 coins, and the run needs 13\.271 coins with its fees\./);
    assert.match(short.refused.join("\n"), /The account has 4 USDT, and the run needs 5 USDT\./);
  });

  it("refuses a run whose representative transfer fails, or whose account is blacklisted", async () => {
    const tokens = new Map([[OWNER, 10n ** 9n]]);
    const failing = await validated([usdt(FRIEND, "1")], { tokens, reverts: true });
    const listed = await validated([usdt(FRIEND, "1")], { tokens, blacklist: [OWNER] });

    assert.deepEqual(failing.refused, ["Row 2 would fail: the contract reverts."]);
    assert.match(listed.refused.join(), /has the paying account on its blacklist/);
  });
});

describe("earlier runs", () => {
  /** Returns a store with one run of these rows. */
  async function runOf(
    rows: readonly string[],
    { owner = OWNER, chain = CHAIN, attempted = rows.length } = {},
  ): Promise<EarlierRuns> {
    const { run } = await validated(rows, { active: [FRIEND, FRESH] });
    const network = { network: "Shasta", chain };
    const { fileHash } = run.file;
    const createdAt = Date.UTC(2026, 4, 1);
    const stored = { id: "may", owner, network, fileHash, createdAt, rows: run.rows.length, attempted };
    const page = (from: number, limit: number) => run.rows.filter(({ row }) => row >= from).slice(0, limit);
    return { runs: async () => [stored], rows: async (_run, { from, limit }) => page(from, limit) };
  }
  const rows = Array.from({ length: 1_500 }, (_, at) => coins(other(1_000 + at), "1"));
  const active = [FRIEND, FRESH];

  it("does not pay a corrected file a second time", async () => {
    const earlier = await runOf(rows);
    const { run } = await validated([...rows.slice(0, -1), coins(other(2_499), "2")], { earlier, active, queries: 0 });
    const review = reviewRun(run, REVIEW);

    assert.deepEqual(
      run.paidAgain.map((it) => [it.run, it.rows.length]),
      [["may", 1_499]],
    );
    assert.match(
      review.paidAgain.join(),
      /^1499 rows, from row 2 on, equal rows of the run may of .*2026.*second time\.$/,
    );
    assert.equal(review.isDoubtful, true);
  });

  it("leave out the same file, rows with keys of their own, other accounts and other chains", async () => {
    const one = [coins(FRIEND, "1")];
    const again = async (file: readonly string[], earlier: EarlierRuns) =>
      (await validated(file, { earlier, active })).run.paidAgain.length;

    assert.equal(await again(one, await runOf(one)), 0);
    assert.equal(await again([coins(FRIEND, "1", "june")], await runOf(one)), 0);
    const changed = [...one, coins(FRESH, "5")];
    assert.equal(await again(changed, await runOf(one)), 1);
    assert.equal(await again(changed, await runOf(one, { owner: FRIEND })), 0);
    assert.equal(await again(changed, await runOf(one, { chain: idOf("cd") })), 0);
  });

  it("cause a warning for a row with a key of its own, if a row that equals it may be paid later", async () => {
    const one = [coins(FRIEND, "1", "may")];
    const june = [coins(FRIEND, "1", "june"), coins(FRIEND, "2", "june-2")];
    const unfinished = await validated(june, { earlier: await runOf(one, { attempted: 0 }), active });
    const finished = await validated(june, { earlier: await runOf(one), active });

    assert.match(unfinished.warnings.join("\n"), /unfinished run has equal payments for row 2:/);
    assert.deepEqual([unfinished.run.paidAgain, unfinished.run.canStart], [[], true]);
    assert.deepEqual(finished.warnings, []);
  });

  it("leave out a payment with another memo", async () => {
    const earlier = await runOf([`${toBase58(FRIEND)},1,,may,`]);
    const { run } = await validated([`${toBase58(FRIEND)},1,,june,`], { earlier, active });

    assert.deepEqual(run.paidAgain, []);
  });
});

describe("plan of a run", () => {
  const means = { account: { address: OWNER, balance: sun(0n) }, resources: RESOURCES, parameters: PARAMETERS };

  it("burns coins, or stakes, or borrows a delegation", () => {
    const needs = { rows: 10, energy: 300_000n, bandwidth: 3_450n, activations: 2, memos: 1, isUpperBound: false };
    const [burn, stake, delegation] = planRun(needs, means);

    // Free bandwidth pays for one transaction of 345 bytes.
    assert.equal(burn?.fee, 300_000n * 100n + 3_105n * 1_000n + 2n * 1_100_000n + 1_000_000n);
    assert.equal(stake?.fee, 3_200_000n);
    // 10 energy and 1 byte a coin.
    assert.equal(delegation?.energyStake, 30_000_000_000n);
    assert.equal(delegation?.bandwidthStake, 3_105_000_000n);
    assert.ok((stake?.energyStake ?? 0n) >= 30_000_000_000n);
  });

  it("has one plan if today's resources suffice, and none without a price of energy", () => {
    const needs = { rows: 1, energy: 0n, bandwidth: 267n, activations: 0, memos: 0, isUpperBound: false };

    assert.deepEqual(
      planRun(needs, means).map(({ kind, fee }) => [kind, fee]),
      [["burn", 0n]],
    );
    assert.deepEqual(planRun({ ...needs, energy: undefined }, means), []);
    assert.deepEqual(planRun({ ...needs, energy: 1n }, { ...means, parameters: new Map() }), []);
  });
});

describe("review of a run", () => {
  const context = REVIEW;

  it("shows parties, file, totals, largest, new recipients, cost and time", async () => {
    const { run } = await validated([coins(FRIEND, "1.5", "a"), coins(FRESH, "20", "b"), usdt(FRIEND, "3", "c")], {
      tokens: new Map([[OWNER, 10n ** 9n]]),
      active: [FRIEND],
    });
    const { title, lines, refused, isDoubtful } = reviewRun(run, context);

    assert.equal(title, "Send 3 transactions from TWAFRf…qpHp?");
    assert.deepEqual([refused, isDoubtful], [[], false]);
    assert.deepEqual(lines, [
      "Network: Shasta",
      `From: ${toBase58(OWNER)}`,
      `File: pay.csv, 3 rows, SHA-256 ${run.file.fileHash.slice(0, 16)}…; comma between cells; columns recipient, amount, token, memo, key`,
      "Total: 21.5 TRX in 2 rows",
      `Largest: 20 TRX to ${toBase58(FRESH)} in row 3`,
      `Total: 3 USDT in 1 row · ${toBase58(TOKEN)}, decimals reported by the test`,
      `Largest: 3 USDT to ${toBase58(FRIEND)} in row 4`,
      `New: 2 recipients that this journal has not paid: ${toBase58(FRIEND)}, ${toBase58(FRESH)}`,
      lines.find((it) => it.startsWith("Needs: ")),
      lines.find((it) => it.startsWith("Costs: ")),
      lines.find((it) => it.startsWith("Or stake first: ")),
      lines.find((it) => it.startsWith("Or with a delegation of ")),
      "Time: about 1 s to send with 8 at once, and 60 s more until all are final",
      "Note: The recipient of row 4 is in an earlier row too.",
      "Note: The recipient of row 3 is not activated. The payment creates the account, which costs a fee.",
    ]);
    assert.match(lines.join("\n"), /Needs: 29,650 energy, \d+ bytes of bandwidth, 1 account to create/);
  });

  it("shows every refused row, and cannot be confirmed then", async () => {
    const rows = Array.from({ length: 30 }, (_, at) => coins(other(at + 1), `1,${at}`.replace(",", "e")));
    const { run } = await validated(rows);
    const { title, lines, refused } = reviewRun(run, context);

    assert.equal(title, "The run cannot start: 30 problems");
    assert.equal(refused.length, 30);
    assert.match(lines[0] ?? "", /^✗ Row 2, amount: “1e0” is in scientific notation/);
    assert.equal(lines[20], "✗ … and 10 more");
    assert.equal(run.canStart, false);
  });
});
