/** Every command that the manifest contributes; test/architecture compares the two. */
export const commandIds = [
  "finality.startLocalChain",
  "finality.stopLocalChain",
  "finality.localChainFaults",
  "finality.localChainMine",
  "finality.localChainWarp",
  "finality.localChainSnapshot",
  "finality.localChainRestore",
  "finality.localChainReset",
  "finality.addNetwork",
  "finality.editNetwork",
  "finality.switchNetwork",
  "finality.removeNetwork",
  "finality.testConnection",
  "finality.createJwtKey",
  "finality.importJwtKey",
  "finality.setApiKey",
  "finality.generateSigningKey",
  "finality.importSigningKey",
  "finality.removeSigningKey",
  "finality.addWatchOnlyAddress",
  "finality.copyAddress",
  "finality.refreshAccounts",
  "finality.showBalance",
  "finality.showLog",
  "finality.sendCoins",
  "finality.trackTransaction",
  "finality.sendSameBytesAgain",
  "finality.copyTxId",
  "finality.lookNow",
  "finality.showTransaction",
  "finality.removeFromList",
  "finality.createReplacement",
  "finality.exportProof",
  "finality.deployContract",
  "finality.callContract",
  "finality.readContract",
  "finality.transferTokens",
  "finality.approveTokens",
  "finality.tokenBalance",
  "finality.showResult",
  "finality.showLifeLine",
  "finality.copyReport",
  "finality.stopProof",
  "finality.resumeProof",
  "finality.recheckProof",
  "finality.sendToAnotherNode",
  "finality.decode",
  "finality.estimateEnergy",
  "finality.refreshEstimates",
  "finality.toggleEnergyHints",
  "finality.saveCostSnapshot",
  "finality.showEstimate",
  "finality.sendCallOfFile",
  "finality.chooseCaller",
  "finality.forgetAnswers",
  "finality.decodeClipboard",
  "finality.decodeTerminal",
  "finality.openDecoder",
] as const;

export type CommandId = (typeof commandIds)[number];

export const viewIds = ["finality.transactions", "finality.accounts"] as const;

export type ViewId = (typeof viewIds)[number];

/** What `when` clauses of the manifest ask for. */
const contextKeys = [
  "finality.hasNetwork",
  "finality.localChainRunning",
  "finality.networkIsProduction",
  "finality.hasUnknown",
] as const;

export type ContextKey = (typeof contextKeys)[number];
