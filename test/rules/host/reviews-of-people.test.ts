import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalChain, startLocalChain } from "../../../packages/local-chain/src/main.ts";
import { type Address, toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import { EVERY_STAKE_VOTES, EveryKind } from "../../support/chain/every-kind.ts";
import { testChainOf } from "../../support/chain/test-chain.ts";
import { openFolder, trees } from "../../support/programs/program-editor.ts";
import { loadProgramsExtension } from "../../support/simulated-host/load-sources.ts";
import { contextOf, Editor, mountEditor, type Shown } from "../../support/simulated-host/simulated-editor.ts";

interface Known {
  readonly owner: string;
  readonly other: string;
  readonly contract: string;
  readonly witness: string;
}

const ofStake = ({ owner }: Known): object => ({ from: owner, resource: "energy", amount: "5" });

/** Commands that sign, each with everything that it needs, so that no question is left but the review. */
const ARGUMENTS: { readonly [command: string]: (known: Known) => object } = {
  sendCoins: ({ owner, other }) => ({ from: owner, to: other, amount: "1" }),
  stake: ofStake,
  unstake: ofStake,
  withdrawUnstaked: ({ owner }) => ({ from: owner }),
  cancelUnstakes: ({ owner }) => ({ from: owner }),
  delegate: (it) => ({ ...ofStake(it), to: it.other, lockBlocks: "100" }),
  undelegate: (it) => ({ ...ofStake(it), to: it.other }),
  vote: ({ owner, witness }) => ({ from: owner, votes: { [witness]: 1 } }),
  withdrawReward: ({ owner }) => ({ from: owner }),
  sendTrc10: ({ owner, other }) => ({ from: owner, to: other, tokenId: "1000001", amount: "1" }),
  createAccount: ({ owner }) => ({ from: owner, to: `41${"5e".repeat(20)}` }),
  updateAccountName: ({ owner }) => ({ from: owner, name: "tea-house" }),
  setCallersShare: ({ owner, contract }) => ({ from: owner, contract, percent: "50" }),
  setEnergyLimit: ({ owner, contract }) => ({ from: owner, contract, limit: "1000" }),
  clearAbi: ({ owner, contract }) => ({ from: owner, contract }),
  callContract: ({ owner, contract }) => ({
    ...{ contract, function: "stop", arguments: [], from: owner, feeLimit: "10 coins" },
  }),
  editPermissions: ({ owner, other }) => ({
    from: owner,
    permissions: { owner: { keys: { [owner]: 1, [other]: 1 } } },
  }),
};

describe("commands that a person calls on the local chain", function () {
  this.timeout(120_000);
  let folder: string;
  let chain: LocalChain;
  let editor: Editor;
  let known: Known;
  /** The button that the person clicks in a dialog. */
  let answer = "";
  let ownClick: <T extends object>(argument: T) => T;
  const subscriptions: { dispose(): void }[] = [];
  const readyLine = process.env.FINALITY_DEV_CHAIN;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-people-"));
    const [storage, workspace] = [join(folder, "storage"), join(folder, "work")];
    for (const it of [storage, workspace]) mkdirSync(it);
    openFolder(workspace);
    chain = await startLocalChain({ blockTimeMs: 0, seed: "people", parameters: EVERY_STAKE_VOTES });
    const kinds = await EveryKind.prepare(testChainOf(chain.simulation), [1]);
    process.env.FINALITY_DEV_CHAIN = JSON.stringify(chain.ready);
    const extension = await loadProgramsExtension();
    ({ ownClick } = extension);
    const person = ({ modal, buttons }: Shown) => (modal ? buttons.find((it) => it === answer) : undefined);
    editor = new Editor(new Map<string, unknown>(), person);
    mountEditor(editor);
    const context = contextOf(storage, new Map(), new Map());
    extension.activate(context as never);
    subscriptions.push(...(context.subscriptions as { dispose(): void }[]));
    answer = "Use It";
    await run("startLocalChain", {});
    const [{ address, contract } = assert.fail("there is no owner")] = kinds.owners;
    const { witnesses } = await kinds.chain.ask("/wallet/listwitnesses");
    const [witness] = witnesses as unknown as readonly { readonly address: string }[];
    const other = chain.ready.accounts[0]?.address ?? "";
    known = { owner: toBase58(address), other, contract: toBase58(contract), witness: witness?.address ?? "" };
  });

  after(async () => {
    if (readyLine === undefined) delete process.env.FINALITY_DEV_CHAIN;
    else process.env.FINALITY_DEV_CHAIN = readyLine;
    for (const it of subscriptions.reverse()) it.dispose();
    await chain.close();
    await rm(folder, { recursive: true, force: true });
  });

  function run(command: string, argument: object): Promise<unknown> {
    return editor.run(`finality.${command}`, argument);
  }

  const broadcasts = (): number => chain.simulation.requests.report().paths["/wallet/broadcasttransaction"] ?? 0;

  /** Runs a command and clicks a button of its dialogs, by default none. */
  async function called(command: string, argument: object, button = "") {
    const [before, shown] = [broadcasts(), editor.shown.length];
    answer = button;
    await run(command, argument);
    const [dialogs, notices] = [true, false].map((modal) =>
      editor.shown.slice(shown).filter((it) => it.modal === modal),
    );
    return { dialogs: dialogs ?? [], notices: notices ?? [], sent: broadcasts() - before };
  }

  for (const [command, argument] of Object.entries(ARGUMENTS)) {
    it(`U3: ${command} shows a review before it signs, although a click brings every argument`, async () => {
      const { dialogs, sent } = await called(command, ownClick(argument(known)));

      assert.equal(sent, 0);
      assert.match(dialogs.at(-1)?.buttons.join() ?? "no dialog", /Sign/);
    });
  }

  it("U3: a command of an account's menu shows a review, although the row brings every argument", async () => {
    const view = trees.get("finality.accounts") ?? assert.fail("there is no view");
    const rows = (await view.getChildren()) as readonly { readonly address?: Address }[];
    const isOwner = ({ address }: (typeof rows)[number]) => address !== undefined && toBase58(address) === known.owner;
    const row = rows.find(isOwner) ?? assert.fail("the account is not listed");

    for (const command of ["withdrawUnstaked", "cancelUnstakes", "withdrawReward"]) {
      const { dialogs, sent } = await called(command, row);
      assert.deepEqual([sent, dialogs.length], [0, 1], command);
    }
  });

  it("U3: shows a person what failed when a click ran the command", async () => {
    const shown = editor.shown.length;

    await run("sendSameBytesAgain", ownClick({ txId: "ab".repeat(32) }));

    assert.deepEqual(
      editor.shown.slice(shown).map(({ buttons }) => buttons.at(-1)),
      ["Show Log"],
    );
  });

  it("U3: shows the result in a notification while the view of Finality is hidden", async () => {
    const payment = ownClick({ from: known.owner, to: known.other, amount: "2" });

    const { notices, sent } = await called("sendCoins", payment, "Sign and Send");

    assert.equal(sent, 1);
    assert.deepEqual(
      notices.map(({ title, buttons }) => [title, ...buttons]),
      [["2 coins → Alice · Accepted by the node, not final", "Show"]],
    );
  });

  it("sends without a review where a program brings every argument", async () => {
    const { dialogs, sent } = await called("sendCoins", { from: known.owner, to: known.other, amount: "1" });

    assert.deepEqual([dialogs, sent], [[], 1]);
  });
});
