import { executableCode } from "@finality/tron/abi";
import type { Hex } from "@finality/tron/primitives";

/** Metadata that a compiler appends to code. */
export interface CodeMetadata {
  /** Version of solc, such as `0.8.24`; undefined if the metadata do not have it. */
  readonly solc: string | undefined;
  /** Hash of the sources and settings: `ipfs` or `bzzr1`; undefined if the compiler was told to leave it out. */
  readonly hash: "ipfs" | "bzzr" | undefined;
}

/** CBOR of the keys: a text of 4 or 5 bytes, then its value. */
const IPFS = "64697066735822";
const SWARM = /65627a7a723[01]5820/;
/** `solc`, then three bytes for a release or a text for another build. */
const RELEASE = /64736f6c6343([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/;
const OTHER_BUILD = /64736f6c63(?:78([0-9a-f]{2})|([67][0-9a-f]))([0-9a-f]+)/;

/** Reads the metadata at the end of runtime code; undefined if there are none. */
export function metadataOf(runtimeCode: Hex | string): CodeMetadata | undefined {
  const cbor = runtimeCode.slice(executableCode(runtimeCode).length);
  if (cbor === "") return undefined;
  const hash = cbor.includes(IPFS) ? "ipfs" : SWARM.test(cbor) ? "bzzr" : undefined;
  return { solc: solcIn(cbor), hash };
}

function solcIn(cbor: string): string | undefined {
  const release = RELEASE.exec(cbor)?.slice(1);
  if (release !== undefined) return release.map((it) => Number.parseInt(it, 16)).join(".");
  const [, long, short, digits = ""] = OTHER_BUILD.exec(cbor) ?? [];
  if (long === undefined && short === undefined) return undefined;
  const length = long === undefined ? Number.parseInt(short ?? "", 16) - SHORT_TEXT : Number.parseInt(long, 16);
  const [, version] = /^(\d+\.\d+\.\d+)/.exec(Buffer.from(digits.slice(0, 2 * length), "hex").toString("latin1")) ?? [];
  return version;
}

/** CBOR of a text of up to 23 bytes is this number and its length. */
const SHORT_TEXT = 0x60;

/** Hashes of sources anywhere in code: code that creates contracts has their metadata inside. */
const HASHES = /(64697066735822)[0-9a-f]{68}|(65627a7a723[01]5820)[0-9a-f]{64}/g;

/** Returns the ranges of metadata hashes in code, in bytes. */
export function hashRanges(code: string): readonly { readonly start: number; readonly length: number }[] {
  return [...code.matchAll(HASHES)]
    .filter(({ index }) => index % 2 === 0)
    .map(({ index, 0: whole, 1: ipfs, 2: swarm }) => {
      const key = (ipfs ?? swarm ?? "").length;
      return { start: (index + key) / 2, length: (whole.length - key) / 2 };
    });
}
