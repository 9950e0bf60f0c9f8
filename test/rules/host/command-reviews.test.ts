import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalChain, startLocalChain } from "../../../packages/local-chain/src/main.ts";
import { type Address, toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import { EVERY_STAKE_VOTES, EveryKind } from "../../support/chain/every-kind.ts";
import { testChainOf } from "../../support/chain/test-chain.ts";
import { loadProgramsExtension } from "../../support/simulated-host/load-sources.ts";
import { openFolder, trees } from "../../support/simulated-host/program-editor.ts";
import { contextOf, Editor, mountEditor, type Shown } from "../../support/simulated-host/simulated-editor.ts";

interface TestValues {
  readonly owner: string;
  readonly other: string;
  readonly contract: string;
  readonly witness: string;
}

const ofStake = ({ owner }: TestValues): object => ({ from: owner, resource: "energy", amount: "5" });

/** Commands that sign, each with a complete argument, so that only the review remains. */
const ARGUMENTS: { readonly [command: string]: (values: TestValues) => object } = {
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

describe("commands called by the user on the local chain", function () {
  this.timeout(120_000);
  let folder: string;
  let chain: LocalChain;
  let editor: Editor;
  let values: TestValues;
  /** Button that the user clicks in a dialog. */
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
    const user = ({ modal, buttons }: Shown) => (modal ? buttons.find((it) => it === answer) : undefined);
    editor = new Editor(new Map<string, unknown>(), user);
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
    values = { owner: toBase58(address), other, contract: toBase58(contract), witness: witness?.address ?? "" };
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
  async function call(command: string, argument: object, button = "") {
    const [before, shown] = [broadcasts(), editor.shown.length];
    answer = button;
    await run(command, argument);
    const [dialogs, notices] = [true, false].map((modal) =>
      editor.shown.slice(shown).filter((it) => it.modal === modal),
    );
    return { dialogs: dialogs ?? [], notices: notices ?? [], sent: broadcasts() - before };
  }

  for (const [command, argument] of Object.entries(ARGUMENTS)) {
    it(`U3: show a review before ${command} signs`, async () => {
      const { dialogs, sent } = await call(command, ownClick(argument(values)));

      assert.equal(sent, 0);
      assert.match(dialogs.at(-1)?.buttons.join() ?? "no dialog", /Sign/);
    });
  }

  it("U3: show a review when started from an account's context menu", async () => {
    const view = trees.get("finality.accounts") ?? assert.fail("there is no view");
    const rows = (await view.getChildren()) as readonly { readonly address?: Address }[];
    const isOwner = ({ address }: (typeof rows)[number]) => address !== undefined && toBase58(address) === values.owner;
    const row = rows.find(isOwner) ?? assert.fail("the account is not listed");

    for (const command of ["withdrawUnstaked", "cancelUnstakes", "withdrawReward"]) {
      const { dialogs, sent } = await call(command, row);
      assert.deepEqual([sent, dialogs.length], [0, 1], command);
    }
  });

  it("U3: show the error of a command that was started by a click", async () => {
    const shown = editor.shown.length;

    await run("sendSameBytesAgain", ownClick({ txId: "ab".repeat(32) }));

    assert.deepEqual(
      editor.shown.slice(shown).map(({ buttons }) => buttons.at(-1)),
      ["Show Log"],
    );
  });

  it("U3: show the result in a notification while the view is hidden", async () => {
    const payment = ownClick({ from: values.owner, to: values.other, amount: "2" });

    const { notices, sent } = await call("sendCoins", payment, "Sign and Send");

    assert.equal(sent, 1);
    assert.deepEqual(
      notices.map(({ title, buttons }) => [title, ...buttons]),
      [["2 coins → Alice · Accepted by the node, not final", "Show"]],
    );
  });

  it("send without a review when a program passes every argument", async () => {
    const { dialogs, sent } = await call("sendCoins", { from: values.owner, to: values.other, amount: "1" });

    assert.deepEqual([dialogs, sent], [[], 1]);
  });
});
