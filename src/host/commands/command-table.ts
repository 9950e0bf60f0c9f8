import type { CommandId } from "./command-ids.ts";

/**
 * What happens when somebody else than the person calls a command with all that it needs: another extension, a task
 * input, a keybinding, a link. `asks` acts only after a modal dialog; `asks on real networks` does so but for the local
 * chain with its own accounts; `harmless` shows no dialog.
 */
export type Confirmation = "asks" | "asks on real networks" | "harmless";

/** How a command answers to others. */
export interface CallByOthers {
  readonly confirmation: Confirmation;
  /** What is asked, or why nothing has to be. */
  readonly why: string;
}

/** How a command is shown, and what others can do with it. */
export interface CommandRow {
  /** In title case, with an ellipsis when it asks for something before it acts. */
  readonly title: string;
  /** The name of a codicon. */
  readonly icon?: string;
  /** The `when` clause without which it cannot be run. */
  readonly enablement?: string;
  /** The `when` clause without which the palette does not list it. */
  readonly palette?: string;
  readonly others: CallByOthers;
}

const asks = (why: string): CallByOthers => ({ confirmation: "asks", why });
const harmless = (why: string): CallByOthers => ({ confirmation: "harmless", why });
const signs: CallByOthers = { confirmation: "asks on real networks", why: "the review of what is signed" };
const sendsAgain: CallByOthers = {
  confirmation: "asks on real networks",
  why: "whether the signed bytes go out once more",
};
const ofLocalChain = harmless("the local chain and its own accounts are for trying");
const shows = harmless("shows something, changes nothing");
const reads = harmless("reads, changes nothing");
const clipboard = harmless("writes the clipboard; no secret");

const HAS_NETWORK = "finality.hasNetwork";
const TRUSTED = "isWorkspaceTrusted";
const whileSending = { enablement: `${HAS_NETWORK} && ${TRUSTED}`, others: signs };
const whileChainRuns = { enablement: "finality.localChainRunning", palette: "finality.localChainRunning" };
const WHERE_CALLS_ARE = [
  "editorLangId =~ /^(type|java)script(react)?$|^solidity$/",
  String.raw`resourceFilename =~ /\.(sol|finality\.jsonc)$/`,
].join(" || ");

/**
 * One row for each command, in the order of the documentation. `npm run commands` writes them into `package.json`,
 * `package.nls.json` and `docs/commands.md`, and a test compares.
 */
