import { t } from "@vscode/l10n";
import type { CommandId, CommandIdOf } from "../contributions.ts";

/**
 * Behaviour of a command when a program calls it with a complete argument. `asks` acts only after a dialog, `asks on
 * real networks` except on the proven local chain. `acts on the local chain` can change nothing else; `harmless`
 * changes no user data.
 */
type Confirmation = "asks" | "asks on real networks" | "acts on the local chain" | "harmless";

/** A kind of change of accounts, names, networks, credentials, settings, files or transactions. */
export type Effect =
  | "creates"
  | "renames"
  | "replaces"
  | "redirects"
  | "marks"
  | "signs"
  | "sends"
  | "reveals"
  | "deletes";

/** Behaviour of a command that a program calls. */
interface ProgramCall {
  readonly confirmation: Confirmation;
  /** All effects after the user agrees. */
  readonly effects: readonly Effect[];
  /** The question, or the reason why none is needed. */
  readonly why: string;
}

/** Presentation of a command, and its behaviour when a program calls it. */
export interface CommandRow {
  /** In title case, with an ellipsis when it asks for something before it acts. */
  readonly title: string;
  /** Name of a codicon. */
  readonly icon?: string;
  /** `when` clause that enables the command. */
  readonly enablement?: string;
  /** `when` clause that lists the command in the Command Palette. */
  readonly palette?: string;
  readonly others: ProgramCall;
}

const asks = (why: string, ...effects: readonly Effect[]): ProgramCall => ({
  confirmation: "asks",
  effects,
  why,
});
export const BEFORE_IT_RUNS = t`with all arguments, before it runs`;
/** Behaviour of the commands in `gatedCommands`. */
const asksFirst = (...effects: readonly Effect[]): ProgramCall => ({
  confirmation: "asks",
  effects,
  why: BEFORE_IT_RUNS,
});
/** Like `asksFirst`, except on the local chain. */
const asksFirstOnReal = (...effects: readonly Effect[]): ProgramCall => ({
  ...asksFirst(...effects),
  confirmation: "asks on real networks",
});
const asksOnReal = (why: string, ...effects: readonly Effect[]): ProgramCall => ({
  confirmation: "asks on real networks",
  effects,
  why,
});
const harmless = (why: string): ProgramCall => ({ confirmation: "harmless", effects: [], why });
const signs = asksOnReal(t`the review of what is signed`, "creates", "signs", "sends");
/** A signature can move tokens on every chain, so no caller and no chain is without its review. */
const signsMessage = asks(t`the review of what is signed`, "signs");
const sendsAgain = asksOnReal(t`before the signed bytes are sent`, "sends");
const ON_LOCAL_CHAIN = "acts on the local chain";
const ofLocalChain: ProgramCall = {
  confirmation: ON_LOCAL_CHAIN,
  effects: ["creates", "replaces", "redirects", "deletes"],
  why: t`only the local chain and its own accounts are affected`,
};
const shows = harmless(t`shows something, changes nothing`);
const reads = harmless(t`reads, changes nothing`);
const clipboard = harmless(t`writes the clipboard; no secret`);

/**
 * True before activation if the settings contain a network. Context keys are not set yet, and a command that the
 * palette hides cannot activate the extension, so these commands stay visible.
 */
const ASLEEP = "!finality.awake && config.finality.networks =~ /baseUrl/";

/** Returns a clause that also holds before activation. */
const known = (clause: string): string => `(${clause} || ${ASLEEP})`;

