import { randomBytes } from "node:crypto";
import { getHeapSnapshot } from "node:v8";
import { Masking } from "../../../src/host/log/masking.ts";

/**
 * What the memory of a process holds after a secret was named to `Masking` in it. Run by itself: the snapshot of a
 * whole test run is large.
 */
interface NamedSecret {
  readonly masked: string;
  /** Whether the snapshot shows the class that remembers: without it, it shows nothing. */
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
