import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Explanation, FinalityApi, TrackedTransaction } from "../../src/public/api.ts";
import { addArtifacts } from "./artifacts.ts";
import { answering } from "./dialogs.ts";
import { endLocalChain, finality, startFastChain, until } from "./local-chain.ts";

interface Sent {
  readonly txId: string;
  readonly address: string;
}

describe("contract command with arguments", () => {
  let api: FinalityApi;
  let house: Sent;
  let leaf: Sent;

  const run = <T>(command: string, argument: Record<string, unknown>): Thenable<T> =>
    vscode.commands.executeCommand(`finality.${command}`, argument);
  const solidified = async (txId: string): Promise<TrackedTransaction> =>
    until(api, txId, (it) => it.state.kind === "solidified");
  const included = async (txId: string): Promise<TrackedTransaction> =>
    until(api, txId, (it) => it.state.kind === "included" || it.state.kind === "solidified");
  const outcome = async (txId: string): Promise<unknown> => {
    const { state } = await solidified(txId);
    return state.kind === "solidified" && state.outcome;
  };

  /** Returns the report of a timeline without Markdown escapes. */
  const report = async (txId: string): Promise<string> =>
    (await run<{ markdown: string }>("copyReport", { txId })).markdown.replaceAll("\\", "");

  before(async () => {
    addArtifacts();
    api = await finality();
    await startFastChain();
    leaf = await run<Sent>("deployContract", { contract: "Leaf", arguments: ["1000000000"], from: "Alice" });
    await included(leaf.txId);
    house = await run<Sent>("deployContract", {
      contract: "TeaHouse",
      arguments: [leaf.address, "2000000"],
      from: "Alice",
      userPercent: 100,
    });
    await included(house.txId);
  });

  after(async () => {
    await endLocalChain();
  });

  it("deploys an artifact at the predicted address, with an estimated fee limit", async () => {
    assert.match(house.address, /^T\w{33}$/);
    assert.deepEqual(await outcome(house.txId), { kind: "success" });
    const read = await run<{ values: unknown }>("readContract", { contract: house.address, function: "price" });
    assert.deepEqual(read.values, ["2000000"]);
  });

  it("watches its events by arguments, and finds those of a pause", async () => {
    const { id } = await run<{ id: string }>("watchEvents", { contract: leaf.address, event: "Transfer" });
    const move = async (value: string) => {
      const call = { contract: "Leaf", function: "transfer", from: "Alice", arguments: [house.address, value] };
      await included((await run<Sent>("callContract", call)).txId);
    };
    const values = async (): Promise<readonly string[]> => {
      const { json } = await run<{ json: string }>("exportEvents", { id });
      const [watch] = JSON.parse(json).watches;
      return watch.events.map((it: { arguments: readonly { value: string }[] }) => it.arguments[2]?.value);
    };
    const untilFound = async (expected: readonly string[]): Promise<void> => {
      for (let waited = 0; waited < 200; waited++) {
        if (JSON.stringify(await values()) === JSON.stringify(expected)) return;
        await run("localChainMine", { blocks: "1" });
      }
      assert.deepEqual(await values(), expected);
    };

    await move("5");
    await untilFound(["5"]);
    await run("stopWatchingIncoming", { id });
    await move("6");
    await run("localChainMine", { blocks: "30" });
    assert.deepEqual(await values(), ["5"]);
    await run("resumeWatching", { id });
    await untilFound(["5", "6"]);
    assert.deepEqual(await run("showEvents", { id }), { events: 2 });
  });

  it("signs a message for a program only after its dialog, and verifies it", async () => {
    const signature: { readonly address: string; readonly signature: string }[] = [];
    const sign = async () => signature.push(await run("signMessage", { account: "Alice", message: "Hi" }));
    const shown = await answering("Sign", sign);
    await answering(undefined, sign);

    assert.match(shown.at(-1)?.detail ?? "", /names no chain/);
    assert.equal(signature[1], undefined);
    const verified = await run("verifySignature", { message: "Hi", signature: signature[0]?.signature });
    assert.deepEqual(verified, { valid: true, by: "key", signer: signature[0]?.address });
  });

  it("calls a deployed contract by name, and reads the new state", async () => {
    const { txId } = await run<Sent>("callContract", {
      contract: "TeaHouse",
      function: "order",
      from: "Bob",
      callValue: "6 coins",
      arguments: [[{ tea: "Sencha", cups: "2" }, ["Oolong", 1]]],
    });

    assert.deepEqual(await outcome(txId), { kind: "success" });
    assert.match(await report(txId), /^# Call order on /);
    const cups = await run<{ values: unknown; function: string }>("readContract", {
      contract: "TeaHouse",
      function: "cupsOf",
      arguments: ["Bob"],
    });
    assert.deepEqual([cups.function, cups.values], ["cupsOf(address)", ["3"]]);
    const result = await run<{ sentence: string; events: string[]; isSolid: boolean }>("showResult", { txId });
    assert.equal(result.sentence, "order returned cups: 3.");
    assert.equal(result.events.length, 2);
    assert.match(result.events[0] ?? "", /^Served\(guest: T\w{33}, tea: "Sencha", cups: 2\)$/);
  });

  it("refuses a call that would revert with the reason, and stores nothing", async () => {
    const before = api.transactions.list().length;
    const call = { contract: "TeaHouse", function: "reserve", arguments: ["99"], from: "Bob" };

    await assert.rejects(
      async () => run("callContract", call),
      /Nothing was signed\. .*The tea house has twelve seats\./,
    );
    await assert.rejects(
      async () => run("callContract", { ...call, function: "setPrice" }),
      /Nothing was signed\. .*error OnlyOwner/,
    );

    assert.equal(api.transactions.list().length, before);
  });

  it("sends a reverting call when the caller acknowledges it, and reports the reason", async () => {
    const { txId } = await run<Sent>("callContract", {
      contract: "TeaHouse",
      function: "reserve",
      arguments: ["99"],
      from: "Bob",
      feeLimit: "100 coins",
      acknowledgeFailure: true,
    });

    const failed = (await outcome(txId)) as { kind: string; result: string };
    assert.deepEqual([failed.kind, failed.result], ["failed", "REVERT"]);
    const result = await run<{ sentence: string }>("showResult", { txId });
    assert.match(result.sentence, /^Reverted: The tea house has twelve seats\./);
  });

  it("reports a failed call with workspace and account names, and the source of the error name", async () => {
    const { txId } = await run<Sent>("callContract", {
      contract: "Leaf",
      function: "transfer",
      arguments: ["Alice", "5"],
      from: "Grace",
      feeLimit: "100 coins",
      acknowledgeFailure: true,
    });
    await solidified(txId);

    const markdown = await report(txId);

    assert.match(markdown, /Reason: NotEnoughLeaves\(holder: Grace, balance: 0, needed: 5\)/);
    assert.match(markdown, /Named by: Leaf \(/);
    const { reason, reasonSource } = (await outcome(txId)) as { reason?: string; reasonSource?: string };
    assert.equal(reason, "NotEnoughLeaves(holder: Grace, balance: 0, needed: 5)");
    assert.match(reasonSource ?? "", /^Leaf \(.*json\)/);
    const { title, decoded } = await run<Explanation>("decodeTransaction", { txId });
    assert.match(title, /^Reverted: NotEnoughLeaves\(holder: T\w{33}, balance: 0, needed: 5\)$/);
    assert.deepEqual(
      decoded.map(({ name }) => name),
      ["txID", "reason", "call", "transaction", "costs", "block", "further", "asked"],
    );
  });

  it("reports available, paid and required energy when a call runs out of energy", async () => {
    const { txId } = await run<Sent>("callContract", {
      contract: "Leaf",
      function: "transfer",
      arguments: ["Heidi", "5"],
      from: "Alice",
      feeLimit: "1 coin",
      acknowledgeFailure: true,
    });
    await solidified(txId);

    const markdown = await report(txId);
    const { code, cause } = await run<Explanation>("decodeTransaction", { txId });

    assert.match(
      markdown,
      /Reason: out of energy: stopped at [\d,]+, and needs about [\d,]+ \(estimated when signed\)/,
    );
    assert.match(
      markdown,
      /More: Energy of the run: [\d,]+ burned for .* The fee limit of 1 coin paid for [\d,]+ energy/,
    );
    assert.equal(code, "OUT_OF_ENERGY");
    assert.match(
      cause,
      /Simulated on the newest state, the same call takes [\d,]+ energy: fee_limit [\d.]+ coins pays/,
    );
  });

  it("retries only failed calls, with a newly estimated fee limit", async () => {
    const { txId } = await run<Sent>("callContract", {
      contract: "Leaf",
      function: "transfer",
      arguments: ["Judy", "5"],
      from: "Alice",
      feeLimit: "1 coin",
      acknowledgeFailure: true,
    });
    await assert.rejects(
      async () => run("doItAgain", { txId }),
      /Nothing was repeated\. This is only for transactions that are final and failed/,
    );
    await solidified(txId);

    const again = await run<Sent>("doItAgain", { txId });

    assert.notEqual(again.txId, txId);
    assert.deepEqual(await outcome(again.txId), { kind: "success" });
    assert.deepEqual(api.transactions.get(txId)?.state.kind, "solidified", "the old one stays what it was");
    await assert.rejects(async () => run("doItAgain", { txId: again.txId }), /Nothing was repeated/);
  });

  it("signs nothing when the retry would fail again", async () => {
    const argument = { contract: "TeaHouse", function: "reserve", arguments: ["98"], from: "Bob" };
    const failing = { ...argument, feeLimit: "100 coins", acknowledgeFailure: true };
    const { txId } = await run<Sent>("callContract", failing);
    await solidified(txId);

    await assert.rejects(async () => run("doItAgain", { txId }), /Nothing was signed\. .*twelve seats/);
  });

  it("decodes a foreign transaction that is not tracked", async () => {
    const own = api.transactions.get(leaf.txId) ?? assert.fail();
    const body = JSON.stringify({ address: own.intent?.owner, amount: "7" });
    const funded = await fetch(`${own.attempts[0]?.endpoint}/local/fund`, { method: "POST", body });
    const { txID: txId } = (await funded.json()) as { txID: string };
    assert.equal(api.transactions.get(txId), undefined);

    const found = await run<Explanation>("decodeTransaction", { txId });

    assert.equal(found.title, "Included and executed: TransferContract");
    assert.match(found.cause, /^TransferContract of T\w{33}, in block \d+, which may still change, according to http/);
    const amount = found.decoded
      .find(({ name }) => name === "transaction")
      ?.children?.find((it) => it.name === "amount");
    assert.equal(amount?.value, "7");
    assert.equal(api.transactions.get(txId), undefined, "it is not followed because somebody looked at it");
  });

  it("shows the result of an included transaction, and requests none without a block", async () => {
    const sent = await run<Sent>("sendCoins", { to: "Bob", from: "Alice", amount: "1" });
    await solidified(sent.txId);

    const result = await run<{ result: string; sentence: string }>("showResult", { txId: sent.txId });

    assert.deepEqual([result.result, result.sentence], ["SUCCESS", "Done."]);
    const nowhere = "ab".repeat(32);
    await assert.rejects(
      async () => run("decodeTransaction", { txId: nowhere }),
      /has no transaction abab.*proves nothing/,
    );
  });

  it("refuses an insufficient fee limit, and suggests a sufficient one", async () => {
    await assert.rejects(
      async () =>
        run("callContract", { contract: "TeaHouse", function: "steep", arguments: ["9"], from: "Bob", feeLimit: 0 }),
      /pays for 0 of [\d,]+ energy.*Set fee_limit to [\d.]+ coins/,
    );
  });

  it("explains invalid arguments, functions, contracts and amounts", async () => {
    const call = { contract: "TeaHouse", function: "reserve", arguments: ["4"], from: "Bob" };
    const refused = (change: Record<string, unknown>, message: RegExp) =>
      assert.rejects(async () => run("callContract", { ...call, ...change }), message);

    await refused({ arguments: ["many"] }, /seats: write a whole number/);
    await refused({ arguments: [] }, /1 argument is needed, but there are 0/);
    await refused({ function: "dance" }, /TeaHouse has no function "dance": it has .*reserve/);
    await refused({ contract: "Coffee" }, /no contract with this name was deployed on Local chain/);
    await refused(
      { contract: "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp" },
      /there is no contract at this address on Local chain/,
    );
    await refused({ callValue: "1 coin" }, /It is not payable, and 1 coin would be sent with it/);
    await refused({ from: "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp" }, /no signing key/);
    await assert.rejects(
      async () => run("readContract", { contract: "TeaHouse", function: "share", arguments: ["10", "0"] }),
      /share of TeaHouse returned nothing\. Panic 0x12/,
    );
  });

  it("refuses an equal call while the first one may still execute", async () => {
    const call = { contract: "TeaHouse", function: "steep", arguments: ["2"], from: "Carol" };
    const { txId } = await run<Sent>("callContract", call);

    await assert.rejects(async () => run("callContract", { ...call, feeLimit: "300 coins" }), new RegExp(txId));
    await solidified(txId);
  });

  it("transfers and approves tokens with their decimals, and refuses transfers that the token would refuse", async () => {
    const { txId } = await run<Sent>("transferTokens", { token: "Leaf", to: "Bob", amount: "25.5", from: "Alice" });
    assert.deepEqual(await outcome(txId), { kind: "success" });
    const balance = await run<Record<string, unknown>>("tokenBalance", { token: leaf.address, account: "Bob" });
    assert.deepEqual(
      [balance.balance, balance.decimals, balance.formatted],
      ["25500000", 6, `25.5 ${String(balance.symbol)}`],
    );
    const approved = await run<Sent>("approveTokens", { token: "Leaf", spender: "TeaHouse", amount: "3", from: "Bob" });
    assert.deepEqual(await outcome(approved.txId), { kind: "success" });
    const order = { contract: "TeaHouse", function: "orderWithLeaves", arguments: ["Matcha", "2"], from: "Bob" };
    assert.deepEqual(await outcome((await run<Sent>("callContract", order)).txId), { kind: "success" });

    await assert.rejects(
      async () => run("transferTokens", { token: "Leaf", to: "Bob", amount: "999999", from: "Carol" }),
      /NotEnoughLeaves/,
    );
    await assert.rejects(async () => run("tokenBalance", { token: house.address, account: "Bob" }), /TRC-20/);
  });
});
