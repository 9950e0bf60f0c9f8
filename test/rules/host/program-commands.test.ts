import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProposalFolder } from "../../../packages/agent-tools/src/proposals.ts";
import { type LocalChain, startLocalChain } from "../../../packages/local-chain/src/main.ts";
import { parseAddress, toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { bytesToHex } from "../../../packages/tron/src/primitives/bytes.ts";
import { BEFORE_IT_RUNS, commandTable, type Effect } from "../../../src/host/commands/command-table.ts";
import { commandIds } from "../../../src/host/contributions.ts";
import { printBoundSecret } from "../../../src/host/secrets/secret-store.ts";
import { EVERY_STAKE_VOTES, EveryKind } from "../../support/chain/every-kind.ts";
import { testChainOf } from "../../support/chain/test-chain.ts";
import { loadWithEditor } from "../../support/fakes/fake-editor.ts";
import {
  type CommandName,
  CountingGateway,
  differences,
  type Part,
  type Standing,
  whatStands,
} from "../../support/programs/program-fixture.ts";
import { loadProgramsExtension } from "../../support/simulated-host/load-sources.ts";
import { openFolder, trees } from "../../support/simulated-host/program-editor.ts";
import { contextOf, Editor, mountEditor, type Shown } from "../../support/simulated-host/simulated-editor.ts";

type ProgramGate = typeof import("../../../src/host/commands/program-gate.ts");
const { gatedCommands } = await loadWithEditor<ProgramGate>("src/host/commands/program-gate.ts");

/** Values for the arguments. Each command that changes something has its own. */
interface TestValues {
  readonly owner: string;
  readonly other: string;
  /** An address that the address book names Treasury. */
  readonly treasury: string;
  /** Another account with a key. */
  readonly till: string;
  readonly contract: string;
  readonly witness: string;
  /** Payments: final, of unknown outcome, refused. */
  readonly final: string;
  readonly lost: string;
  readonly refused: string;
  readonly watch: string;
  readonly stopped: string;
  /** Bytes without a signature. */
  readonly unsigned: (amount: number) => string;
  readonly privateKey: string;
  /** JWT keys of Gated, by their IDs; the first one is in use. */
  readonly jwt: readonly string[];
  readonly elsewhere: string;
  /** Ids of two proposals of an agent. */
  readonly proposals: readonly string[];
  readonly work: string;
}

interface CommandCase {
  readonly argument: (values: TestValues) => object;
  /** State that differs after the user confirmed. */
  readonly changes?: readonly Part[];
  /** Texts of the dialogs, in order. */
  readonly asks?: readonly RegExp[];
  /** The reason why the command does nothing here: the code of its error, or what is missing. */
  readonly refused?: string;
}

const FRESH = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC";
const EVIL = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";
const SENT = ["journal", "broadcasts"] as const;
const nothing = {};
const NO_LOCAL_CHAIN: CommandCase = {
  argument: () => ({ access: "none", ms: "1", id: "a", confirmed: true }),
  refused: "LOCAL_CHAIN_FAILED",
};

/** A case for every command, with a complete argument, so that only a dialog can stop it. */
const CASES: { readonly [name in CommandName]: CommandCase } = {
  // Reading, showing, copying.
  testConnection: { argument: () => ({ network: "Shop" }) },
  jwtKeys: { argument: () => ({ network: "Gated" }) },
  inspectToken: { argument: () => ({ network: "Gated" }) },
  copyAddress: { argument: ({ owner }) => ({ address: owner }) },
  refreshAccounts: { argument: () => nothing },
  showBalance: { argument: ({ owner }) => ({ account: owner }) },
  showMenu: { argument: () => nothing },
  showLog: { argument: () => nothing },
  openWalkthrough: { argument: () => nothing },
  openDocumentation: { argument: () => ({ page: "keys" }), refused: "no documentation is packed here" },
  copyTxId: { argument: ({ final }) => ({ txId: final }) },
  openInExplorer: { argument: ({ final }) => ({ txId: final }), refused: "no explorer is set" },
  lookNow: { argument: ({ lost }) => ({ txId: lost }) },
  showTransaction: { argument: ({ final }) => ({ txId: final }) },
  showPermissions: { argument: ({ owner }) => ({ account: owner }) },
  verifySignature: {
    argument: ({ owner }) => ({ message: "Hi", signature: "00", address: owner }),
  },
  showSignatures: { argument: ({ final }) => ({ txId: final }) },
  readContract: { argument: (it) => callOf(it), refused: "the function gives nothing back" },
  copyValue: { argument: (it) => callOf(it), refused: "no row shows a value" },
  tokenBalance: {
    argument: ({ contract, owner }) => ({ token: contract, account: owner }),
    refused: "no token is there",
  },
  showResult: { argument: ({ final }) => ({ txId: final }) },
  showTimeline: { argument: ({ final }) => ({ txId: final }) },
  traceTransaction: { argument: ({ final }) => ({ txId: final }), refused: "TRACE_UNAVAILABLE" },
  debugTransaction: { argument: ({ final }) => ({ txId: final }), refused: "TRACE_UNAVAILABLE" },
  traceFailure: { argument: ({ final }) => ({ txId: final }), refused: "TRACE_UNAVAILABLE" },
  showLineEnergy: { argument: () => nothing, refused: "TRACE_UNAVAILABLE" },
  compareLineEnergy: { argument: () => nothing, refused: "TRACE_UNAVAILABLE" },
  hideLineEnergy: { argument: () => nothing },
  copyReport: { argument: ({ final }) => ({ txId: final }) },
  stopProof: { argument: ({ lost }) => ({ txId: lost }) },
  resumeProof: { argument: ({ lost }) => ({ txId: lost }) },
  runFile: { argument: () => ({ file: "/none.csv", network: "Shop", account: "Till" }), refused: "no file is there" },
  showRuns: { argument: () => nothing },
  reviewRunFile: { argument: () => ({ file: "/none.csv", network: "Shop" }), refused: "no file is there" },
  recheckProof: { argument: () => ({ proof: "{}", offline: true }), refused: "it is no proof" },
  decode: { argument: () => ({ input: "SIGERROR" }) },
  decodeTransaction: { argument: ({ final }) => ({ txId: final, network: "Shop" }) },
  decodeClipboard: { argument: () => ({ confirmed: true }) },
  decodeTerminal: { argument: () => nothing },
  decodeDebugOutput: { argument: () => nothing },
  openDecoder: { argument: () => nothing },
  estimateEnergy: { argument: () => ({ uri: "file:///none", offset: "0" }), refused: "no document is open" },
  refreshEstimates: { argument: () => ({ uri: "file:///none" }), refused: "no document is open" },
  debugCall: { argument: () => ({ uri: "file:///none", offset: "0" }), refused: "no document is open" },
  traceCall: { argument: () => ({ uri: "file:///none", offset: "0" }), refused: "no document is open" },
  showEstimate: { argument: () => ({ uri: "file:///none", offset: "0" }), refused: "no document is open" },

  // Commands of the local chain, which cannot start because its bundle is not built.
  startLocalChain: NO_LOCAL_CHAIN,
  forkNetwork: {
    ...NO_LOCAL_CHAIN,
    argument: () => ({ network: "Other" }),
    asks: [/^Fork Other locally\?.*reads code, storage and accounts from .*Fork Network/s],
  },
  stopLocalChain: NO_LOCAL_CHAIN,
  localChainFaults: { ...NO_LOCAL_CHAIN, argument: () => ({ faults: [] }) },
  localChainMine: NO_LOCAL_CHAIN,
  localChainWarp: NO_LOCAL_CHAIN,
  localChainSnapshot: NO_LOCAL_CHAIN,
  localChainRestore: NO_LOCAL_CHAIN,
  localChainReset: { ...NO_LOCAL_CHAIN, asks: [/^Reset the local chain\?.*Reset Local Chain/s] },
  localChainAccess: NO_LOCAL_CHAIN,

  // Networks.
  addNetwork: {
    argument: () => ({ name: "t", baseUrl: "https://api.trongrid.io" }),
    changes: ["networks", "active network"],
    asks: [/t and use it.*https:\/\/api\.trongrid\.io.*Do Nothing, Add as Real-Money Network, Add as Test Network/s],
  },
  switchNetwork: { argument: () => ({ network: "Other" }), changes: ["active network"] },
  editNetwork: {
    argument: () => ({ network: "Other", explorerUrl: "https://evil.test", jwt: false, audience: "evil" }),
    changes: ["networks"],
  },
  importNetworks: {
    argument: ({ work }) => ({ file: join(work, "tronbox.js") }),
    changes: ["networks", "accounts", "names", "credentials"],
    asks: [
      /nile: https:\/\/api\.trongrid\.io \(real money\)/,
      /Keys of an earlier network nile/,
      /contains 1 private key/,
      /^Add T\w{33} as “tronbox”/,
    ],
  },
  removeNetwork: { argument: () => ({ network: "Gone", confirmed: true }), changes: ["networks", "settings"] },
  setClientCertificate: { argument: () => ({ network: "Bank", file: "" }), changes: ["settings"] },

  // Keys of networks.
  createJwtKey: {
    argument: () => ({ network: "Bank", name: "evil", keyId: "evil" }),
    changes: ["credentials", "networks"],
  },
  importJwtKey: {
    argument: () => ({ network: "Bank", privateKeyPem: PEM, keyId: "evil" }),
    changes: ["credentials"],
    asks: [/network: Bank.*keyId: evil.*privateKeyPem: •••/s],
  },
  renameJwtKey: { argument: ({ jwt }) => ({ network: "Gated", key: jwt[1], name: "evil" }), changes: ["credentials"] },
  setTokenLifetime: { argument: () => ({ network: "Gated", seconds: "300" }), changes: ["credentials"] },
  useJwtKey: { argument: ({ jwt }) => ({ network: "Gated", key: jwt[1] }), changes: ["credentials", "networks"] },
  rotateJwtKey: { argument: () => ({ network: "Gated", keyId: "third" }), changes: ["credentials", "networks"] },
  removeJwtKey: {
    argument: ({ jwt }) => ({ network: "Gated", key: jwt[0], confirmed: true }),
    changes: ["credentials"],
  },
  setApiKey: { argument: () => ({ network: "Other", apiKey: "evil" }), changes: ["credentials"] },

  // Accounts and names.
  generateSigningKey: { argument: () => ({ label: "Treasury" }), changes: ["accounts", "names", "credentials"] },
  importSigningKey: {
    argument: ({ privateKey }) => ({ privateKey, label: "Treasury" }),
    changes: ["accounts", "names", "credentials"],
  },
  exportSigningKey: {
    argument: ({ owner }) => ({ address: owner, confirmed: true }),
    refused: "LOCK OUT must be typed",
  },
  changeKeyPolicy: {
    argument: ({ till }) => ({ address: till, policy: "retype-above", above: "1000000" }),
    changes: ["accounts"],
  },
  addWatchOnlyAddress: { argument: () => ({ address: EVIL, label: "Treasury" }), changes: ["accounts", "names"] },
  connectBrowserWallet: { argument: () => ({ address: FRESH, label: "Owner" }), changes: ["accounts"] },
  removeSigningKey: { argument: () => ({ address: FRESH, confirmed: true }), changes: ["accounts"] },
  nameAddress: { argument: ({ contract }) => ({ address: contract, name: "Rewards" }), changes: ["names"] },

  // Commands that sign and send.
  reviewProposal: {
    argument: ({ proposals }) => ({ id: proposals[0] }),
    changes: [...SENT, "files"],
    asks: [/^Send 6 coins[\s\S]*Proposed by “Scout”, a program\. Check each line: the values are its claim\./],
  },
  sendCoins: { argument: ({ owner, other }) => ({ from: owner, to: other, amount: "1" }), changes: SENT },
  withdrawUnstaked: { argument: ({ owner }) => ({ from: owner }), changes: SENT },
  stake: { argument: (it) => ofStake(it), changes: SENT },
  unstake: { argument: (it) => ofStake(it), changes: SENT },
  cancelUnstakes: { argument: ({ owner }) => ({ from: owner }), changes: SENT },
  delegate: { argument: (it) => ({ ...ofStake(it), to: it.other }), changes: SENT },
  undelegate: { argument: (it) => ({ ...ofStake(it), to: it.other }), changes: SENT },
  vote: { argument: ({ owner, witness }) => ({ from: owner, votes: { [witness]: 1 } }), changes: SENT },
  withdrawReward: { argument: ({ owner }) => ({ from: owner }), changes: SENT },
  sendTrc10: {
    argument: ({ owner, other }) => ({ from: owner, to: other, tokenId: "1000001", amount: "1" }),
    changes: SENT,
  },
  createAccount: { argument: ({ owner }) => ({ from: owner, to: `41${"5e".repeat(20)}` }), changes: SENT },
  updateAccountName: { argument: ({ owner }) => ({ from: owner, name: "tea-house" }), changes: SENT },
  setCallersShare: { argument: ({ owner, contract }) => ({ from: owner, contract, percent: "50" }), changes: SENT },
  setEnergyLimit: { argument: ({ owner, contract }) => ({ from: owner, contract, limit: "1000" }), changes: SENT },
  callContract: { argument: (it) => ({ ...callOf(it), feeLimit: "10 coins" }), changes: SENT },
  clearAbi: { argument: ({ owner, contract }) => ({ from: owner, contract }), changes: SENT },
  approveTokens: {
    argument: ({ contract, owner, other }) => ({ token: contract, spender: other, amount: "1", from: owner }),
    refused: "no token is there",
  },
  transferTokens: {
    argument: ({ contract, owner, other }) => ({ token: contract, to: other, amount: "1", from: owner }),
    refused: "no token is there",
  },
  deployProxy: {
    argument: ({ contract, owner }) => ({ implementation: contract, from: owner }),
    refused: "no contract",
  },
  upgradeProxy: {
    argument: ({ contract, other, owner }) => ({ contract, implementation: other, from: owner }),
    refused: "no contract",
  },
  deployContract: { argument: ({ owner }) => ({ contract: "Leaf", from: owner }), refused: "there is no artifact" },
  sendCallOfFile: { argument: () => ({ uri: "file:///none", offset: "0" }), refused: "no document is open" },
  sendSigned: { argument: ({ lost }) => ({ txId: lost }), changes: SENT },
  sendSameBytesAgain: { argument: ({ lost }) => ({ txId: lost }), changes: SENT },
  sendToAnotherNode: { argument: ({ lost, elsewhere }) => ({ txId: lost, url: elsewhere }), changes: SENT },
  createReplacement: { argument: ({ refused }) => ({ txId: refused }), changes: SENT },
  doItAgain: { argument: ({ final }) => ({ txId: final }), refused: "AGAIN_REFUSED" },
  editPermissions: {
    argument: ({ owner, other }) => ({ from: owner, permissions: { owner: { keys: { [owner]: 1, [other]: 1 } } } }),
    changes: SENT,
  },
  // Nothing is stored, so the dialog is the only change; it comes on every network.
  signMessage: {
    argument: ({ owner }) => ({ account: owner, message: "Let me in" }),
    changes: [],
    asks: [/^Sign this message\?\n.*Owner · T\w{33}.*Let me in\nDo Not Sign, Sign$/s],
  },
  signTypedData: {
    argument: ({ owner, other }) => ({
      account: owner,
      typedData: {
        types: { Permit: ["owner", "spender"].map((name) => ({ name, type: "address" })) },
        domain: {},
        message: { owner, spender: other },
      },
    }),
    changes: [],
    asks: [/^Sign typed data of the type Permit\?\n⚠ It names no chain.*\nDo Not Sign, Sign$/s],
  },
  exportForSignature: { argument: ({ refused }) => ({ txId: refused }), refused: "it was sent" },
  addSignature: { argument: ({ unsigned }) => ({ text: unsigned(7) }), changes: ["journal"] },
  importSignedTransaction: { argument: ({ unsigned }) => ({ text: unsigned(8) }), changes: ["journal"] },
  signAgain: { argument: ({ refused }) => ({ txId: refused }), refused: "it was replaced" },

  // Lists and files.
  addContract: {
    argument: ({ contract }) => ({ address: contract, name: "Vault" }),
    changes: ["contracts", "names"],
    asks: [/^Run “Add Contract” for a program\?.*address: T\w{33}.*name: Vault/s],
  },
  removeContract: { argument: ({ contract }) => ({ address: contract }), changes: ["contracts"] },
  refreshContracts: { argument: () => nothing },
  compareWithSource: { argument: ({ contract }) => ({ contract }), refused: "no artifact of it" },
  exportStandardJson: { argument: ({ contract }) => ({ contract }), refused: "no artifact of it" },
  writeDeployments: { argument: ({ owner }) => ({ network: "Shop", from: owner }), refused: "no contract is listed" },
  trackTransaction: { argument: () => ({ txId: "ab".repeat(32), label: "Paid to Treasury" }), changes: ["journal"] },
  removeFromList: { argument: ({ lost }) => ({ txIds: [lost] }), changes: ["journal"] },
  removeSelected: { argument: () => nothing },
  clearFinal: {
    argument: () => nothing,
    changes: ["journal"],
    asks: [/^Remove \d+ final transactions? from the list\?/],
  },
  undoRemove: { argument: () => nothing, changes: ["journal"] },
  groupTransactions: { argument: () => ({ by: "network" }) },
  filterTransactions: { argument: () => ({ network: "Shop" }) },
  clearTransactionFilter: { argument: () => nothing },
  showMoreTransactions: { argument: () => ({ group: "final" }) },
  editNote: { argument: ({ lost }) => ({ txId: lost, note: "Paid to Treasury" }), changes: ["files"] },
  exportTransactions: { argument: ({ work }) => ({ file: join(work, "transactions.csv") }), changes: ["files"] },
  exportProof: {
    argument: ({ lost, work }) => ({ txId: lost, file: join(work, "proof.json") }),
    refused: "PROOF_MISSING",
  },
  watchIncoming: { argument: ({ other }) => ({ address: other, label: "Rent" }), changes: ["incoming"] },
  stopWatchingIncoming: { argument: ({ watch }) => ({ id: watch }), changes: ["incoming"] },
  resumeWatching: { argument: ({ stopped }) => ({ id: stopped }), changes: ["incoming"] },
  removeIncoming: { argument: ({ stopped }) => ({ id: stopped }), changes: ["incoming"] },
  watchEvents: { argument: ({ contract }) => ({ contract, label: "Vault" }), changes: ["incoming"] },
  showEvents: { argument: ({ watch }) => ({ id: watch }), refused: "the watch is for payments" },
  exportEvents: { argument: ({ work }) => ({ file: join(work, "events.csv") }), changes: ["files"] },
  agentTools: { argument: () => nothing, changes: ["settings"], asks: [/^Turn on the tools for agents\?/] },
  discardProposal: {
    argument: ({ proposals }) => ({ id: proposals[1] }),
    changes: ["files"],
    asks: [/^Discard this proposal\? Proposed by “Scout”: 7 coins/],
  },
  exportIncoming: { argument: ({ work }) => ({ file: join(work, "incoming.csv") }), changes: ["files"] },
  saveCostSnapshot: { argument: () => nothing, refused: "there is no call" },
  toggleEnergyHints: { argument: () => nothing, changes: ["settings"] },
  chooseCaller: { argument: ({ owner }) => ({ account: owner }), changes: ["settings"] },
  forgetAnswers: { argument: () => nothing, changes: ["settings"] },
  showNoticesAgain: { argument: () => nothing, refused: "no notice is hidden" },
};

/** Effects that can change each part of the state. */
const EFFECTS_OF: { readonly [P in Part]: readonly Effect[] } = {
  accounts: ["creates", "renames", "marks", "deletes"],
  names: ["renames", "deletes"],
  networks: ["creates", "redirects", "marks", "replaces", "deletes"],
  "active network": ["redirects"],
  credentials: ["creates", "renames", "replaces", "redirects", "deletes"],
  settings: ["replaces", "deletes"],
  files: ["creates", "replaces", "deletes"],
  journal: ["creates", "signs", "sends", "deletes"],
  incoming: ["creates", "deletes"],
  contracts: ["creates", "deletes"],
  broadcasts: ["sends"],
};

/** Buttons that change nothing. */
const SAFE = /^(?:Do Nothing|Do Not (?:Send|Sign|Use It|Replace)|Show First Payment|Not Yet|Set Fee Limit.*)$/;
const PEM = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();

function callOf({ contract, owner }: TestValues): object {
  return { contract, function: "stop", arguments: [], from: owner };
}

function ofStake({ owner }: TestValues): object {
  return { from: owner, resource: "energy", amount: "5" };
}

function textOf(dialog: Shown | undefined): string {
  return dialog === undefined ? "" : [dialog.title, dialog.detail, dialog.buttons.join(", ")].join("\n");
}

/** Input of the user in each dialog. */
type Answer = "Enter" | "Escape" | "yes";

describe("commands called by programs", function () {
  this.timeout(120_000);
  let folder: string;
  let chain: LocalChain;
  let gateway: CountingGateway;
  let editor: Editor;
  let values: TestValues;
  let currentState: () => Standing;
  let answer: Answer = "yes";
  const subscriptions: { dispose(): void }[] = [];

  const user = ({ modal, buttons }: Shown): string | undefined => {
    if (!modal || answer === "Escape") return undefined;
    return answer === "Enter" ? buttons[0] : buttons.find((it) => !SAFE.test(it));
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-programs-"));
    const [storage, workspace] = [join(folder, "storage"), join(folder, "work")];
    for (const it of [storage, workspace]) mkdirSync(it);
    openFolder(workspace);
    chain = await startLocalChain({ blockTimeMs: 0, seed: "programs", parameters: EVERY_STAKE_VOTES });
    const kinds = await EveryKind.prepare(testChainOf(chain.simulation), [1]);
    gateway = await CountingGateway.open(chain.baseUrl);
    const { activate } = await loadProgramsExtension();
    editor = new Editor(
      new Map<string, unknown>([
        ["finality.networks", networks()],
        ["finality.activeNetwork", "Shop"],
      ]),
      user,
    );
    mountEditor(editor);
    const [state, secrets] = [new Map<string, unknown>(), new Map<string, string>()];
    secrets.set("finality.apiKey.nile", printBoundSecret({ value: "of before", origins: ["https://before.test"] }));
    const context = contextOf(storage, state, secrets);
    activate(context as never);
    subscriptions.push(...(context.subscriptions as { dispose(): void }[]));
    const window = { editor, state, secrets, storage, workspace, broadcasts: () => gateway.broadcasts };
    currentState = () => whatStands(window);
    values = await prepare(kinds, workspace, new ProposalFolder(join(storage, "proposals")));
  });

  after(async () => {
    for (const it of subscriptions.reverse()) it.dispose();
    await gateway.close();
    await chain.close();
    await rm(folder, { recursive: true, force: true });
  });

  const elsewhere = (): string => gateway.baseUrl.replace("127.0.0.1", "localhost");

  function networks(): readonly object[] {
    const shop = { name: "Shop", baseUrl: gateway.baseUrl, fallbackUrls: [elsewhere()] };
    return [
      shop,
      { name: "Other", baseUrl: gateway.baseUrl },
      { name: "Gone", baseUrl: gateway.baseUrl },
      { name: "Bank", baseUrl: gateway.baseUrl, audience: "bank" },
      { name: "Gated", baseUrl: gateway.baseUrl, jwt: true, audience: "shop", keyId: "first" },
    ];
  }

  async function prepare(kinds: EveryKind, work: string, proposed: ProposalFolder): Promise<TestValues> {
    const [{ address, keys, contract } = assert.fail("there is no owner")] = kinds.owners;
    const [key = assert.fail("there is no key")] = keys;
    const [one, , two] = chain.ready.accounts;
    assert.ok(one && two);
    const [owner, other] = [toBase58(address), one.address];
    await run("importSigningKey", { privateKey: bytesToHex(key), label: "Owner" });
    await run("addWatchOnlyAddress", { address: FRESH, label: "Shop" });
    await run("nameAddress", { address: two.address, name: "Treasury" });
    const till = (await run("generateSigningKey", { label: "Till" })) as { readonly address: string };
    for (const name of ["first", "second"]) await run("createJwtKey", { network: "Gated", name, keyId: name });
    const jwt = (await run("jwtKeys", { network: "Gated" })) as readonly { readonly id: string }[];
    const pay = async (amount: string, mode: CountingGateway["mode"]): Promise<string> => {
      gateway.mode = mode;
      const { txId } = (await run("sendCoins", { from: owner, to: other, amount })) as { readonly txId: string };
      gateway.mode = "pass";
      return txId;
    };
    const final = await pay("2", "pass");
    kinds.chain.mine(30);
    await run("lookNow", { txId: final });
    const [lost, refused] = [await pay("3", "lost"), await pay("4", "refused")];
    const watches = await Promise.all(
      [owner, other].map(async (it) => ((await run("watchIncoming", { address: it })) as { readonly id: string }).id),
    );
    const propose = async (amount: bigint): Promise<string> => {
      const intent = { kind: "transfer", owner: address, to: parseAddress(one.hex), amount: sun(amount) } as const;
      return (await proposed.add({ at: 1, agent: "Scout", network: "Shop", intent, note: "rent" })).id;
    };
    const proposals = [await propose(6_000_000n), await propose(7_000_000n)];
    const unsigned: string[] = [];
    for (let amount = 0; amount < 10; amount++) {
      const body = { owner_address: address, to_address: one.hex, amount: amount + 1 };
      unsigned.push(JSON.stringify(await kinds.chain.ask("/wallet/createtransaction", body)));
    }
    const { witnesses } = await kinds.chain.ask("/wallet/listwitnesses");
    const [witness] = witnesses as unknown as readonly { readonly address: string }[];
    writeFileSync(
      join(work, "tronbox.js"),
      `module.exports = { networks: { nile: { fullHost: "https://api.trongrid.io", privateKey: "${"7".repeat(64)}" } } };`,
    );
    return {
      owner,
      other,
      treasury: two.address,
      contract: toBase58(contract),
      witness: witness?.address ?? "",
      final,
      lost,
      refused,
      watch: watches[0] ?? "",
      stopped: watches[1] ?? "",
      unsigned: (amount) => unsigned[amount] ?? "",
      privateKey: "5".repeat(64),
      till: till.address,
      jwt: jwt.map(({ id }) => id),
      elsewhere: elsewhere(),
      proposals,
      work,
    };
  }

  function run(command: string, argument: object): Promise<unknown> {
    return editor.run(`finality.${command}`, argument);
  }

  /** Returns the tree item of a transaction. */
  async function rowOf(txId: string): Promise<object> {
    const view = trees.get("finality.transactions") ?? assert.fail("there is no view");
    for (const group of await view.getChildren()) {
      const row = (await view.getChildren(group)).find((it) => (it as { readonly txId?: string }).txId === txId);
      if (row !== undefined) return row;
    }
    return assert.fail(`${txId} is not listed`);
  }

  /** Runs a command and answers its dialogs. Returns the dialogs, the changed state and the error. */
  async function call(command: string, argument: object, how: Answer) {
    const [before, shown] = [currentState(), editor.shown.length];
    answer = how;
    const error = await run(command, argument).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    answer = "yes";
    const dialogs = editor.shown.slice(shown).filter(({ modal, buttons }) => modal && buttons.length > 0);
    return { dialogs, changed: differences(before, currentState()), error };
  }

  const all = Object.values(commandIds)
    .flat()
    .map((id) => [id, id.slice("finality.".length) as CommandName] as const);

  it("have a case each", () => {
    assert.deepEqual(Object.keys(CASES).sort(), all.map(([, name]) => name).sort());
  });

  it("declare an effect for each part of the state that they change", () => {
    for (const [id, name] of all) {
      const { confirmation, effects } = commandTable[id].others;
      assert.equal(effects.length === 0, confirmation === "harmless", id);
      for (const part of CASES[name].changes ?? [])
        assert.ok(
          EFFECTS_OF[part].some((it) => effects.includes(it)),
          `${id} changes ${part}`,
        );
    }
  });

  it("are gated where the command table requires it", () => {
    const gated = all.filter(([id]) => commandTable[id].others.why === BEFORE_IT_RUNS);
    assert.deepEqual(gated.map(([id]) => id).sort(), Object.keys(gatedCommands).sort());
    for (const [id] of gated) {
      const { title, isFreeOnLocalChain = false } = gatedCommands[id] ?? assert.fail(id);
      const { confirmation } = commandTable[id].others;
      assert.deepEqual([title, isFreeOnLocalChain], [commandTable[id].title, confirmation === "asks on real networks"]);
    }
  });

  for (const [id, name] of all) {
    const { others } = commandTable[id];
    for (const how of ["Enter", "Escape"] as const) {
      it(`A1, A2, A4: ${name} changes nothing when the user presses ${how}`, async () => {
        const { argument, changes } = CASES[name];
        for (const kind of [undefined, "row"]) {
          const { changed, dialogs } = await call(name, { ...argument(values), ...(kind && { kind }) }, how);

          assert.deepEqual(changed, [], kind);
          if (changes !== undefined && kind === undefined) assert.notDeepEqual(dialogs, [], "no dialog was shown");
          if (others.confirmation === "harmless") assert.deepEqual(dialogs, [], kind);
        }
      });
    }
  }

  it("A4: confirms a change of the ID of the JWT key in use", async () => {
    const { changed, dialogs } = await call("editNetwork", { network: "Gated", keyId: "WRONG" }, "Enter");

    assert.deepEqual(changed, []);
    assert.match(textOf(dialogs[0]), /^Change the ID \(kid\) of the JWT key “first” of Gated\?/);
  });

  it("A7: send no bytes for a tree item without confirmation", async () => {
    const row = await rowOf(values.lost);

    for (const command of ["sendSameBytesAgain", "sendToAnotherNode"]) {
      const { changed, dialogs } = await call(command, row, "Enter");
      assert.deepEqual(changed, []);
      if (command === "sendSameBytesAgain") assert.deepEqual(dialogs[0]?.buttons, ["Do Not Send", "Send Again"]);
    }
    const { dialogs, changed } = await call("removeSigningKey", { kind: "account", address: values.till }, "Enter");
    assert.deepEqual([changed, dialogs[0]?.buttons], [[], ["Do Nothing", "Remove"]]);
  });

  for (const [name, { argument, changes = [], asks = [], refused }] of Object.entries<CommandCase>(CASES)) {
    it(`A1, A2, A4, A11: ${name} changes only the listed state after confirmation`, async () => {
      const { changed, dialogs, error } = await call(name, argument(values), "yes");

      assert.deepEqual([...changed].sort(), [...changes].sort(), String(error));
      assert.equal(error === undefined || refused !== undefined, true, String(error));
      for (const [index, text] of asks.entries()) assert.match(textOf(dialogs[index]), text);
    });
  }

  it("A1: cannot change the address that the user named", async () => {
    const named = (await run("watchIncoming", { address: "Treasury" })) as { readonly address: string };

    assert.equal(named.address, values.treasury);
    const again = await call("connectBrowserWallet", { address: EVIL, label: "Owner" }, "yes");
    assert.match(textOf(again.dialogs[0]), new RegExp(`^Add ${EVIL} as “Treasury \\d”`));
  });
});
