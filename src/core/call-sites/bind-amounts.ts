import { isChainError } from "../errors/chain-error.ts";
import { LARGEST_AMOUNT, type Sun, sun } from "../primitives/amount.ts";
import { parseAmount } from "../primitives/parse-amount.ts";
import type { BindingContext, BoundLimit, Missing, Part } from "./binding.ts";
import type { WantedCall, WantedValue } from "./wanted-call.ts";

/** A limit so wide that it never stops a run: it stands in where nobody wrote one. */
const NO_FEE_LIMIT: Sun = sun(15_000_000_000n);

/** What a call spends and may spend. */
export interface BoundAmounts {
  readonly limit: BoundLimit;
  readonly callValue: Sun;
  readonly token: { readonly tokenId?: bigint; readonly tokenValue?: bigint };
}

type Named = "feeLimit" | "callValue" | "tokenId" | "tokenValue";

/**
 * The amounts of a call, in sun; those that are not written are none.
 *
 * @param takesValue - whether the function takes coins; `undefined` where no ABI tells
 */
export function amountsOf(asked: WantedCall, context: BindingContext, takesValue?: boolean): Part<BoundAmounts> {
  const isOmitted = asked.omitsValue === true && takesValue === false && asked.callValue !== undefined;
  const wanted = isOmitted ? { ...asked, callValue: undefined } : asked;
  const assumptions: string[] = [];
  const missing: Missing[] = [];
  const wrong: string[] = [];
  const read = (name: Named): bigint | undefined => {
    const written = wanted[name];
    if (written === undefined) return undefined;
    const key = `amount ${name} ${written.text}`;
    const answer = written.value === undefined ? context.answer(key) : undefined;
    if (answer !== undefined) assumptions.push(`${written.text} is ${answer}: you said so.`);
    const amount = amountIn(written, answer);
    if (amount !== undefined && faultOf(amount) !== undefined) wrong.push(`${name} ${written.text} ${faultOf(amount)}`);
    else if (amount === undefined)
      missing.push({ kind: "amount", key, question: `${name} in sun, in the source ${written.text}` });
    return amount;
  };
  const [feeLimit, callValue, tokenId, tokenValue] = [
    read("feeLimit"),
    read("callValue"),
    read("tokenId"),
    read("tokenValue"),
  ];
  if (wrong.length > 0) return { kind: "wrong", reason: wrong.join("; ") };
  if (missing.length > 0) return { kind: "missing", missing };
  const value = {
    limit: limitOf(wanted, feeLimit),
    callValue: sun(callValue ?? 0n),
    token: { ...(tokenId === undefined ? {} : { tokenId }), ...(tokenValue === undefined ? {} : { tokenValue }) },
  };
  if (isOmitted && asked.callValue?.value !== undefined && asked.callValue.value !== 0n)
    assumptions.push(`TronWeb leaves out callValue ${asked.callValue.text}: the function takes no coins.`);
  if (wanted.unread !== undefined)
    assumptions.push(`"${wanted.unread}" cannot be read without running the code: no token is taken to go along.`);
  if (feeLimit === undefined && wanted.usualFeeLimit !== undefined)
    assumptions.push("No feeLimit is written: TronWeb sends 150 coins then.");
  return { kind: "found", value, assumptions };
}

/** Why no chain could take it. */
function faultOf(amount: bigint): string | undefined {
  if (amount < 0n) return "is negative; write 0 or more";
  return amount > LARGEST_AMOUNT ? "is larger than any amount on the chain; write a smaller one" : undefined;
}

function limitOf({ feeLimit: written, usualFeeLimit }: WantedCall, feeLimit: bigint | undefined): BoundLimit {
  return {
    feeLimit: sun(feeLimit ?? usualFeeLimit ?? NO_FEE_LIMIT),
    isReal: feeLimit !== undefined || usualFeeLimit !== undefined,
    range: written?.range,
  };
}

function amountIn({ value }: WantedValue, answer: string | undefined): bigint | undefined {
  const text = value ?? answer;
  if (typeof text === "bigint") return text;
  if (typeof text !== "string") return undefined;
  try {
    return parseAmount(text);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return undefined;
  }
}
