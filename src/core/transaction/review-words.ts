import { type Address, toBase58 } from "../primitives/address.ts";

/** An address and the name that a person gave it. */
export interface Party {
  readonly address: Address;
  readonly name?: string;
}

/** An address as a review shows it: in full, for it is compared. */
export function partyText({ address, name }: Party): string {
  return name === undefined ? toBase58(address) : `${name} · ${toBase58(address)}`;
}

/** How long signed bytes stay usable, by chain time in ms. */
export function expiresText(lifetimeMs: number): string {
  return `Expires: ${formatDuration(lifetimeMs)} after the chain's last block`;
}

/** A duration as people say it: seconds below two minutes, then minutes, then hours. */
function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 360) / 10} h`;
}
