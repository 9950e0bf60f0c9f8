/**
 * The thread that reads artifacts: parsing a large one takes longer than the extension host may be kept from its other work.
 * It does one thing at a time, and gives what it read in parts, each when it is asked for.
 */
import { readFile, stat } from "node:fs/promises";
import { type MessagePort, parentPort } from "node:worker_threads";
import { type FileSummary, inParts, type KnownKeys, summarise } from "../core/abi/artifacts/contract-summary.ts";
import { type ArtifactReading, readArtifact } from "../core/abi/artifacts/read-artifact.ts";
import type { ArtifactAnswer, ArtifactOrder, ArtifactPlace } from "./artifact-messages.ts";

const keys: KnownKeys = new Map();
let parts: Iterator<FileSummary, void> | undefined;

async function answer(order: ArtifactOrder): Promise<ArtifactAnswer> {
  switch (order.kind) {
    case "next":
      return nextPart();
    case "bytecode":
      return { kind: "bytecode", bytecode: await readBytecode(order.place, order.contract, order.maximum) };
    case "read": {
      const reading = await read(order.place, order.maximum);
      if (reading.kind !== "artifact") return reading;
      parts = inParts(summarise(order.place.path, reading.contents, keys));
      return nextPart();
    }
  }
}

function nextPart(): ArtifactAnswer {
  const part = parts?.next();
  if (part === undefined || part.done === true) return { kind: "end" };
  return { kind: "part", part: part.value };
}

async function readBytecode(place: ArtifactPlace, contract: string, maximum: number): Promise<string | undefined> {
  const reading = await read(place, maximum);
  if (reading.kind !== "artifact") return undefined;
  return reading.contents.contracts.find(({ name }) => name === contract)?.bytecode;
}

async function read(place: ArtifactPlace, maximum: number): Promise<ArtifactReading> {
  try {
    const size = place.bytes?.length ?? (await stat(place.file)).size;
    if (size > maximum) return { kind: "broken", reason: `it has ${size} bytes, more than ${maximum}` };
    const bytes = place.bytes ?? (await readFile(place.file));
    return readArtifact(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8"), place.path);
  } catch (error) {
    return { kind: "broken", reason: error instanceof Error ? error.message : String(error) };
  }
}

function serve(port: MessagePort): void {
  port.on("message", (order: ArtifactOrder) => {
    void answer(order).then((message) => port.postMessage(message));
  });
}

if (parentPort !== null) serve(parentPort);
