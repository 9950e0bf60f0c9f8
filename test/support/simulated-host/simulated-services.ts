import type { Clock } from "../../../packages/client/src/gateway/clock.ts";
import { joinAbiIndexes } from "../../../packages/tron/src/abi/abi-index.ts";
import { ArtifactIndex } from "../../../packages/tron/src/abi/artifacts/artifact-index.ts";
import { machine } from "./machine.ts";

let mounted: HttpPort | undefined;

/** Sets the gateways that answer from now on. */
export function mountPort(port: HttpPort): void {
  mounted = port;
}

/** Replaces the pool of connections. */
export function createDispatcher() {
  return {
    request: (question: Parameters<HttpPort["request"]>[0]) => {
      if (mounted === undefined) throw new Error("No port is mounted.");
      return mounted.request(question);
    },
    close: async (): Promise<void> => undefined,
    destroy: async (): Promise<void> => undefined,
  };
}

const listen = () => ({ dispose: () => undefined });

/** Replaces the artifacts of the workspace: there are none. */
export function artifactsOnDemand() {
  const index = new ArtifactIndex();
  const workspace = { index, ready: async () => index, onDidChange: listen, dispose: () => undefined };
  return { get: async () => workspace, dispose: () => undefined };
}

/** Replaces the names of selectors: there are none. */
export function namesOnDemand() {
  const index = joinAbiIndexes();
  const nothing = async (): Promise<void> => undefined;
  const names = {
    workspace: undefined,
    index,
    indexAt: () => index,
    keep: nothing,
    nearlyReady: nothing,
    ready: nothing,
    onDidChange: listen,
    dispose: () => undefined,
  };
  return Object.assign(async () => names, { ifLoaded: () => undefined });
}

let reader: ((line: string) => void) | undefined;

/** Passes each line of the log on, before anything is masked. */
export function watchLog(reported: typeof reader): void {
  reader = reported;
}

/** Replaces the log. */
export class OutputLog {
  trace(line: string): void {
    reader?.(line);
  }
  debug(line: string): void {
    reader?.(line);
  }
  info(line: string): void {
    reader?.(line);
  }
  warn(line: string): void {
    reader?.(line);
  }
  error(line: string, cause?: unknown): void {
    reader?.(cause instanceof Error ? `${line} ${cause.stack}` : line);
  }
  show(): void {}
  dispose(): void {}
}

/** Replaces the election of the window that tracks: no window does, so only commands cause requests. */
export async function leadAlone(): Promise<void> {
  await Promise.resolve();
}

/** Replaces the system clock by the clock of the mounted machine. */
export const systemClock: Clock = {
  now: () => machine().clock.now(),
  sleep: (ms, signal) => machine().clock.sleep(ms, signal),
};

/** CPU time does not count in a simulation. */
export const threadTimeMs = (): number => performance.now();

/** A request to the HTTP port: the fields of undici that the client uses. */
export interface PortQuestion {
  readonly origin?: string;
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body: string;
  readonly headersTimeout: number;
  readonly signal: AbortSignal | null;
}

export interface PortAnswer {
  readonly statusCode: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: AsyncIterable<Uint8Array>;
}

export interface HttpPort {
  request(question: PortQuestion): Promise<PortAnswer>;
}