const HAS_NETWORK = known("finality.hasNetwork");
const TRUSTED = "isWorkspaceTrusted";
/** Networks that the user added: the local chain has no credentials and no fields to edit. */
const OWN_NETWORK = known("finality.hasOwnNetwork");
/** Networks that the user added with https: a client certificate is never sent unencrypted. */
const HTTPS_NETWORK = known("finality.hasHttpsNetwork");
/** Networks that can have JWT keys: the user's own, or the local chain while it requires tokens. */
const JWT_NETWORK = known("finality.hasOwnNetwork || finality.hasJwtNetwork");
/** Networks whose requests carry tokens, or did. The clause does not reveal whether a key is stored. */
const JWT_KEYS = known("finality.hasJwtNetwork");
const HAS_ACCOUNT = known("finality.hasAccount");
const HAS_KEY = known("finality.hasKey");
const HAS_OWN_KEY = known("finality.hasOwnKey");
/** True if the user turned on the tools for agents. */
const AGENTS_ON = "config.finality.agents.enabled";
const HAS_WATCH = known("finality.hasWatch");
const HAS_STOPPED_WATCH = known("finality.hasStoppedWatch");
/** True if events of a contract are or were watched. */
const HAS_EVENTS = known("finality.hasEvents");
/** True while incoming payments or events are watched. */
const IS_WATCHING = known("finality.isWatching");
/** True if the list has a transaction. */
const LISTED = known("finality.hasTransaction");
const FILTERED = known("finality.transactionsFiltered");
const CAN_UNDO = known("finality.canUndoRemove");
const HAS_EXPLORER = known("finality.hasExplorer");
const HAS_HIDDEN_NOTICE = known("finality.hasHiddenNotice");
/** True if a run was traced, if there is one before it, or if its energy is shown. */
const ofLineEnergy = (state: string): string => known(String.raw`finality.lineEnergy =~ /\+${state}\b/`);
/** True if a transaction of the list has this flag. */
const listed = (flag: string): string => known(String.raw`finality.listed =~ /\+${flag}\b/`);
/** True if the active network has an account with a key or an external signer. */
const CAN_SIGN = known("finality.canSign");
const SENDS = `${CAN_SIGN} && ${TRUSTED}`;
const SENDS_LISTED = `${LISTED} && ${TRUSTED}`;
const whileSending = { enablement: SENDS, others: signs };
const CHAIN_RUNS = "finality.localChainRunning";
const whileChainRuns = { enablement: CHAIN_RUNS, palette: CHAIN_RUNS };
const WHERE_CALLS_ARE = [
  "editorLangId =~ /^(type|java)script(react)?$|^solidity$/",
  String.raw`resourceFilename =~ /\.(sol|finality\.jsonc)$/`,
].join(" || ");

type Here =
  | "documentation"
  | "localChain"
  | "networks"
  | "jwtKeys"
  | "signingKeys"
  | "accountsView"
  | "addressNames"
  | "editor";

