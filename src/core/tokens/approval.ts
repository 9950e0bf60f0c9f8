import { elementaryType } from "../abi/abi-type.ts";
import { tryDecode } from "../abi/revert-data.ts";
import { type Address, toBase58 } from "../primitives/address.ts";
import { type Hex, hex, hexToBytes } from "../primitives/bytes.ts";
import { foreignText } from "../primitives/plain-text.ts";

/** Leave to take tokens, as the data of a call give it. Amounts are in the smallest part of the token. */
export interface Approval {
  readonly spender: Address;
  readonly amount: bigint;
  /** Whether it adds to what was allowed before. */
  readonly adds: boolean;
}

/** `approve(address,uint256)`, `increaseApproval(address,uint256)` and `increaseAllowance(address,uint256)`. */
const SELECTORS: ReadonlyMap<string, { readonly adds: boolean }> = new Map([
  ["095ea7b3", { adds: false }],
  ["d73dd623", { adds: true }],
  ["39509351", { adds: true }],
]);
const SELECTOR_DIGITS = 8;
const PARAMETERS = [
  { name: foreignText(""), type: elementaryType("address") },
  { name: foreignText(""), type: elementaryType("uint256") },
];
/** Nobody holds half of all amounts that there are: who allows so much means "everything". */
const UNLIMITED = 2n ** 255n;

/** The approval that the data of a call ask for; undefined when they ask for something else. */
export function approvalOf(data: Hex): Approval | undefined {
  const selector = SELECTORS.get(data.slice(0, SELECTOR_DIGITS));
  if (selector === undefined) return undefined;
  const [spender, amount] = tryDecode(PARAMETERS, hexToBytes(hex(data.slice(SELECTOR_DIGITS)))) ?? [];
  if (typeof spender !== "string" || typeof amount !== "bigint") return undefined;
  return { spender: spender as Address, amount, adds: selector.adds };
}

/**
 * What to say of an approval before it is signed, as a sentence; undefined when it is within what the holder has.
 *
 * @param balance - what the holder has in the smallest part, as the gateway says; undefined when it does not say
 * @param formatted - an amount as people read it
 */
export function approvalWarning(
  { spender, amount, adds }: Approval,
  balance: bigint | undefined,
  formatted: (amount: bigint) => string,
): string | undefined {
  const who = toBase58(spender);
  if (amount >= UNLIMITED) {
    return `This allows ${who} to take every token of this kind that you have or will ever have, until you approve 0.`;
  }
  if (balance === undefined || amount <= balance) return undefined;
  const more = `${formatted(amount)}${adds ? " more" : ""}`;
  return `This allows ${who} to take ${more}, and you have ${formatted(balance)}: what you receive later can be taken too.`;
}
