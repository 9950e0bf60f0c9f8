import { type Address, toBase58 } from "../../primitives/address.ts";
import { type Finding, field, plainFinding } from "./finding.ts";

/** Explains an address. */
export function explainAddress(address: Address, cause: string): Finding {
  const base58 = toBase58(address);
  const words = { title: `Address ${base58}`, cause, fix: "Look it up to see its balance and its code." };
  return plainFinding("ADDRESS", words, {
    decoded: [...field("base58", base58, "address"), ...field("hex", address, "hex")],
    sources: ["protocol reference §4.4"],
  });
}
