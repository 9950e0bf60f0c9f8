import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { DebugClient } from "@vscode/debugadapter-testsupport";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { type LoadDebuggee, RunDebugAdapter } from "../../../src/features/debugger/adapter.ts";

/** Statement at which a session is stopped. */
export interface StoppedAt {
  readonly reason: string;
  readonly text: string | undefined;
  readonly name: string;
  readonly line: number;
}

/** Client of the Debug Adapter Protocol, connected to the adapter by a socket. */
export interface ScriptedSession {
  readonly client: DebugClient;
  /** Texts of the Debug Console. */
  readonly output: readonly string[];
  /** Launches a run, sets the breakpoints of lines from 1, and returns the first stop. */
  launch(configuration: object, setup?: (client: DebugClient) => Promise<unknown>): Promise<StoppedAt | "terminated">;
  /** Sends a request that moves the run, and returns where it stops. */
  move(request: string, args?: object): Promise<StoppedAt | "terminated">;
  stack(): Promise<readonly DebugProtocol.StackFrame[]>;
  close(): Promise<void>;
}

/** Starts an adapter on a socket, and a client of it. */
export async function scriptedSession(load: LoadDebuggee): Promise<ScriptedSession> {
  const server = createServer((socket) => {
    const adapter = new RunDebugAdapter(load);
    adapter.setRunAsServer(true);
    adapter.start(socket, socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = new DebugClient("node", "", "finality");
  await client.start((server.address() as AddressInfo).port);
  const output: string[] = [];
  client.on("output", ({ body }: DebugProtocol.OutputEvent) => output.push(body.output.trimEnd()));
  const stack = async (): Promise<readonly DebugProtocol.StackFrame[]> =>
    (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames;
  const stopped = (): Promise<StoppedAt | "terminated"> =>
    new Promise((resolve, reject) => {
      client.once("terminated", () => resolve("terminated"));
      client.once("stopped", ({ body }: DebugProtocol.StoppedEvent) => {
        stack().then(
          ([top]) => resolve({ reason: body.reason, text: body.text, name: top?.name ?? "", line: top?.line ?? 0 }),
          reject,
        );
      });
    });
  const session: ScriptedSession = {
    client,
    output,
    launch: async (configuration, setup = async () => undefined) => {
      const initialized = once(client, "initialized");
      await client.initializeRequest();
      await client.launchRequest(configuration);
      await initialized;
      await setup(client);
      const stop = stopped();
      await client.configurationDoneRequest();
      return await stop;
    },
    move: async (request, args = {}) => {
      const stop = stopped();
      await client.customRequest(request, { threadId: 1, ...args });
      const found = await stop;
      client.removeAllListeners("terminated");
      client.removeAllListeners("stopped");
      return found;
    },
    stack,
    close: async () => {
      await client.stop();
      server.close();
    },
  };
  return session;
}
