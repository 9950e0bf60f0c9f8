/** Every setting that the manifest contributes; test/architecture compares the two. */
export const settingIds = [
  "finality.networks",
  "finality.activeNetwork",
  "finality.addressBook",
  "finality.confirm",
  "finality.transaction.expirySeconds",
  "finality.localChain.blockTime",
  "finality.abi.globs",
  "finality.decode.hoverIn",
  "finality.decode.terminalLinks",
  "finality.decode.diagnosticsIn",
  "finality.decode.watchTerminal",
  "finality.energy.marginPercent",
  "finality.energy.display",
  "finality.energy.autoRefresh",
] as const;

export type SettingId = (typeof settingIds)[number];
