import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalChain, startLocalChain } from "../../../packages/local-chain/src/main.ts";
import { toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import { bytesToHex } from "../../../packages/tron/src/primitives/bytes.ts";
import { commandIds } from "../../../src/host/contributions.ts";
import { EVERY_STAKE_VOTES, EveryKind } from "../../support/chain/every-kind.ts";
import { testChainOf } from "../../support/chain/test-chain.ts";
import { type HeldServer, openHeldServer } from "../../support/http/http-server.ts";
import type { CommandName } from "../../support/programs/program-fixture.ts";
import { loadExtensionWithProgress } from "../../support/simulated-host/load-sources.ts";
import { newestGoingOn } from "../../support/simulated-host/progress-editor.ts";
import { CancellationError, contextOf, Editor, mountEditor } from "../../support/simulated-host/simulated-editor.ts";

/** Values for the arguments. */
interface TestValues {
  readonly owner: string;
  readonly other: string;
  readonly contract: string;
  readonly witness: string;
  /** Of a transaction that was sent from here. */
  readonly txId: string;
  /** A transaction without a signature. */
  readonly unsigned: string;
  /** A table of payments. */
  readonly runFile: string;
}

interface WaitingCommand {
  readonly command: string;
  /** Answer that the command waits for. */
  readonly waitsFor: string;
  /** With a `kind` the user calls the command, which prompts for missing values. */
  readonly argument: (values: TestValues) => object;
  /** Path that never answers; every path if absent. */
  readonly silent?: string;
}

const USER = { kind: "test" };
const TYPED_DATA = { types: { Hello: [{ name: "to", type: "string" }] }, domain: {}, message: { to: "you" } };
const SIMULATION = "/wallet/triggerconstantcontract";

/** Each request on which a command waits before it sends. */
const ROWS = [
  { command: "sendCoins", waitsFor: "balances to choose from", argument: () => USER },
  { command: "sendCoins", waitsFor: "the bytes", argument: payment },
  { command: "sendCoins", waitsFor: "the cost", argument: payment, silent: "/wallet/getchainparameters" },
  { command: "stake", waitsFor: "accounts to choose from", argument: () => USER },
  {
    command: "stake",
    waitsFor: "the balance",
    argument: ({ owner }) => ({ ...USER, from: owner, resource: "energy" }),
  },
  { command: "stake", waitsFor: "the review", argument: (it) => ofStake(it) },
  { command: "unstake", waitsFor: "stakes to choose from", argument: ({ owner }) => ({ ...USER, from: owner }) },
  { command: "unstake", waitsFor: "the review", argument: (it) => ofStake(it) },
  { command: "withdrawUnstaked", waitsFor: "the review", argument: ({ owner }) => ({ from: owner }) },
  { command: "cancelUnstakes", waitsFor: "the review", argument: ({ owner }) => ({ from: owner }) },
  { command: "delegate", waitsFor: "the review", argument: (it) => ({ ...ofStake(it), to: it.other }) },
  { command: "undelegate", waitsFor: "the review", argument: (it) => ({ ...ofStake(it), to: it.other }) },
  { command: "vote", waitsFor: "witnesses to choose from", argument: ({ owner }) => ({ ...USER, from: owner }) },
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
    waitsFor: "the balance",
    argument: ({ owner, other }) => ({ ...USER, from: owner, to: other, tokenId: "1000001" }),
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
  { command: "editPermissions", waitsFor: "accounts to choose from", argument: () => USER },
  { command: "editPermissions", waitsFor: "permissions", argument: ({ owner }) => ({ from: owner, permissions: {} }) },
  { command: "showSignatures", waitsFor: "permissions", argument: ({ txId }) => ({ txId }) },
  {
    command: "showSignatures",
    waitsFor: "the weight",
    argument: ({ txId }) => ({ txId }),
    silent: "/wallet/getsignweight",
  },
  {
    command: "signTypedData",
    waitsFor: "the chain",
    argument: ({ owner }) => ({ account: owner, typedData: TYPED_DATA }),
  },
  {
    command: "verifySignature",
    waitsFor: "the contract",
    argument: ({ contract }) => ({ message: "Hi", signature: "00", address: contract }),
  },
  { command: "showBalance", waitsFor: "the balance", argument: ({ owner }) => ({ account: owner }) },
  { command: "refreshAccounts", waitsFor: "balances", argument: () => USER },
  { command: "inspectToken", waitsFor: "the gateway's time", argument: () => ({ network: "Gated" }) },
  { command: "useJwtKey", waitsFor: "the check of the key", argument: () => ({ network: "Gated", key: "second" }) },
  {
    command: "rotateJwtKey",
    waitsFor: "the check of the key",
    argument: () => ({ network: "Gated", keyId: "third" }),
  },
  { command: "testConnection", waitsFor: "the first answer", argument: () => ({ network: "Shop" }) },
  { command: "addSignature", waitsFor: "the review", argument: ({ unsigned }) => ({ text: unsigned }) },
  { command: "importSignedTransaction", waitsFor: "the review", argument: ({ unsigned }) => ({ text: unsigned }) },
  { command: "watchIncoming", waitsFor: "the newest block", argument: ({ other }) => ({ address: other }) },
  {
    command: "watchEvents",
    waitsFor: "the contract",
    argument: ({ contract }) => ({ contract }),
    silent: "/wallet/getcontractinfo",
  },
  { command: "callContract", waitsFor: "the contract", argument: ofCall, silent: "/wallet/getcontractinfo" },
  {
    command: "callContract",
    waitsFor: "accounts to choose from",
    argument: ({ contract }) => ({ ...USER, contract, function: "stop", arguments: [] }),
    silent: "/wallet/getaccount",
  },
  { command: "callContract", waitsFor: "the simulation", argument: ofCall, silent: SIMULATION },
  { command: "callContract", waitsFor: "the signers", argument: ofLimitedCall, silent: "/wallet/getaccount" },
  { command: "callContract", waitsFor: "the simulation of the gate", argument: ofLimitedCall, silent: SIMULATION },
  { command: "readContract", waitsFor: "the contract", argument: ofCall, silent: "/wallet/getcontractinfo" },
  { command: "readContract", waitsFor: "the result", argument: ofCall, silent: SIMULATION },
  { command: "transferTokens", waitsFor: "the token", argument: (it) => ({ ...ofTokens(it), to: it.other }) },
  { command: "approveTokens", waitsFor: "the token", argument: (it) => ({ ...ofTokens(it), spender: it.other }) },
  {
    command: "tokenBalance",
    waitsFor: "the token",
    argument: ({ contract, owner }) => ({ token: contract, account: owner }),
  },
  { command: "showResult", waitsFor: "the receipt", argument: ({ txId }) => ({ txId }) },
  { command: "copyReport", waitsFor: "the receipt", argument: ({ txId }) => ({ txId }) },
  { command: "decodeTransaction", waitsFor: "the transaction", argument: ({ txId }) => ({ txId, network: "Shop" }) },
  { command: "addContract", waitsFor: "the contract", argument: ({ contract }) => ({ ...USER, address: contract }) },
  {
    command: "reviewRunFile",
    waitsFor: "the run",
    argument: ({ owner, runFile }) => ({ file: runFile, network: "Shop", account: owner }),
  },
  {
    command: "runFile",
    waitsFor: "the run",
    argument: ({ owner, runFile }) => ({ file: runFile, network: "Shop", account: owner }),
  },
  { command: "lookNow", waitsFor: "the transaction", argument: ({ txId }) => ({ txId }) },
] as const satisfies readonly WaitingCommand[];

/** Commands that other cases or tests cover. */
const ELSEWHERE = {
  "same code as Send Coins or Call Contract": ["createReplacement", "doItAgain", "reviewProposal"],
  "same code as Call Contract, with an artifact": ["deployContract", "deployProxy", "upgradeProxy", "sendCallOfFile"],
  "same code as Add Signature": ["exportForSignature", "signAgain"],
  "browser/energy-lens": ["estimateEnergy", "refreshEstimates", "saveCostSnapshot"],
  "unit/features/transactions/proof-files": ["recheckProof"],
  "a broadcast cannot be cancelled": ["sendSigned", "sendSameBytesAgain", "sendToAnotherNode"],
} as const;

const ASKS_NO_GATEWAY = [
  ...["addNetwork", "editNetwork", "importNetworks", "removeNetwork", "switchNetwork", "setClientCertificate"],
  ...["createJwtKey", "importJwtKey", "jwtKeys", "removeJwtKey", "renameJwtKey", "setTokenLifetime", "setApiKey"],
  ...["generateSigningKey", "importSigningKey", "exportSigningKey", "removeSigningKey", "changeKeyPolicy"],
  ...["addWatchOnlyAddress", "connectBrowserWallet", "copyAddress", "nameAddress", "chooseCaller", "forgetAnswers"],
  ...["startLocalChain", "stopLocalChain", "localChainAccess", "localChainFaults", "localChainMine", "localChainReset"],
  ...["forkNetwork", "localChainRestore", "localChainSnapshot", "localChainWarp"],
  ...[
    "trackTransaction",
    "traceTransaction",
    "traceFailure",
    "debugTransaction",
    "showTransaction",
    "showTimeline",
    "copyTxId",
    "openInExplorer",
  ],
  ...["showLineEnergy", "compareLineEnergy", "hideLineEnergy"],
  ...["removeFromList", "removeSelected", "clearFinal", "undoRemove", "editNote", "exportTransactions"],
  ...[
    "groupTransactions",
    "filterTransactions",
    "clearTransactionFilter",
    "showMoreTransactions",
    "exportProof",
    "stopProof",
    "resumeProof",
  ],
  ...[
    "stopWatchingIncoming",
    "resumeWatching",
    "removeIncoming",
    "exportIncoming",
    "showEstimate",
    "traceCall",
    "debugCall",
    "toggleEnergyHints",
  ],
  ...["agentTools", "discardProposal", "showEvents", "exportEvents", "signMessage", "showRuns"],
  ...["decode", "decodeClipboard", "decodeDebugOutput", "decodeTerminal", "openDecoder", "openDocumentation"],
  ...["openWalkthrough", "showMenu", "showLog", "showNoticesAgain"],
  ...["copyValue", "refreshContracts", "removeContract", "writeDeployments"],
  ...["compareWithSource", "exportStandardJson"],
] as const;

type Listed =
  | (typeof ROWS)[number]["command"]
  | (typeof ELSEWHERE)[keyof typeof ELSEWHERE][number]
  | (typeof ASKS_NO_GATEWAY)[number];
type Unlisted = Exclude<CommandName, Listed>;
/** Causes a compile error for a command that is in no list above. */
const UNLISTED: [Unlisted] extends [never] ? readonly never[] : `add ${Unlisted} to ROWS or ASKS_NO_GATEWAY` = [];

function payment({ owner, other }: TestValues): object {
  return { from: owner, to: other, amount: "1" };
}

function ofStake({ owner }: TestValues): object {
  return { from: owner, resource: "energy", amount: "5" };
}

function ofVote({ owner, witness }: TestValues): object {
  return { from: owner, votes: { [witness]: 1 } };
}

function ofTokens({ contract, owner }: TestValues): object {
  return { token: contract, amount: "1", from: owner };
}

/** Returns a call whose fee limit comes from a simulation. */
function ofCall({ contract, owner }: TestValues): object {
  return { contract, function: "stop", arguments: [], from: owner };
}

function ofLimitedCall(values: TestValues): object {
  return { ...ofCall(values), feeLimit: "10 coins" };
}

describe("commands that wait for a gateway", function () {
  this.timeout(120_000);
  let folder: string;
  let chain: LocalChain;
  let server: HeldServer;
  let editor: Editor;
  let values: TestValues;
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
    values = await prepare(kinds);
  });

  after(async () => {
    for (const it of subscriptions.reverse()) it.dispose();
    await server.close();
    await chain.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Creates an account with a key, a watch-only account, two JWT keys, and a final payment. */
  async function prepare(kinds: EveryKind): Promise<TestValues> {
    const [{ address, keys, contract } = assert.fail("there is no owner")] = kinds.owners;
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
    const runFile = join(folder, "pay.csv");
    await writeFile(runFile, `recipient,amount\n${other},1\n`);
    return {
      owner,
      other,
      runFile,
      contract: toBase58(contract),
      witness: witness?.address ?? "",
      txId: sent.txId,
      unsigned: JSON.stringify(unsigned),
    };
  }

  function run(command: string, argument: object): Promise<unknown> {
    return editor.run(`finality.${command}`, argument);
  }

  for (const { command, waitsFor, argument, silent } of ROWS as readonly WaitingCommand[]) {
    it(`show progress and stop when cancelled: ${command} while waiting for ${waitsFor}`, async () => {
      server.hold(silent);
      const ended = run(command, argument(values)).then(
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
        const notices = editor.shown.slice(shown).filter((it) => it.modal || it.buttons.includes("Show Log"));
        assert.deepEqual(notices, [], "a cancelled command shows no dialog and no error");
      } finally {
        server.release();
      }
    });
  }

  it("are all listed here, or send no request", () => {
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

/** Waits until a condition holds. Fails when `ended` settles first. */
async function until(isSo: () => boolean, ended?: Promise<unknown>): Promise<void> {
  const end = performance.now() + 2_500;
  let isOver = false;
  void ended?.then(() => {
    isOver = true;
  });
  while (!isSo()) {
    assert.ok(!isOver, `the command ended first: ${String(await (isOver ? ended : undefined))}`);
    assert.ok(performance.now() < end, "the condition did not hold in time");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
