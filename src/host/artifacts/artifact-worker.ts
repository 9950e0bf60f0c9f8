/**
 * Worker thread that reads artifacts: parsing a large one would block the extension host too long. It handles one
 * request at a time and returns each part on request.
 */
import { type MessagePort, parentPort } from "node:worker_threads";
import {
  type ArtifactResult,
  type FileSummary,
  inParts,
  type KnownKeys,
  readArtifact,
  summarise,
} from "@finality/tron/abi";
import { textOfBytes } from "@finality/tron/primitives";
import { bytesOfFile } from "../read-regular-file.ts";
import type { ArtifactAnswer, ArtifactLocation, ArtifactOrder } from "./artifact-reader.ts";

const keys: KnownKeys = new Map();
let parts: Iterator<FileSummary, void> | undefined;

async function answer(order: ArtifactOrder): Promise<ArtifactAnswer> {
  switch (order.kind) {
    case "next":
      return nextPart();
    case "bytecode":
      return { kind: "bytecode", bytecode: await readBytecode(order.place, order.contract, order.maximum) };
    case "read": {
      const result = await read(order.place, order.maximum);
      if (result.kind !== "artifact") return result;
      parts = inParts(summarise(order.place.path, result.contents, keys));
      return nextPart();
    }
  }
}

function nextPart(): ArtifactAnswer {
  const part = parts?.next();
  if (part === undefined || part.done === true) return { kind: "end" };
  return { kind: "part", part: part.value };
}

async function readBytecode(
  location: ArtifactLocation,
  contract: string,
  maximum: number,
): Promise<string | undefined> {
  const result = await read(location, maximum);
  if (result.kind !== "artifact") return undefined;
  const found = result.contents.contracts.find(({ name }) => name === contract);
  return found?.bytecode ?? found?.unlinked?.code;
}

async function read(location: ArtifactLocation, maximum: number): Promise<ArtifactResult> {
  try {
    const bytes = location.bytes ?? (await bytesOfFile(location.file, location.root, maximum));
    if (typeof bytes === "string") return { kind: "broken", reason: bytes };
    return readArtifact(textOfBytes(bytes), location.path);
  } catch (error) {
    return { kind: "broken", reason: error instanceof Error ? error.message : String(error) };
  }
}

function serve(port: MessagePort): void {
  port.on("message", (order: ArtifactOrder) => {
    // A broken file does not affect the others.
    const broken = (error: unknown): ArtifactAnswer => ({ kind: "broken", reason: String(error) });
    void answer(order)
      .catch(broken)
      .then((message) => port.postMessage(message));
  });
}

if (parentPort !== null) serve(parentPort);
