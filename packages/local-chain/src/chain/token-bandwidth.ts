import { bytesToHex, sha256 } from "@finality/tron/primitives";
import type { Account } from "./account.ts";
import type { Ledger } from "./ledger.ts";
import { invalidContract } from "./refusal.ts";
import { netLimit, type Payment, usedNow } from "./resources.ts";
import { type Token, tokenIdIn } from "./token.ts";
import { validAddress } from "./transaction.ts";
import { stakeUsedAt, UNUSED, usedAt, usedStake } from "./usage.ts";

/**
 * The token that a transfer names.
 *
 * @throws {Refusal} there is none, in the words that the node prints before it asks the actuator
 */
export function transferredToken(ledger: Ledger, name: Uint8Array): Token {
  const token = ledger.tables.tokens.get(tokenIdIn(name));
  if (token === undefined) throw invalidContract(`asset [${printedByJava(name)}] does not exist`);
  return token;
}

const SHOWN_BYTES = 47;

/** Java prints where the bytes are in memory too; here that is always the same for the same bytes. */
function printedByJava(bytes: Uint8Array): string {
  const place = bytesToHex(sha256(bytes)).slice(0, 8);
  const shown = bytes.length <= SHOWN_BYTES + 3 ? escaped(bytes) : `${escaped(bytes.subarray(0, SHOWN_BYTES))}...`;
  return `<ByteString@${place} size=${bytes.length} contents="${shown}">`;
}

const ESCAPES = new Map(
  [..."\x07\b\f\n\r\t\v\\'\""].map((it, index) => [it.charCodeAt(0), `\\${"abfnrtv\\'\""[index]}`]),
);

function escaped(bytes: Uint8Array): string {
  const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, "0")}`;
  const plain = (byte: number): string => (byte >= 0x20 && byte <= 0x7e ? String.fromCharCode(byte) : octal(byte));
  return [...bytes].map((it) => ESCAPES.get(it) ?? plain(it)).join("");
}

/**
 * Pays for a transfer of a token with the staked bandwidth of its issuer, who says how much holders may use of it, each
 * and together (BandwidthProcessor.useAssetAccountNet).
 *
 * @returns whether it was enough
 */
export function useIssuersNet(payment: Payment, sender: Account, token: Token, bytes: bigint): boolean {
  const { ledger, now } = payment;
  const slot = ledger.slotAt(now);
  const { ownerAddress, publicFreeAssetNetLimit, freeAssetNetLimit } = token.definition;
  const own = sender.tokenUse.get(token.id) ?? UNUSED;
  if (bytes > publicFreeAssetNetLimit - usedAt(token.publicUse, slot)) return false;
  if (bytes > freeAssetNetLimit - usedAt(own, slot)) return false;
  const owner = validAddress(ownerAddress);
  const issuer = owner && ledger.account(owner);
  if (issuer === undefined || !hasNet(payment, issuer, bytes)) return false;
  ledger.tables.tokens.set(token.id, { ...token, publicUse: usedNow(token.publicUse, bytes, slot) });
  const tokenUse = new Map(sender.tokenUse).set(token.id, usedNow(own, bytes, slot));
  ledger.put({ ...sender, lastOperationAt: now, tokenUse });
  // An issuer who sends is written last, as it was before: the node forgets what it has noted of the sender.
  ledger.put({ ...issuer, used: { ...issuer.used, bandwidth: usedStake(issuer.used.bandwidth, bytes, slot) } });
  return true;
}

function hasNet({ ledger, parameters, now }: Payment, account: Account, bytes: bigint): boolean {
  return bytes <= netLimit(account, ledger, parameters) - stakeUsedAt(account.used.bandwidth, ledger.slotAt(now));
}
