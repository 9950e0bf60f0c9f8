/** Every setting that the manifest contributes; test/architecture compares the two. */
export const settingIds = [
  "finality.networks",
  "finality.activeNetwork",
  "finality.transaction.expirySeconds",
  "finality.localChain.blockTime",
] as const;

export type SettingId = (typeof settingIds)[number];
