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
  return `Expires: ${Math.round(lifetimeMs / 1000)} s after the chain's last block`;
}
