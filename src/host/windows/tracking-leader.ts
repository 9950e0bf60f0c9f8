import { type Clock, within } from "@finality/client/gateway";
import { follow, inode, LeaderSocket, type MeetingPlace, meetingPlace, removeSocket } from "./leader-socket.ts";

/**
 * What the leading window does. The signal aborts when it has to stop; then it should end soon. A rejection gives up
 * the lead.
 */
export type Lead = (signal: AbortSignal) => Promise<void>;

export interface LeadOptions {
  /** The folder that the windows share. */
  readonly folder: string;
  readonly lead: Lead;
  /** Resolves as long as the editor answers this window. That of a window that vanished never does. */
  readonly proof: () => PromiseLike<unknown>;
  readonly clock: Clock;
  /** Told why the lead was given up, or could not be shared. */
  readonly report: (message: string, error: unknown) => void;
}

/** How often the leader says that it leads. */
const BEAT_MS = 2_000;
/** How long the editor may take to answer. With a beat before it, and what it takes to follow, it is less than 15 s. */
const PROOF_MS = 8_000;
/** Before a window that gave up the lead tries again, and before a socket that cannot be used is tried again. */
const PAUSE_MS = 10_000;
/** Whoever takes a socket away again and again makes nobody spin. */
const AGAIN_MS = 100;

/**
 * Runs `lead` in exactly one of the windows that share a folder, until the signal aborts.
 *
 * The window that can listen on the folder's socket leads. It proves again and again that it is one of these windows,
 * that its thread goes on and that the editor answers it. Every other one holds a connection to it: when that breaks,
 * or the proofs stay away, the next one takes its place. Two leaders for a moment would do no harm but double requests.
 */
export async function leadAlone(options: LeadOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await takeTurn(options, signal);
    } catch (error) {
      if (signal.aborted) return;
      options.report("The lead of watching was given up. It is tried again.", error);
      await pause(options.clock, signal);
    }
  }
}

async function takeTurn(options: LeadOptions, signal: AbortSignal): Promise<void> {
  await orAborted(prove(options), signal);
  if (signal.aborted) return;
  const place = await meetingPlace(options.folder).catch((error: unknown) => {
    options.report("Windows cannot meet, so each of them watches the chain.", error);
    return undefined;
  });
  const socket = place && (await LeaderSocket.listen(place, options.clock));
  if (place === undefined || socket !== undefined) await leadWith(options, { place, socket }, signal);
  else await waitForLeader(options, place, signal);
}

interface Held {
  readonly place: MeetingPlace | undefined;
  socket: LeaderSocket | undefined;
}

/** @throws what made it give up the lead */
async function leadWith(options: LeadOptions, held: Held, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const leading = options.lead(both).then(() => aborted(both));
  const keeping = keepLead(options, held, both);
  try {
    await Promise.race([leading, keeping]);
  } finally {
    stop.abort();
    await keeping.catch(() => undefined);
    await held.socket?.close();
    await leading.catch(() => undefined);
  }
}

/** Ends when another window proves that it leads. @throws when the editor does not answer any more */
async function keepLead(options: LeadOptions, held: Held, signal: AbortSignal): Promise<void> {
  const { clock } = options;
  while (!signal.aborted) {
    await orAborted(prove(options), signal);
    held.socket?.beat();
    if (held.socket !== undefined && !(await held.socket.isFound())) {
      if (await isLedByAnother(options, signal)) return;
      await held.socket.close();
      held.socket = await listenAgain(options);
    }
    await clock.sleep(BEAT_MS, signal).catch(() => undefined);
  }
}

async function prove({ proof, clock }: LeadOptions): Promise<void> {
  await within(clock, PROOF_MS, proof(), () => new Error("The editor does not answer this window any more."));
}

async function isLedByAnother({ folder, clock }: LeadOptions, signal: AbortSignal): Promise<boolean> {
  return (await follow(await meetingPlace(folder), clock, signal, true)) === "heard";
}

/** Whoever listens there did not prove anything. */
async function listenAgain({ folder, clock }: LeadOptions): Promise<LeaderSocket | undefined> {
  const place = await meetingPlace(folder);
  await removeSocket(place.path, await inode(place.path));
  return await LeaderSocket.listen(place, clock);
}

/**
 * Resolves when the leader is gone. The socket that a killed leader left behind, or that a stranger holds, is removed.
 */
async function waitForLeader(options: LeadOptions, place: MeetingPlace, signal: AbortSignal): Promise<void> {
  const { clock } = options;
  const before = await inode(place.path);
  const end = await follow(place, clock, signal);
  if (signal.aborted || end === "gone") return;
  if (end === "nobody" || end === "silent") await removeSocket(place.path, before);
  if (end === "silent" && process.platform === "win32") {
    // The name of a pipe cannot be taken away from whoever has it.
    await leadWith(options, { place, socket: undefined }, signal);
  }
  if (typeof end === "object") await pause(clock, signal);
  else await clock.sleep(AGAIN_MS, signal).catch(() => undefined);
}

async function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  await clock.sleep(PAUSE_MS, signal).catch(() => undefined);
}

/** Ends with the work, or with the signal. Nothing of it stays at the signal: this is asked again and again. */
async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const abort = (): void => resolve();
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}
