import { encodeCall, inputFromText, parseSignature, signatureText, typedValues } from "@finality/tron/abi";
import { type Address, type Hex, hex, type Sun, sun } from "@finality/tron/primitives";
import { ReadError } from "@finality/tron/read";
import type { IntentOf } from "@finality/tron/transaction";

/** Arguments of a tool that describe a contract call. */
interface CallArguments {
  readonly from: Address;
  readonly contract: Address;
  /** Signature such as `transfer(address,uint256)`. */
  readonly function?: string;
  readonly arguments?: readonly string[];
  /** Call data, hex, in place of function and arguments. */
  readonly data?: string;
  readonly callValue?: Sun;
}

/**
 * Returns the intent of a call with a fee limit of 0.
 *
 * @throws {ReadError} arguments that do not fit
 * @throws {ChainError} `ABI_MALFORMED`
 */
export function callIntent({ from, contract, callValue, ...call }: CallArguments): IntentOf<"contract-call"> {
  return {
    kind: "contract-call",
    owner: from,
    contract,
    data: callData(call),
    callValue: callValue ?? sun(0n),
    feeLimit: sun(0n),
  };
}

function callData({
  data,
  function: named,
  arguments: texts = [],
}: Pick<CallArguments, "data" | "function" | "arguments">): Hex {
  if (data !== undefined && named !== undefined) throw new ReadError("absent beside data", ".function");
  if (data !== undefined) return hex(data);
  if (named === undefined) throw new ReadError("a signature such as transfer(address,uint256)", ".function");
  const signature = parseSignature(named);
  const inputs = texts.map((text, index) => {
    const type = signature.parameters[index]?.type;
    return type === undefined ? text : inputFromText(type, text);
  });
  const typed = typedValues(signature.parameters, inputs, () => undefined);
  if (typed.ok) return encodeCall(signatureText(signature), signature.parameters, typed.value);
  const [misfit] = typed.misfits;
  throw new ReadError(misfit?.reason ?? "values of these types", `.arguments ${misfit?.path ?? ""}`.trimEnd());
}