export const commandTable: { readonly [Id in CommandId]: CommandRow } = {
  "finality.startLocalChain": {
    title: "Start Local Chain",
    icon: "play",
    enablement: "!finality.localChainRunning",
    palette: "!finality.localChainRunning",
    others: ofLocalChain,
  },
  "finality.stopLocalChain": { title: "Stop Local Chain", icon: "debug-stop", ...whileChainRuns, others: ofLocalChain },
  "finality.localChainFaults": { title: "Local Chain Faults…", icon: "zap", ...whileChainRuns, others: ofLocalChain },
  "finality.localChainMine": {
    title: "Mine Blocks…",
    icon: "debug-step-over",
    ...whileChainRuns,
    others: ofLocalChain,
  },
  "finality.localChainWarp": { title: "Warp Time…", icon: "history", ...whileChainRuns, others: ofLocalChain },
  "finality.localChainSnapshot": {
    title: "Take Snapshot…",
    icon: "device-camera",
    ...whileChainRuns,
    others: ofLocalChain,
  },
  "finality.localChainRestore": {
    title: "Restore Snapshot…",
    icon: "discard",
    ...whileChainRuns,
    others: ofLocalChain,
  },
  "finality.localChainReset": {
    title: "Reset Local Chain",
    icon: "debug-restart",
    ...whileChainRuns,
    others: ofLocalChain,
  },
  "finality.localChainAccess": { title: "Local Chain Access…", icon: "lock", others: ofLocalChain },
  "finality.addNetwork": {
    title: "Add Network…",
    others: harmless(
      "a new network has no keys; it asks before keys that an earlier network of its name left are deleted, and before http in the own network",
    ),
  },
  "finality.editNetwork": {
    title: "Edit Network…",
    icon: "edit",
    others: asks(
      "before URLs, header or real money of a network with keys, or of real money, change, and before http in the own network",
    ),
  },
  "finality.switchNetwork": {
    title: "Switch Network…",
    icon: "plug",
    others: harmless("the review names the network"),
  },
  "finality.removeNetwork": {
    title: "Remove Network…",
    others: asks("when it has keys, or transactions that are not final"),
  },
  "finality.testConnection": {
    title: "Test Connection",
    enablement: HAS_NETWORK,
    others: harmless("keys go only to the origins that they were entered for"),
  },
  "finality.setClientCertificate": {
    title: "Set Client Certificate…",
    others: asks("which file is shown to which host, before it is kept or removed"),
  },
  "finality.importNetworks": {
    title: "Import Networks…",
    icon: "cloud-download",
    enablement: TRUSTED,
    others: harmless(
      "a new network has no keys; it asks before private keys of the file become accounts, and before http",
    ),
  },
  "finality.createJwtKey": {
    title: "Create JWT Key…",
    others: harmless("a further key record, of which there are at most 3; nothing is replaced"),
  },
  "finality.importJwtKey": {
    title: "Import JWT Key…",
    others: harmless("a further key record, of which there are at most 3; nothing is replaced"),
  },
  "finality.jwtKeys": { title: "JWT Keys…", icon: "key", others: shows },
  "finality.renameJwtKey": {
    title: "Rename JWT Key…",
    icon: "edit",
    others: asks("before the ID of a key in use changes"),
  },
  "finality.useJwtKey": { title: "Use JWT Key…", icon: "pass", others: asks("before another key is used") },
  "finality.removeJwtKey": { title: "Remove JWT Key…", icon: "trash", others: asks("before a JWT key is deleted") },
  "finality.rotateJwtKey": {
    title: "Rotate JWT Key…",
    icon: "sync",
    others: asks("before the new key is used and the old one deleted"),
  },
  "finality.inspectToken": {
    title: "Inspect Token",
    icon: "eye",
    others: harmless("shows header and payload of a token, never the signature that makes it count"),
  },
  "finality.setTokenLifetime": { title: "Set Token Lifetime…", others: asks("before tokens have no end") },
  "finality.setApiKey": { title: "Set API Key…", others: asks("before it replaces or removes an API key") },
  "finality.generateSigningKey": {
    title: "Generate Signing Key…",
    icon: "add",
    others: harmless("a new account; nothing is replaced"),
  },
  "finality.importSigningKey": {
    title: "Import Signing Key…",
    others: harmless("a new account; it asks before another key of its address is replaced"),
  },
  "finality.exportSigningKey": {
    title: "Export Signing Key…",
    others: asks("always, and a word has to be typed; the caller gets no key"),
  },
  "finality.changeKeyPolicy": {
    title: "Change Key Policy…",
    icon: "shield",
    others: asks("before a key may sign more than now"),
  },
  "finality.removeSigningKey": {
    title: "Remove Signing Key…",
    icon: "trash",
    others: asks("when it has a key that is not of a local chain"),
  },
  "finality.addWatchOnlyAddress": {
    title: "Add Watch-Only Address…",
    icon: "eye",
    others: harmless("a new account without a key; the name of a known one stays"),
  },
  "finality.connectBrowserWallet": {
    title: "Connect Browser Wallet…",
    icon: "browser",
    others: harmless("an account without a key here; each signature asks in the editor and in the wallet"),
  },
  "finality.copyAddress": { title: "Copy Address", icon: "copy", others: clipboard },
  "finality.refreshAccounts": { title: "Refresh Accounts", icon: "refresh", enablement: HAS_NETWORK, others: reads },
  "finality.showBalance": { title: "Show Balance…", others: reads },
  "finality.nameAddress": {
    title: "Name Address…",
    icon: "book",
    others: asks("with the whole address, before a name that a program brings along is kept"),
  },
  "finality.showLog": { title: "Show Log", icon: "output", others: shows },
  "finality.openWalkthrough": { title: "Open Walkthrough", icon: "mortar-board", others: shows },
  "finality.sendCoins": {
    title: "Send Coins…",
    icon: "send",
    enablement: "finality.hasNetwork && isWorkspaceTrusted",
    others: signs,
  },
  "finality.trackTransaction": {
    title: "Track Transaction…",
    icon: "search",
    enablement: HAS_NETWORK,
    others: harmless("only follows it"),
  },
  "finality.sendSameBytesAgain": {
    title: "Send Same Bytes Again",
    icon: "debug-restart",
    enablement: TRUSTED,
    others: sendsAgain,
  },
  "finality.copyTxId": { title: "Copy txID", icon: "copy", others: clipboard },
  "finality.openInExplorer": {
    title: "Open in Explorer",
    icon: "link-external",
    enablement: "finality.hasExplorer",
    others: harmless("opens the page of a txID at the explorer of the settings"),
  },
  "finality.lookNow": { title: "Look Now", icon: "refresh", others: reads },
  "finality.showTransaction": { title: "Show Transaction", icon: "go-to-file", palette: "false", others: shows },
  "finality.removeFromList": {
    title: "Remove from List",
    icon: "close",
    others: harmless("the journal keeps the transaction"),
  },
  "finality.createReplacement": {
    title: "Create Replacement…",
    icon: "arrow-swap",
    enablement: TRUSTED,
    others: signs,
  },
  "finality.doItAgain": { title: "Do It Again…", icon: "redo", enablement: TRUSTED, others: signs },
  "finality.exportProof": {
    title: "Export Proof…",
    icon: "export",
    others: harmless("writes a proof, which holds no secret"),
  },
  "finality.stake": { title: "Stake…", ...whileSending },
  "finality.unstake": { title: "Unstake…", ...whileSending },
  "finality.withdrawUnstaked": { title: "Withdraw Unstaked…", ...whileSending },
  "finality.cancelUnstakes": { title: "Cancel All Unstakes…", ...whileSending },
  "finality.delegate": { title: "Delegate…", ...whileSending },
  "finality.undelegate": { title: "Undelegate…", ...whileSending },
  "finality.vote": { title: "Vote…", ...whileSending },
  "finality.withdrawReward": { title: "Withdraw Reward…", ...whileSending },
  "finality.sendTrc10": { title: "Send Tokens (TRC-10)…", ...whileSending },
  "finality.createAccount": { title: "Create Account on Chain…", ...whileSending },
  "finality.updateAccountName": { title: "Update Account Name…", ...whileSending },
  "finality.setCallersShare": { title: "Set Callers' Share of Energy…", ...whileSending },
  "finality.setEnergyLimit": { title: "Set Energy Limit of Contract…", ...whileSending },
  "finality.clearAbi": { title: "Clear ABI of Contract…", ...whileSending },
  "finality.showPermissions": { title: "Show Permissions…", icon: "shield", enablement: HAS_NETWORK, others: reads },
  "finality.editPermissions": { title: "Edit Permissions…", icon: "shield", ...whileSending },
  "finality.showSignatures": { title: "Show Signatures…", icon: "checklist", others: reads },
  "finality.exportForSignature": {
    title: "Export for Signature…",
    icon: "export",
    enablement: TRUSTED,
    others: { confirmation: "asks on real networks", why: "the review of what leaves as a file" },
  },
  "finality.addSignature": { title: "Add Signature…", icon: "edit", enablement: TRUSTED, others: signs },
  "finality.importSignedTransaction": {
    title: "Import Signed Transaction…",
    icon: "file-symlink-file",
    enablement: TRUSTED,
    others: { confirmation: "asks on real networks", why: "the review of what is kept, and whether it is sent" },
  },
  "finality.signAgain": { title: "Sign Again…", icon: "edit", enablement: TRUSTED, others: signs },
  "finality.watchIncoming": {
    title: "Watch Incoming…",
    icon: "inbox",
    enablement: HAS_NETWORK,
    others: harmless("reads blocks; what came in is written to a file of the extension"),
  },
  "finality.stopWatchingIncoming": {
    title: "Stop Watching…",
    icon: "debug-stop",
    others: harmless("what came in stays in the list"),
  },
  "finality.removeIncoming": {
    title: "Remove Incoming from List…",
    icon: "close",
    others: harmless("what came in stays in the file of the extension"),
  },
  "finality.exportIncoming": {
    title: "Export Incoming…",
    icon: "export",
    others: harmless("writes payments that everybody can read on the chain, and over no file that a caller names"),
  },
  "finality.deployContract": { title: "Deploy Contract…", icon: "rocket", enablement: TRUSTED, others: signs },
  "finality.callContract": { title: "Call Contract…", icon: "play", enablement: TRUSTED, others: signs },
  "finality.readContract": { title: "Read Contract…", icon: "eye", others: reads },
  "finality.transferTokens": { title: "Transfer Tokens (TRC-20)…", enablement: TRUSTED, others: signs },
  "finality.approveTokens": { title: "Approve Tokens (TRC-20)…", enablement: TRUSTED, others: signs },
  "finality.tokenBalance": { title: "Token Balance (TRC-20)…", others: reads },
  "finality.showResult": { title: "Show Result", icon: "output", others: shows },
  "finality.showLifeLine": { title: "Show Life Line", icon: "pulse", others: shows },
  "finality.copyReport": { title: "Copy Report", icon: "clippy", others: clipboard },
  "finality.stopProof": { title: "Stop Proof", icon: "debug-stop", others: harmless("what was read is kept") },
  "finality.resumeProof": { title: "Resume Proof", icon: "debug-continue", others: reads },
  "finality.recheckProof": { title: "Recheck Proof…", icon: "verified", others: reads },
  "finality.sendToAnotherNode": {
    title: "Send to Another Node…",
    icon: "remote",
    enablement: TRUSTED,
    others: sendsAgain,
  },
  "finality.decode": { title: "Decode Selection", icon: "lightbulb", others: shows },
  "finality.decodeTransaction": {
    title: "Decode This Transaction…",
    icon: "symbol-ruler",
    enablement: HAS_NETWORK,
    others: reads,
  },
  "finality.estimateEnergy": {
    title: "Estimate Energy at Cursor",
    icon: "zap",
    palette: WHERE_CALLS_ARE,
    others: reads,
  },
  "finality.refreshEstimates": {
    title: "Refresh Estimates in File",
    icon: "refresh",
    palette: WHERE_CALLS_ARE,
    others: reads,
  },
  "finality.toggleEnergyHints": {
    title: "Toggle Energy Hints",
    icon: "eye",
    others: harmless("a setting of the display"),
  },
  "finality.saveCostSnapshot": {
    title: "Save Cost Snapshot",
    icon: "save",
    palette: "workspaceFolderCount > 0",
    others: harmless("writes finality.energy.json of the workspace"),
  },
  "finality.showEstimate": { title: "Show Estimate Details", icon: "info", palette: WHERE_CALLS_ARE, others: shows },
  "finality.sendCallOfFile": {
    title: "Send Call at Cursor…",
    icon: "play",
    enablement: TRUSTED,
    palette: String.raw`resourceFilename =~ /\.finality\.jsonc$/`,
    others: signs,
  },
  "finality.chooseCaller": {
    title: "Choose Caller of Estimates…",
    icon: "account",
    others: harmless("who calls in estimates; a review names who signs"),
  },
  "finality.forgetAnswers": {
    title: "Forget Estimate Answers",
    icon: "trash",
    others: harmless("answers about estimates"),
  },
  "finality.decodeClipboard": {
    title: "Decode from Clipboard…",
    others: harmless("an extension reads the clipboard without us; a link gets no answer"),
  },
  "finality.decodeTerminal": { title: "Decode Last Terminal Output", others: shows },
  "finality.decodeDebugOutput": { title: "Decode Last Debug Output", others: shows },
  "finality.openDecoder": { title: "Open Decoder", icon: "symbol-ruler", others: shows },
};
