import { closeSync, mkdirSync, openSync, writevSync } from "node:fs";
import { join } from "node:path";

/** Number of errors, of functions and of events in a generated contract. */
const ENTRIES = 20;

/**
 * An artifact as compilers write it: an ABI, and bytecode, source and metadata that make it as long as wanted. Each has
 * errors of its own (`Error7x0` is the first of the seventh file) and functions that all of them share.
 */
export function generatedArtifact(file: number, bytes: number): string {
  const abi = Array.from({ length: ENTRIES }, (_, at) => [
    { type: "error", name: `Error${file}x${at}`, inputs: [parameter("who", "address")] },
    {
      type: "function",
      name: `shared${at}`,
      inputs: [parameter("to", "address"), parameter("values", "uint256[]")],
      outputs: [parameter("", "bool")],
      stateMutability: "nonpayable",
    },
    { type: "event", name: `Moved${at}`, inputs: [{ ...parameter("to", "address"), indexed: true }], anonymous: false },
  ]).flat();
  const artifact = { contractName: `Generated${file}`, abi, sourcePath: `contracts/Generated${file}.sol` };
  const room = Math.max(0, bytes - JSON.stringify(artifact).length - 80);
  const bytecode = `0x${"60".repeat(Math.floor(room / 6))}`;
  return JSON.stringify({ ...artifact, bytecode, metadata: '{"compiler":{}}, '.repeat(Math.floor(room / 26)) });
}

/** Writes artifacts whose long parts are one buffer, so that making them leaves nothing to clean up behind. */
export function writeGeneratedArtifacts(folder: string, files: number, bytes: number): void {
  const code = Buffer.alloc(bytes >> 1, "60");
  const metadata = Buffer.alloc(bytes >> 1, '{\\"compiler\\":{}}, ');
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < files; at++) {
    const [head = "", tail = ""] = generatedArtifact(at, 0).split('","metadata":"');
    const file = openSync(join(folder, `G${at}.json`), "w");
    writevSync(file, [Buffer.from(head), code, Buffer.from('","metadata":"'), metadata, Buffer.from(tail)]);
    closeSync(file);
  }
}

function parameter(name: string, type: string) {
  return { internalType: type, name, type };
}
