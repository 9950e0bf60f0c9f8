import { isJsonObject, type Json } from "../../primitives/json.ts";
import { DEEPEST_JSON, jsonDepth } from "../../primitives/json-depth.ts";
import { type ArtifactContents, nameOfFile, nothing, readAbi } from "./artifact.ts";
import { ARTIFACT_FORMATS } from "./artifact-formats.ts";

/** `foreign` is JSON of something else, which is no mistake: globs are generous. */
export type ArtifactReading =
  | { readonly kind: "artifact"; readonly contents: ArtifactContents }
  | { readonly kind: "foreign" }
  | { readonly kind: "broken"; readonly reason: string };

/**
 * Reads a file of TronBox, Truffle, Hardhat, Foundry or solc, or a record of deployments. Total: what is wrong with a
 * file is a value.
 *
 * @param path - relative to the folder of the workspace, with `/`: some formats keep names there
 */
export function readArtifact(text: string, path: string): ArtifactReading {
  if (jsonDepth(text) > DEEPEST_JSON) {
    return { kind: "broken", reason: `its brackets are nested more than ${DEEPEST_JSON} deep` };
  }
  const json = parse(text);
  if (json instanceof Error) return { kind: "broken", reason: `it is not JSON (${json.message.slice(0, 120)})` };
  if (Array.isArray(json)) return ofList(json, path);
  if (!isJsonObject(json)) return { kind: "foreign" };
  for (const format of ARTIFACT_FORMATS) {
    const contents = format(json, path);
    if (contents !== undefined) return { kind: "artifact", contents };
  }
  const claims = Array.isArray(json.abi) || typeof json.contractName === "string";
  return claims ? { kind: "broken", reason: "its abi is not a list of entries with types" } : { kind: "foreign" };
}

/** An ABI by itself, as `solc --abi` writes it. */
function ofList(json: Json, path: string): ArtifactReading {
  const abi = readAbi(json);
  const isAbi = abi?.some(({ type }) => type !== undefined && KINDS.includes(type)) === true;
  if (abi === undefined || !isAbi) return { kind: "foreign" };
  return { kind: "artifact", contents: { ...nothing, contracts: [{ name: nameOfFile(path), abi }] } };
}

const KINDS = ["function", "event", "error", "constructor", "fallback", "receive"];

function parse(text: string): Json | Error {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as Json;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
