import { randomBytes } from "node:crypto";
import { getHeapSnapshot } from "node:v8";
import { Masking } from "../../../src/host/log/masking.ts";

/**
 * Memory of a process after a secret was passed to its `Masking`. It is a program of its own, because the snapshot of a
 * whole test run is large.
 */
interface NamedSecret {
  readonly masked: string;
  /** True if the snapshot contains the masking class; otherwise it proves nothing. */
  readonly showsClass: boolean;
  readonly showsSecret: boolean;
}

const masking = new Masking();
const canary = randomBytes(32);
// In functions of their own, whose frames are gone when the snapshot is taken.
const name = (): void => masking.remember(canary.toString("hex"));
const mask = (): string => masking.masked(`a ${canary.toString("hex")} z`);
name();
const masked = mask();
masking.masked("another text");
const heap = Buffer.concat(await getHeapSnapshot().toArray());
const secret: NamedSecret = {
  masked,
  showsClass: heap.includes("KnownSecrets"),
  showsSecret: heap.includes(canary.toString("hex").slice(0, 40)),
};
process.stdout.write(JSON.stringify(secret));
