import type { CommandId } from "./command-ids.ts";

/**
 * What happens when somebody else than the person calls a command with all that it needs: another extension, a task input, a
 * keybinding, a link. `asks` acts only after a modal dialog; `asks on real networks` does so but for the local chain with its own
 * accounts; `harmless` shows no dialog.
 */
export type Door = "asks" | "asks on real networks" | "harmless";

export interface CommandDoor {
  readonly door: Door;
  /** What is asked, or why nothing has to be. */
  readonly why: string;
}

const asks = (why: string): CommandDoor => ({ door: "asks", why });
const harmless = (why: string): CommandDoor => ({ door: "harmless", why });
const signs: CommandDoor = { door: "asks on real networks", why: "the review of what is signed" };
const sendsAgain: CommandDoor = { door: "asks on real networks", why: "whether the signed bytes go out once more" };
const ofLocalChain = harmless("the local chain and its own accounts are for trying");
const shows = harmless("shows something, changes nothing");
const reads = harmless("reads, changes nothing");
const clipboard = harmless("writes the clipboard; no secret");

/** One line for each command; `npm run commands` prints it into `docs/commands.md`, and a test compares. */
export const doorOf: { readonly [Id in CommandId]: CommandDoor } = {
  "finality.startLocalChain": ofLocalChain,
  "finality.stopLocalChain": ofLocalChain,
  "finality.localChainFaults": ofLocalChain,
  "finality.localChainMine": ofLocalChain,
  "finality.localChainWarp": ofLocalChain,
  "finality.localChainSnapshot": ofLocalChain,
  "finality.localChainRestore": ofLocalChain,
  "finality.localChainReset": ofLocalChain,
  "finality.addNetwork": harmless(
    "a new network has no keys; it asks before keys that an earlier network of its name left are deleted",
  ),
  "finality.editNetwork": asks("before URLs, header or real money of a network with keys, or of real money, change"),
  "finality.switchNetwork": harmless("the review names the network"),
  "finality.removeNetwork": asks("when it has keys, or transactions that are not final"),
  "finality.testConnection": harmless("keys go only to the origins that they were entered for"),
  "finality.createJwtKey": asks("before it replaces a JWT key"),
  "finality.importJwtKey": asks("before it replaces a JWT key"),
  "finality.setApiKey": asks("before it replaces or removes an API key"),
  "finality.generateSigningKey": harmless("a new account; nothing is replaced"),
  "finality.importSigningKey": harmless("a new account; it asks before another key of its address is replaced"),
  "finality.removeSigningKey": asks("when it has a key that is not of a local chain"),
  "finality.addWatchOnlyAddress": harmless("a new account without a key; the name of a known one stays"),
  "finality.copyAddress": clipboard,
  "finality.refreshAccounts": reads,
  "finality.showBalance": reads,
  "finality.showLog": shows,
  "finality.sendCoins": signs,
  "finality.trackTransaction": harmless("only follows it"),
  "finality.sendSameBytesAgain": sendsAgain,
  "finality.copyTxId": clipboard,
  "finality.lookNow": reads,
  "finality.showTransaction": shows,
  "finality.removeFromList": harmless("the journal keeps the transaction"),
  "finality.createReplacement": signs,
  "finality.exportProof": harmless("writes a proof, which holds no secret"),
  "finality.deployContract": signs,
  "finality.callContract": signs,
  "finality.readContract": reads,
  "finality.transferTokens": signs,
  "finality.approveTokens": signs,
  "finality.tokenBalance": reads,
  "finality.showResult": shows,
  "finality.showLifeLine": shows,
  "finality.copyReport": clipboard,
  "finality.stopProof": harmless("what was read is kept"),
  "finality.resumeProof": reads,
  "finality.recheckProof": reads,
  "finality.sendToAnotherNode": sendsAgain,
  "finality.decode": shows,
  "finality.estimateEnergy": reads,
  "finality.refreshEstimates": reads,
  "finality.toggleEnergyHints": harmless("a setting of the display"),
  "finality.saveCostSnapshot": harmless("writes finality.energy.json of the workspace"),
  "finality.showEstimate": shows,
  "finality.sendCallOfFile": signs,
  "finality.chooseCaller": harmless("who calls in estimates; a review names who signs"),
  "finality.forgetAnswers": harmless("answers about estimates"),
  "finality.decodeClipboard": harmless("an extension reads the clipboard without us; a link gets no answer"),
  "finality.decodeTerminal": shows,
  "finality.openDecoder": shows,
};

/** The rows of the table in `docs/commands.md`, in the order of the commands there. */
export function doorTable(): string {
  const rows = Object.entries(doorOf).map(([id, { door, why }]) => `| \`${id}\` | *${door}* | ${why} |`);
  return ["| command | called by others | what it asks, or why it need not |", "| --- | --- | --- |", ...rows].join(
    "\n",
  );
}
