import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalChain, startLocalChain } from "../../../packages/local-chain/src/main.ts";
import { toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import { bytesToHex } from "../../../packages/tron/src/primitives/bytes.ts";
import { commandIds } from "../../../src/host/contributions.ts";
import { EVERY_STAKE_VOTES, EveryKind } from "../../support/chain/every-kind.ts";
import { testChainOf } from "../../support/chain/test-chain.ts";
import { type HeldServer, openHeldServer } from "../../support/http/http-server.ts";
import type { CommandName } from "../../support/programs/command-name.ts";
import { loadExtensionWithProgress } from "../../support/simulated-host/load-sources.ts";
import { newestGoingOn } from "../../support/simulated-host/progress-editor.ts";
import { CancellationError, contextOf, Editor, mountEditor } from "../../support/simulated-host/simulated-editor.ts";

/** Values that the rows use. */
interface Known {
  readonly owner: string;
  readonly other: string;
  readonly contract: string;
  readonly witness: string;
  /** Of a transaction that was sent from here. */
  readonly txId: string;
  /** A transaction without a signature. */
  readonly unsigned: string;
}

interface Row {
  readonly command: string;
  /** Event that the command waits for. */
  readonly waitsFor: string;
  /** Without a `kind` a program calls, which says everything; with one a person, who is asked for the rest. */
  readonly argument: (known: Known) => object;
  /** The path whose answer never comes; any path when absent. */
  readonly silent?: string;
}

const PERSON = { kind: "test" };
const SIMULATION = "/wallet/triggerconstantcontract";

/** One row for each way on which a command waits for a gateway, before anything is sent. */
const ROWS = [
  { command: "sendCoins", waitsFor: "balances to choose from", argument: () => PERSON },
  { command: "sendCoins", waitsFor: "the bytes", argument: payment },
  { command: "sendCoins", waitsFor: "the cost", argument: payment, silent: "/wallet/getchainparameters" },
  { command: "stake", waitsFor: "accounts to choose from", argument: () => PERSON },
  {
    command: "stake",
    waitsFor: "what there is",
    argument: ({ owner }) => ({ ...PERSON, from: owner, resource: "energy" }),
  },
  { command: "stake", waitsFor: "the review", argument: (it) => ofStake(it) },
  { command: "unstake", waitsFor: "stakes to choose from", argument: ({ owner }) => ({ ...PERSON, from: owner }) },
  { command: "unstake", waitsFor: "the review", argument: (it) => ofStake(it) },
  { command: "withdrawUnstaked", waitsFor: "the review", argument: ({ owner }) => ({ from: owner }) },
  { command: "cancelUnstakes", waitsFor: "the review", argument: ({ owner }) => ({ from: owner }) },
  { command: "delegate", waitsFor: "the review", argument: (it) => ({ ...ofStake(it), to: it.other }) },
  { command: "undelegate", waitsFor: "the review", argument: (it) => ({ ...ofStake(it), to: it.other }) },
  { command: "vote", waitsFor: "witnesses to choose from", argument: ({ owner }) => ({ ...PERSON, from: owner }) },
  { command: "vote", waitsFor: "the witnesses", argument: ofVote, silent: "/wallet/listwitnesses" },
  { command: "vote", waitsFor: "their rates", argument: ofVote, silent: "/wallet/getBrokerage" },
  {
    command: "withdrawReward",
    waitsFor: "the reward",
    argument: ({ owner }) => ({ from: owner }),
    silent: "/wallet/getReward",
  },
  {
    command: "sendTrc10",
    waitsFor: "what there is",
    argument: ({ owner, other }) => ({ ...PERSON, from: owner, to: other, tokenId: "1000001" }),
  },
  {
    command: "sendTrc10",
    waitsFor: "the review",
    argument: ({ owner, other }) => ({ from: owner, to: other, tokenId: "1000001", amount: "1" }),
  },
  {
    command: "createAccount",
    waitsFor: "the review",
    argument: ({ owner }) => ({ from: owner, to: `41${"5e".repeat(20)}` }),
  },
  {
    command: "updateAccountName",
    waitsFor: "the review",
    argument: ({ owner }) => ({ from: owner, name: "tea-house" }),
  },
  {
    command: "setCallersShare",
    waitsFor: "the contract",
    argument: ({ owner, contract }) => ({ from: owner, contract, percent: "50" }),
    silent: "/wallet/getcontractinfo",
  },
  {
    command: "setEnergyLimit",
    waitsFor: "the review",
    argument: ({ owner, contract }) => ({ from: owner, contract, limit: "1000" }),
  },
  { command: "clearAbi", waitsFor: "the review", argument: ({ owner, contract }) => ({ from: owner, contract }) },
  { command: "showPermissions", waitsFor: "permissions", argument: ({ owner }) => ({ account: owner }) },
  { command: "editPermissions", waitsFor: "accounts to choose from", argument: () => PERSON },
  { command: "editPermissions", waitsFor: "permissions", argument: ({ owner }) => ({ from: owner, permissions: {} }) },
  { command: "showSignatures", waitsFor: "permissions", argument: ({ txId }) => ({ txId }) },
  {
    command: "showSignatures",
    waitsFor: "the weight",
    argument: ({ txId }) => ({ txId }),
    silent: "/wallet/getsignweight",
  },
  { command: "showBalance", waitsFor: "the balance", argument: ({ owner }) => ({ account: owner }) },
  { command: "refreshAccounts", waitsFor: "balances", argument: () => PERSON },
  { command: "inspectToken", waitsFor: "the time there", argument: () => ({ network: "Gated" }) },
  { command: "useJwtKey", waitsFor: "whether it is accepted", argument: () => ({ network: "Gated", key: "second" }) },
  {
    command: "rotateJwtKey",
    waitsFor: "whether it is accepted",
    argument: () => ({ network: "Gated", keyId: "third" }),
  },
  { command: "testConnection", waitsFor: "anything", argument: () => ({ network: "Shop" }) },
  { command: "addSignature", waitsFor: "the review", argument: ({ unsigned }) => ({ text: unsigned }) },
  { command: "importSignedTransaction", waitsFor: "the review", argument: ({ unsigned }) => ({ text: unsigned }) },
  { command: "watchIncoming", waitsFor: "the newest block", argument: ({ other }) => ({ address: other }) },
  { command: "callContract", waitsFor: "the contract", argument: ofCall, silent: "/wallet/getcontractinfo" },
  {
    command: "callContract",
    waitsFor: "accounts to choose from",
    argument: ({ contract }) => ({ ...PERSON, contract, function: "stop", arguments: [] }),
    silent: "/wallet/getaccount",
  },
  { command: "callContract", waitsFor: "the simulation", argument: ofCall, silent: SIMULATION },
  { command: "callContract", waitsFor: "who signs", argument: ofLimitedCall, silent: "/wallet/getaccount" },
  { command: "callContract", waitsFor: "the gate", argument: ofLimitedCall, silent: SIMULATION },
  { command: "readContract", waitsFor: "the contract", argument: ofCall, silent: "/wallet/getcontractinfo" },
  { command: "readContract", waitsFor: "what it gives", argument: ofCall, silent: SIMULATION },
  { command: "transferTokens", waitsFor: "the token", argument: (it) => ({ ...ofTokens(it), to: it.other }) },
  { command: "approveTokens", waitsFor: "the token", argument: (it) => ({ ...ofTokens(it), spender: it.other }) },
  {
    command: "tokenBalance",
    waitsFor: "the token",
    argument: ({ contract, owner }) => ({ token: contract, account: owner }),
  },
  { command: "showResult", waitsFor: "the receipt", argument: ({ txId }) => ({ txId }) },
  { command: "decodeTransaction", waitsFor: "the transaction", argument: ({ txId }) => ({ txId, network: "Shop" }) },
  { command: "lookNow", waitsFor: "the transaction", argument: ({ txId }) => ({ txId }) },
] as const satisfies readonly Row[];

/** They wait in the words of others, or for what no test of this kind has. */
const ELSEWHERE = {
  "goes the way of Send Coins or Call Contract": ["createReplacement", "doItAgain"],
  "goes the way of Call Contract; there is no artifact here": ["deployContract", "sendCallOfFile"],
  "goes the way of Add Signature": ["exportForSignature", "signAgain"],
  "browser/energy-lens": ["estimateEnergy", "refreshEstimates", "saveCostSnapshot"],
  "unit/features/transactions/proof-files": ["recheckProof"],
  "what is on its way is not called back": ["sendSigned", "sendSameBytesAgain", "sendToAnotherNode"],
} as const;

const ASKS_NO_GATEWAY = [
  ...["addNetwork", "editNetwork", "importNetworks", "removeNetwork", "switchNetwork", "setClientCertificate"],
  ...["createJwtKey", "importJwtKey", "jwtKeys", "removeJwtKey", "renameJwtKey", "setTokenLifetime", "setApiKey"],
  ...["generateSigningKey", "importSigningKey", "exportSigningKey", "removeSigningKey", "changeKeyPolicy"],
  ...["addWatchOnlyAddress", "connectBrowserWallet", "copyAddress", "nameAddress", "chooseCaller", "forgetAnswers"],
  ...["startLocalChain", "stopLocalChain", "localChainAccess", "localChainFaults", "localChainMine", "localChainReset"],
  ...["localChainRestore", "localChainSnapshot", "localChainWarp"],
  ...["trackTransaction", "showTransaction", "showLifeLine", "copyReport", "copyTxId", "openInExplorer"],
  ...["removeFromList", "exportProof", "stopProof", "resumeProof"],
  ...["stopWatchingIncoming", "removeIncoming", "exportIncoming", "showEstimate", "toggleEnergyHints"],
  ...["decode", "decodeClipboard", "decodeDebugOutput", "decodeTerminal", "openDecoder", "openDocumentation"],
  ...["openWalkthrough", "showLog", "showNoticesAgain"],
] as const;

type Listed =
  | (typeof ROWS)[number]["command"]
  | (typeof ELSEWHERE)[keyof typeof ELSEWHERE][number]
  | (typeof ASKS_NO_GATEWAY)[number];
type Unlisted = Exclude<CommandName, Listed>;
/** A command that is in no list above is an error of the compiler here. */
const UNLISTED: [Unlisted] extends [never] ? readonly never[] : `add ${Unlisted} to ROWS or ASKS_NO_GATEWAY` = [];

function payment({ owner, other }: Known): object {
  return { from: owner, to: other, amount: "1" };
}

function ofStake({ owner }: Known): object {
  return { from: owner, resource: "energy", amount: "5" };
}

function ofVote({ owner, witness }: Known): object {
  return { from: owner, votes: { [witness]: 1 } };
}

function ofTokens({ contract, owner }: Known): object {
  return { token: contract, amount: "1", from: owner };
}

/** Its limit is what a simulation says. */
function ofCall({ contract, owner }: Known): object {
  return { contract, function: "stop", arguments: [], from: owner };
}

function ofLimitedCall(known: Known): object {
  return { ...ofCall(known), feeLimit: "10 coins" };
}

describe("every command that waits for a gateway", function () {
  this.timeout(120_000);
  let folder: string;
  let chain: LocalChain;
  let server: HeldServer;
  let editor: Editor;
  let known: Known;
  const subscriptions: { dispose(): void }[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-cancelled-"));
    chain = await startLocalChain({ blockTimeMs: 0, seed: "cancelled", parameters: EVERY_STAKE_VOTES });
    const kinds = await EveryKind.prepare(testChainOf(chain.simulation), [1]);
    server = await openHeldServer(chain.baseUrl);
    const { activate } = await loadExtensionWithProgress();
    const shop = { name: "Shop", baseUrl: server.baseUrl };
    const gated = { name: "Gated", baseUrl: server.baseUrl, jwt: true, audience: "shop", keyId: "first" };
    const settings = new Map<string, unknown>([
      ["finality.networks", [shop, gated]],
      ["finality.activeNetwork", "Shop"],
    ]);
    editor = new Editor(settings, ({ buttons }) =>
      buttons.find((it) => /^(Sign|Sign and Send|Use|Add|Run|Create Key)$/.test(it)),
    );
    mountEditor(editor);
    const context = contextOf(folder, new Map(), new Map());
    activate(context as never);
    subscriptions.push(...(context.subscriptions as { dispose(): void }[]));
    known = await prepare(kinds);
  });

  after(async () => {
    for (const it of subscriptions.reverse()) it.dispose();
    await server.close();
    await chain.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** An account with a key, one without, two keys for tokens, and a payment that is final. */
  async function prepare(kinds: EveryKind): Promise<Known> {
    const [{ address, keys, contract } = assert.fail("nobody is there")] = kinds.owners;
    const [key = assert.fail("there is no key")] = keys;
    const other = chain.ready.accounts[0]?.address ?? "";
    await run("importSigningKey", { privateKey: bytesToHex(key), label: "Owner" });
    await run("addWatchOnlyAddress", { address: other, label: "Watched" });
    for (const name of ["first", "second"]) await run("createJwtKey", { network: "Gated", name, keyId: name });
    const owner = toBase58(address);
    const sent = (await run("sendCoins", { from: owner, to: other, amount: "2" })) as { readonly txId: string };
    kinds.chain.mine(30);
    await run("lookNow", { txId: sent.txId });
    const { witnesses } = await kinds.chain.ask("/wallet/listwitnesses");
    const [witness] = witnesses as unknown as readonly { readonly address: string }[];
    const unsigned = await kinds.chain.ask("/wallet/createtransaction", {
      owner_address: address,
      to_address: chain.ready.accounts[0]?.hex ?? "",
      amount: 7,
    });
    return {
      owner,
      other,
      contract: toBase58(contract),
      witness: witness?.address ?? "",
      txId: sent.txId,
      unsigned: JSON.stringify(unsigned),
    };
  }

  function run(command: string, argument: object): Promise<unknown> {
    return editor.run(`finality.${command}`, argument);
  }

  for (const { command, waitsFor, argument, silent } of ROWS as readonly Row[]) {
    it(`shows that it does, and ends its requests when it is cancelled: ${command}, ${waitsFor}`, async () => {
      server.hold(silent);
      const ended = run(command, argument(known)).then(
        () => undefined,
        (error: unknown) => error,
      );
      try {
        await until(() => server.waiting().length > 0 && newestGoingOn() !== undefined, ended);

        const shown = editor.shown.length;
        newestGoingOn()?.cancel();

        const error = await ended;
        assert.ok(error === undefined || error instanceof CancellationError, String(error));
        await until(() => server.waiting().length === 0);
        const said = editor.shown.slice(shown).filter((it) => it.modal || it.buttons.includes("Show Log"));
        assert.deepEqual(said, [], "who cancelled is asked nothing, and told of no failure");
      } finally {
        server.release();
      }
    });
  }

  it("has a row here, or is known to ask none", () => {
    const all = Object.values(commandIds)
      .flat()
      .map((it) => it.slice("finality.".length));
    const inRows = new Set<string>(ROWS.map((it) => it.command));

    assert.deepEqual(
      all.filter((it) => !inRows.has(it)).sort(),
      [...Object.values(ELSEWHERE).flat(), ...ASKS_NO_GATEWAY, ...UNLISTED].sort(),
    );
  });
});

/** Looked at again and again, as other work goes on. @param ended - what must not be over before */
async function until(isSo: () => boolean, ended?: Promise<unknown>): Promise<void> {
  const end = performance.now() + 2_500;
  let isOver = false;
  void ended?.then(() => {
    isOver = true;
  });
  while (!isSo()) {
    assert.ok(!isOver, `it was over before: ${String(await (isOver ? ended : undefined))}`);
    assert.ok(performance.now() < end, "it did not come to that");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