/** Commands for the local chain, networks, keys and accounts. */
const setupCommandTable: { readonly [Id in CommandIdOf<Here>]: CommandRow } = {
  "finality.startLocalChain": {
    title: t`Start Local Chain`,
    icon: "play",
    enablement: "!finality.localChainRunning",
    palette: "!finality.localChainRunning",
    others: ofLocalChain,
  },
  "finality.forkNetwork": {
    title: t`Fork Network Locally…`,
    icon: "repo-forked",
    others: asks(t`before a fork takes the place of the local chain`, "replaces", "redirects"),
  },
  "finality.stopLocalChain": {
    title: t`Stop Local Chain`,
    icon: "debug-stop",
    ...whileChainRuns,
    others: ofLocalChain,
  },
  "finality.localChainFaults": { title: t`Local Chain Faults…`, icon: "zap", ...whileChainRuns, others: ofLocalChain },
  "finality.localChainMine": {
    title: t`Mine Blocks…`,
    icon: "debug-step-over",
    ...whileChainRuns,
    others: ofLocalChain,
  },
  "finality.localChainWarp": { title: t`Warp Time…`, icon: "history", ...whileChainRuns, others: ofLocalChain },
  "finality.localChainSnapshot": {
    title: t`Take Snapshot…`,
    icon: "device-camera",
    ...whileChainRuns,
    others: ofLocalChain,
  },
  "finality.localChainRestore": {
    title: t`Restore Snapshot…`,
    icon: "discard",
    ...whileChainRuns,
    others: ofLocalChain,
  },
  "finality.localChainReset": {
    title: t`Reset Local Chain`,
    icon: "debug-restart",
    ...whileChainRuns,
    others: asks(t`before blocks and transactions of the chain are deleted`, "deletes"),
  },
  "finality.localChainAccess": { title: t`Local Chain Access…`, icon: "lock", others: ofLocalChain },
  "finality.addNetwork": {
    title: t`Add Network…`,
    icon: "add",
    others: asks(
      t`with name, URL and the real-money setting; before stored keys of an earlier network with this name are deleted, and before http in a private network`,
      "creates",
      "redirects",
      "marks",
      "deletes",
    ),
  },
  "finality.editNetwork": {
    title: t`Edit Network…`,
    enablement: OWN_NETWORK,
    icon: "edit",
    others: asks(
      t`before anything of a network changes, and before http in a private network`,
      "redirects",
      "marks",
      "replaces",
    ),
  },
  "finality.switchNetwork": {
    title: t`Switch Network…`,
    icon: "plug",
    others: asksOnReal(t`before another network is active`, "redirects"),
  },
  "finality.removeNetwork": {
    title: t`Remove Network…`,
    enablement: OWN_NETWORK,
    others: asks(t`before a network is removed, with its keys`, "deletes"),
  },
  "finality.testConnection": {
    title: t`Test Connection`,
    enablement: HAS_NETWORK,
    icon: "radio-tower",
    others: harmless(t`keys are sent only to the origins that they were entered for`),
  },
  "finality.setClientCertificate": {
    title: t`Set Client Certificate…`,
    enablement: HTTPS_NETWORK,
    others: asks(t`which file is sent to which host, before it is stored or removed`, "reveals", "replaces", "deletes"),
  },
  "finality.importNetworks": {
    title: t`Import Networks…`,
    enablement: `${TRUSTED} && workspaceFolderCount > 0`,
    icon: "cloud-download",
    others: asks(
      t`with names and URLs, before networks are added; before private keys become accounts, before stored keys of an earlier network are deleted, and before http`,
      "creates",
      "marks",
      "deletes",
    ),
  },
  "finality.createJwtKey": {
    title: t`Create JWT Key…`,
    enablement: JWT_NETWORK,
    others: asksFirstOnReal("creates", "marks"),
  },
  "finality.importJwtKey": {
    title: t`Import JWT Key…`,
    enablement: JWT_NETWORK,
    others: asksFirstOnReal("creates", "marks"),
  },
  "finality.jwtKeys": { title: t`JWT Keys…`, enablement: JWT_NETWORK, icon: "key", others: shows },
  "finality.renameJwtKey": {
    title: t`Rename JWT Key…`,
    enablement: JWT_KEYS,
    icon: "edit",
    others: asksOnReal(t`before the name or the ID of a key changes`, "renames", "redirects"),
  },
  "finality.useJwtKey": {
    title: t`Use JWT Key…`,
    enablement: JWT_KEYS,
    icon: "pass",
    others: asksOnReal(t`before another key is used`, "redirects", "marks"),
  },
  "finality.removeJwtKey": {
    title: t`Remove JWT Key…`,
    enablement: JWT_KEYS,
    icon: "trash",
    others: asksOnReal(t`before a JWT key is deleted`, "deletes"),
  },
  "finality.rotateJwtKey": {
    title: t`Rotate JWT Key…`,
    enablement: JWT_KEYS,
    icon: "sync",
    others: asksOnReal(
      t`before a new key is created, before it is used, and before the old one is deleted`,
      "creates",
      "redirects",
      "deletes",
    ),
  },
  "finality.inspectToken": {
    title: t`Inspect Token`,
    enablement: JWT_KEYS,
    icon: "eye",
    others: harmless(t`shows header and payload of a token, never its signature`),
  },
  "finality.setTokenLifetime": {
    title: t`Set Token Lifetime…`,
    enablement: JWT_KEYS,
    others: asksOnReal(t`before it changes`, "replaces"),
  },
  "finality.setApiKey": {
    title: t`Set API Key…`,
    enablement: OWN_NETWORK,
    others: asks(t`before an API key is stored, replaced or removed`, "creates", "replaces", "deletes"),
  },
  "finality.generateSigningKey": {
    title: t`Generate Signing Key…`,
    icon: "add",
    others: asks(t`with the whole address and the name`, "creates", "renames"),
  },
  "finality.importSigningKey": {
    title: t`Import Signing Key…`,
    others: asks(
      t`with the whole address and the name, and before another key of its address is replaced`,
      "creates",
      "renames",
      "replaces",
    ),
  },
  "finality.exportSigningKey": {
    title: t`Export Signing Key…`,
    enablement: HAS_KEY,
    others: asks(t`always, and a word must be typed; the caller gets no key`, "reveals"),
  },
  "finality.changeKeyPolicy": {
    title: t`Change Key Policy…`,
    enablement: HAS_OWN_KEY,
    icon: "shield",
    others: asks(t`before the policy changes`, "marks"),
  },
  "finality.removeSigningKey": {
    title: t`Remove Signing Key…`,
    enablement: HAS_ACCOUNT,
    icon: "trash",
    others: asksOnReal(t`before an account is removed, with its key`, "deletes"),
  },
  "finality.addWatchOnlyAddress": {
    title: t`Add Watch-Only Address…`,
    icon: "eye",
    others: asks(t`with the whole address and the name; a known account keeps its name`, "creates", "renames"),
  },
  "finality.connectBrowserWallet": {
    title: t`Connect Browser Wallet…`,
    icon: "browser",
    others: asks(t`with the whole address and the name; a known account keeps its name`, "creates", "renames", "marks"),
  },
  "finality.copyAddress": { title: t`Copy Address`, enablement: HAS_ACCOUNT, icon: "copy", others: clipboard },
  "finality.refreshAccounts": {
    title: t`Refresh Accounts`,
    enablement: `${HAS_NETWORK} && ${HAS_ACCOUNT} && ${TRUSTED}`,
    icon: "refresh",
    others: reads,
  },
  "finality.showBalance": { title: t`Show Balance…`, enablement: `${HAS_NETWORK} && ${HAS_ACCOUNT}`, others: reads },
  "finality.nameAddress": {
    title: t`Name Address…`,
    icon: "book",
    others: asks(t`with the whole address, before a name from a program is stored`, "renames", "deletes"),
  },
  "finality.showMenu": { title: t`Show Menu…`, icon: "menu", others: shows },
  "finality.showLog": { title: t`Show Log`, icon: "output", others: shows },
  "finality.openWalkthrough": { title: t`Open Walkthrough`, icon: "mortar-board", others: shows },
  "finality.openDocumentation": { title: t`Open Documentation…`, icon: "book", others: shows },
  "finality.showNoticesAgain": {
    title: t`Show Hidden Notices Again`,
    enablement: HAS_HIDDEN_NOTICE,
    others: asksFirst("replaces"),
  },
};

