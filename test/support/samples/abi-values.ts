import { utils } from "tronweb";
import type { Json, JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import type { ScenarioNames } from "../recorded/scenario-names.ts";

const { AbiCoder, Interface, keccak256 } = utils.ethersUtils;
const coder = AbiCoder.defaultAbiCoder();

export interface EncodedCall {
  readonly signature: string;
  /** Four bytes in hex. */
  readonly selector: string;
  readonly parameter: string;
}

/** Encodes the arguments of a call with an independent encoder. */
export function encodeArguments(declared: string, args: readonly Json[], names: ScenarioNames): EncodedCall {
  const signature = declared.replaceAll(/\s/g, "");
  const types = new Interface([`function f${signature.slice(signature.indexOf("("))}`]).getFunction("f")?.inputs ?? [];
  const parameter = coder
    .encode(
      types.map((it) => it.format("full")),
      args.map((it) => plain(it, names)),
    )
    .slice(2);
  return { signature, selector: keccak256(Buffer.from(signature)).slice(2, 10), parameter };
}

export function encodeConstructor(abi: readonly JsonObject[], args: readonly Json[], names: ScenarioNames): string {
  if (args.length === 0) return "";
  const entry = abi.find((it) => it.type === "constructor");
  const types = new Interface(entry === undefined ? [] : [entry]).deploy.inputs;
  return coder
    .encode(
      types.map((it) => it.format("full")),
      args.map((it) => plain(it, names)),
    )
    .slice(2);
}

/** An argument without the names in it. */
function plain(value: Json | undefined, names: ScenarioNames): unknown {
  if (Array.isArray(value)) return value.map((it: Json) => plain(it, names));
  if (typeof value === "string" && value.startsWith("0x")) return `0x${names.fill(value.slice(2))}`;
  if (typeof value !== "object" || value === null) return value;
  const { $address: address, $bytes: bytes, $repeat: repeat } = value as JsonObject;
  if (address !== undefined) return `0x${names.digits(String(address))}`;
  if (bytes !== undefined) return `0x${names.fill(String(bytes))}`;
  if (!Array.isArray(repeat)) return value;
  return `0x${String(repeat[0]).repeat(Number(repeat[1]))}`;
}
