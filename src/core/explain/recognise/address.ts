import { isChainError } from "../../errors/chain-error.ts";
import { parseAddress, toBase58 } from "../../primitives/address.ts";
import { verdictOf } from "../result/retry-verdict.ts";
import { type Finding, field, plainFinding } from "../words/finding.ts";

const SHAPE = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;

/** Explains an address as people write it, mistyped ones too; undefined for other text. */
export function explainAddressText(text: string): Finding | undefined {
  if (!SHAPE.test(text)) return undefined;
  try {
    const address = parseAddress(text);
    return plainFinding(
      "ADDRESS",
      {
        title: `Address ${toBase58(address)}`,
        cause: `An account or a contract: ${address} in hex.`,
        fix: "Look it up to see its balance and its code.",
      },
      {
        decoded: [...field("base58", toBase58(address), "address"), ...field("hex", address, "hex")],
        sources: ["protocol reference §4.4"],
      },
    );
  } catch (error) {
    if (!isChainError(error)) throw error;
    return plainFinding(
      error.code,
      {
        title: "This address is mistyped",
        cause: error.message,
        fix: "Copy the address again from where it comes from.",
      },
      {
        category: "validation",
        entry: "address-mistyped",
        retry: verdictOf("request-after-fix"),
        decoded: field("text", text),
        sources: ["protocol reference §4.4"],
      },
    );
  }
}