/**
 * All commands in the order of the documentation. `npm run commands` writes them to `package.json`, `package.nls.json`
 * and `docs/commands.md`; a test compares them.
 */
export const commandTable: { readonly [Id in CommandId]: CommandRow } = {
  ...setupCommandTable,
  "finality.sendCoins": {
    title: t`Send Coins…`,
    icon: "send",
    enablement: SENDS,
    others: signs,
  },
  "finality.trackTransaction": {
    title: t`Track Transaction…`,
    icon: "search",
    enablement: HAS_NETWORK,
    others: asksFirstOnReal("creates", "renames"),
  },
  "finality.sendSigned": {
    title: t`Send Signed Transaction`,
    palette: listed("sendable"),
    enablement: SENDS_LISTED,
    icon: "send",
    others: sendsAgain,
  },
  "finality.sendSameBytesAgain": {
    title: t`Send Same Bytes Again`,
    palette: listed("resendable"),
    enablement: SENDS_LISTED,
    icon: "debug-restart",
    others: sendsAgain,
  },
  "finality.copyTxId": { title: t`Copy txID`, enablement: LISTED, icon: "copy", others: clipboard },
  "finality.openInExplorer": {
    title: t`Open in Explorer`,
    palette: listed("explorable"),
    enablement: HAS_EXPLORER,
    icon: "link-external",
    others: harmless(t`opens the page of a txID or an address at the explorer of the settings`),
  },
  "finality.lookNow": {
    title: t`Check Now`,
    palette: listed("moving"),
    enablement: LISTED,
    icon: "refresh",
    others: reads,
  },
  "finality.showTransaction": { title: t`Show in List`, icon: "go-to-file", palette: "false", others: shows },
  "finality.removeFromList": {
    title: t`Remove from List`,
    enablement: LISTED,
    icon: "close",
    others: asksOnReal(t`before it leaves the list; the journal keeps it`, "deletes"),
  },
  "finality.removeSelected": {
    title: t`Remove Selected`,
    enablement: LISTED,
    palette: "false",
    others: asks(t`with the selected transactions; the journal keeps them`, "deletes"),
  },
  "finality.clearFinal": {
    title: t`Clear Final…`,
    palette: listed("final"),
    enablement: LISTED,
    icon: "clear-all",
    others: asks(t`with the number of transactions; the journal keeps them`, "deletes"),
  },
  "finality.undoRemove": {
    title: t`Undo Remove`,
    enablement: CAN_UNDO,
    palette: CAN_UNDO,
    icon: "discard",
    others: asksFirst("creates"),
  },
  "finality.groupTransactions": { title: t`Group Transactions…`, icon: "group-by-ref-type", others: shows },
  "finality.filterTransactions": { title: t`Filter Transactions…`, enablement: LISTED, icon: "filter", others: shows },
  "finality.clearTransactionFilter": {
    title: t`Clear Filter`,
    icon: "close",
    enablement: FILTERED,
    palette: FILTERED,
    others: shows,
  },
  "finality.showMoreTransactions": { title: t`Show More Transactions`, palette: "false", others: shows },
  "finality.editNote": {
    title: t`Edit Note…`,
    enablement: LISTED,
    icon: "note",
    others: asks(t`with the text, before a note is saved or removed`, "replaces"),
  },
  "finality.exportTransactions": {
    title: t`Export Transactions…`,
    enablement: LISTED,
    icon: "export",
    others: asks(t`before a file is written; never overwrites a file`, "creates"),
  },
  "finality.createReplacement": {
    title: t`Create Replacement…`,
    palette: listed("replaceable"),
    enablement: SENDS_LISTED,
    icon: "arrow-swap",
    others: signs,
  },
  "finality.doItAgain": {
    title: t`Retry as New Transaction…`,
    palette: listed("again"),
    enablement: SENDS_LISTED,
    icon: "redo",
    others: signs,
  },
  "finality.exportProof": {
    title: t`Export Proof…`,
    palette: listed("proven"),
    enablement: LISTED,
    icon: "export",
    others: asks(t`before a file is written; never overwrites a file`, "creates"),
  },
  "finality.stake": { title: t`Stake…`, icon: "lock", ...whileSending },
  "finality.unstake": { title: t`Unstake…`, icon: "unlock", ...whileSending },
  "finality.withdrawUnstaked": { title: t`Withdraw Unstaked…`, icon: "arrow-circle-down", ...whileSending },
  "finality.cancelUnstakes": { title: t`Cancel All Unstakes…`, ...whileSending },
  "finality.delegate": { title: t`Delegate…`, ...whileSending },
  "finality.undelegate": { title: t`Undelegate…`, icon: "arrow-circle-left", ...whileSending },
  "finality.vote": { title: t`Vote…`, icon: "checklist", ...whileSending },
  "finality.withdrawReward": { title: t`Withdraw Reward…`, icon: "arrow-circle-down", ...whileSending },
  "finality.sendTrc10": { title: t`Send Tokens (TRC-10)…`, icon: "send", ...whileSending },
  "finality.createAccount": { title: t`Create Account on Chain…`, ...whileSending },
  "finality.updateAccountName": { title: t`Update Account Name…`, ...whileSending },
  "finality.setCallersShare": { title: t`Set Callers' Share of Energy…`, ...whileSending },
  "finality.setEnergyLimit": { title: t`Set Energy Limit of Contract…`, ...whileSending },
  "finality.clearAbi": { title: t`Clear ABI of Contract…`, ...whileSending },
  "finality.showPermissions": { title: t`Show Permissions…`, icon: "shield", enablement: HAS_NETWORK, others: reads },
  "finality.editPermissions": { title: t`Edit Permissions…`, icon: "shield", ...whileSending },
  "finality.showSignatures": {
    title: t`Show Signatures…`,
    palette: listed("signed"),
    enablement: LISTED,
    icon: "checklist",
    others: reads,
  },
  "finality.signMessage": { title: t`Sign Message…`, icon: "edit", enablement: SENDS, others: signsMessage },
  "finality.signTypedData": { title: t`Sign Typed Data…`, icon: "edit", enablement: SENDS, others: signsMessage },
  "finality.verifySignature": { title: t`Verify Signature…`, icon: "verified", others: reads },
  "finality.exportForSignature": {
    title: t`Export for Signature…`,
    palette: `${HAS_NETWORK} && ${HAS_ACCOUNT}`,
    enablement: TRUSTED,
    icon: "export",
    others: asksOnReal(t`the review of the exported transaction`, "creates", "signs", "reveals"),
  },
  "finality.addSignature": {
    title: t`Add Signature…`,
    palette: CAN_SIGN,
    enablement: TRUSTED,
    icon: "edit",
    others: signs,
  },
  "finality.importSignedTransaction": {
    title: t`Import Signed Transaction…`,
    enablement: `${HAS_NETWORK} && ${TRUSTED}`,
    icon: "file-symlink-file",
    others: asksOnReal(t`the review of the imported transaction, and before it is sent`, "creates", "sends"),
  },
  "finality.signAgain": {
    title: t`Sign Again…`,
    palette: listed("signable"),
    enablement: SENDS_LISTED,
    icon: "edit",
    others: signs,
  },
  "finality.watchIncoming": {
    title: t`Watch Incoming…`,
    icon: "inbox",
    enablement: HAS_NETWORK,
    others: asksFirstOnReal("creates", "renames"),
  },
  "finality.stopWatchingIncoming": {
    title: t`Stop Watching…`,
    enablement: IS_WATCHING,
    icon: "debug-stop",
    others: asksOnReal(t`before it stops; payments and events that it found stay in the list`, "deletes"),
  },
  "finality.resumeWatching": {
    title: t`Resume Watching…`,
    enablement: HAS_STOPPED_WATCH,
    icon: "debug-continue",
    others: asksOnReal(t`before blocks are read again`, "creates"),
  },
  "finality.removeIncoming": {
    title: t`Remove Watch from List…`,
    enablement: HAS_WATCH,
    icon: "close",
    others: asksOnReal(t`before it leaves the list; the file of the extension keeps it`, "deletes"),
  },
  "finality.exportIncoming": {
    title: t`Export Incoming…`,
    enablement: HAS_WATCH,
    icon: "export",
    others: asks(t`before a file is written; never overwrites a file`, "creates"),
  },
  "finality.watchEvents": {
    title: t`Watch Events…`,
    icon: "broadcast",
    enablement: HAS_NETWORK,
    others: asksFirstOnReal("creates"),
  },
  "finality.showEvents": {
    title: t`Show Events`,
    enablement: HAS_EVENTS,
    icon: "list-filter",
    others: shows,
  },
  "finality.exportEvents": {
    title: t`Export Events…`,
    enablement: HAS_EVENTS,
    icon: "export",
    others: asks(t`before a file is written; never overwrites a file`, "creates"),
  },
  "finality.agentTools": {
    title: t`Agent Tools…`,
    icon: "robot",
    enablement: TRUSTED,
    others: asks(t`before the tools are turned on or off`, "replaces"),
  },
  "finality.reviewProposal": {
    title: t`Review Proposal…`,
    icon: "inspect",
    enablement: `${AGENTS_ON} && ${TRUSTED}`,
    others: asks(t`the review of what is signed, also on the local chain`, "creates", "signs", "sends"),
  },
  "finality.discardProposal": {
    title: t`Discard Proposal`,
    icon: "trash",
    enablement: AGENTS_ON,
    others: asks(t`before the proposal is discarded`, "deletes"),
  },
  "finality.deployContract": { title: t`Deploy Contract…`, enablement: SENDS, icon: "rocket", others: signs },
  "finality.callContract": { title: t`Call Contract…`, enablement: SENDS, icon: "play", others: signs },
  "finality.readContract": { title: t`Read Contract…`, enablement: HAS_NETWORK, icon: "eye", others: reads },
  "finality.copyValue": { title: t`Copy Value`, palette: "false", others: clipboard },
  "finality.transferTokens": { title: t`Transfer Tokens (TRC-20)…`, enablement: SENDS, others: signs },
  "finality.approveTokens": { title: t`Approve Tokens (TRC-20)…`, enablement: SENDS, others: signs },
  "finality.tokenBalance": { title: t`Token Balance (TRC-20)…`, enablement: HAS_NETWORK, others: reads },
  "finality.showResult": {
    title: t`Show Result`,
    palette: listed("result"),
    enablement: LISTED,
    icon: "output",
    others: shows,
  },
  "finality.addContract": {
    title: t`Add Contract…`,
    enablement: HAS_NETWORK,
    icon: "add",
    others: asksFirst("creates", "renames"),
  },
  "finality.removeContract": {
    title: t`Remove Contract…`,
    enablement: HAS_NETWORK,
    icon: "trash",
    others: asksFirst("deletes"),
  },
  "finality.refreshContracts": {
    title: t`Refresh Contracts`,
    enablement: `${HAS_NETWORK} && ${TRUSTED}`,
    icon: "refresh",
    others: reads,
  },
  "finality.writeDeployments": {
    title: t`Write Deployments File…`,
    enablement: `${HAS_NETWORK} && ${TRUSTED} && workspaceFolderCount > 0`,
    palette: "workspaceFolderCount > 0",
    icon: "save",
    others: asksFirst("creates", "replaces"),
  },
  "finality.compareWithSource": {
    title: t`Compare with Source…`,
    enablement: `${HAS_NETWORK} && ${TRUSTED}`,
    icon: "diff",
    others: harmless(t`runs the compiler of the trusted workspace; changes nothing`),
  },
  "finality.exportStandardJson": {
    title: t`Export Standard JSON…`,
    enablement: `${HAS_NETWORK} && ${TRUSTED}`,
    icon: "export",
    others: asks(t`before a file is written; never overwrites a file`, "creates"),
  },
  "finality.deployProxy": { title: t`Deploy Behind Proxy…`, enablement: SENDS, icon: "rocket", others: signs },
  "finality.upgradeProxy": {
    title: t`Upgrade Proxy…`,
    enablement: SENDS,
    icon: "arrow-up",
    others: asks(t`the review of the upgrade, also on the local chain`, "creates", "signs", "sends"),
  },
  "finality.showTimeline": { title: t`Show Transaction`, enablement: LISTED, icon: "pulse", others: shows },
  "finality.copyReport": { title: t`Copy Report`, enablement: LISTED, icon: "clippy", others: clipboard },
  "finality.stopProof": {
    title: t`Stop Proof`,
    palette: listed("proving"),
    enablement: LISTED,
    icon: "debug-stop",
    others: harmless(t`read blocks are kept`),
  },
  "finality.resumeProof": {
    title: t`Resume Proof`,
    palette: listed("stopped"),
    enablement: LISTED,
    icon: "debug-continue",
    others: reads,
  },
  "finality.runFile": {
    title: t`Run File…`,
    icon: "play",
    enablement: SENDS,
    others: { ...signs, confirmation: "asks" },
  },
  "finality.showRuns": { title: t`Show Runs…`, others: reads },
  "finality.reviewRunFile": { title: t`Review Run File…`, icon: "checklist", others: reads },
  "finality.recheckProof": { title: t`Recheck Proof…`, icon: "verified", others: reads },
  "finality.sendToAnotherNode": {
    title: t`Send to Another Node…`,
    palette: listed("elsewhere"),
    enablement: SENDS_LISTED,
    icon: "remote",
    others: sendsAgain,
  },
  "finality.decode": { title: t`Decode Selection`, icon: "lightbulb", others: shows },
  "finality.decodeTransaction": {
    title: t`Decode This Transaction…`,
    icon: "symbol-ruler",
    enablement: HAS_NETWORK,
    others: reads,
  },
  "finality.traceTransaction": {
    title: t`Trace Transaction`,
    palette: listed("traceable"),
    enablement: HAS_NETWORK,
    icon: "list-flat",
    others: reads,
  },
  "finality.debugTransaction": {
    title: t`Debug Transaction`,
    palette: listed("traceable"),
    enablement: HAS_NETWORK,
    icon: "debug-alt",
    others: reads,
  },
  "finality.traceFailure": {
    title: t`Trace This Failure`,
    palette: "false",
    enablement: HAS_NETWORK,
    icon: "list-flat",
    others: reads,
  },
  "finality.showLineEnergy": {
    title: t`Show Energy per Line`,
    palette: ofLineEnergy("traced"),
    icon: "flame",
    others: shows,
  },
  "finality.compareLineEnergy": {
    title: t`Compare Energy per Line with Last Run`,
    palette: ofLineEnergy("comparable"),
    icon: "diff",
    others: shows,
  },
  "finality.hideLineEnergy": {
    title: t`Hide Energy per Line`,
    palette: ofLineEnergy("shown"),
    icon: "eye-closed",
    others: shows,
  },
  "finality.estimateEnergy": {
    title: t`Estimate Energy at Cursor`,
    enablement: HAS_NETWORK,
    icon: "zap",
    palette: WHERE_CALLS_ARE,
    others: reads,
  },
  "finality.refreshEstimates": {
    title: t`Refresh Estimates in File`,
    enablement: HAS_NETWORK,
    icon: "refresh",
    palette: WHERE_CALLS_ARE,
    others: reads,
  },
  "finality.toggleEnergyHints": {
    title: t`Toggle Energy Hints`,
    icon: "eye",
    others: asksFirst("replaces"),
  },
  "finality.saveCostSnapshot": {
    title: t`Save Cost Snapshot`,
    enablement: `${HAS_NETWORK} && ${TRUSTED} && workspaceFolderCount > 0`,
    icon: "save",
    palette: "workspaceFolderCount > 0",
    others: asksFirst("creates", "replaces"),
  },
  "finality.showEstimate": { title: t`Show Estimate Details`, icon: "info", palette: WHERE_CALLS_ARE, others: shows },
  "finality.traceCall": {
    title: t`Trace This Call`,
    enablement: HAS_NETWORK,
    icon: "list-flat",
    palette: WHERE_CALLS_ARE,
    others: reads,
  },
  "finality.debugCall": {
    title: t`Debug This Call`,
    enablement: HAS_NETWORK,
    icon: "debug-alt",
    palette: WHERE_CALLS_ARE,
    others: reads,
  },
  "finality.sendCallOfFile": {
    title: t`Send Call at Cursor…`,
    enablement: SENDS,
    icon: "play",
    palette: String.raw`resourceFilename =~ /\.finality\.jsonc$/`,
    others: signs,
  },
  "finality.chooseCaller": {
    title: t`Choose Caller of Estimates…`,
    enablement: HAS_ACCOUNT,
    icon: "account",
    others: asksFirst("replaces"),
  },
  "finality.forgetAnswers": {
    title: t`Forget Estimate Answers`,
    icon: "trash",
    others: asksFirst("deletes"),
  },
  "finality.decodeClipboard": {
    title: t`Decode from Clipboard…`,
    others: harmless(t`extensions can read the clipboard themselves; a link gets no result`),
  },
  "finality.decodeTerminal": { title: t`Decode Last Terminal Output`, others: shows },
  "finality.decodeDebugOutput": { title: t`Decode Last Debug Output`, others: shows },
  "finality.openDecoder": { title: t`Open Decoder`, icon: "symbol-ruler", others: shows },
};
