import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AgentPorts, type LocalControl, readsOf } from "@finality/agent-tools";
import { ProposalFolder } from "@finality/agent-tools/proposals";
import { loadDictionary } from "@finality/client/explain";
import { LOCAL_NETWORK_NAME, type NetworkProfile } from "@finality/client/gateway";
import { type TrackedTransaction, TransactionTracker } from "@finality/client/tracking";
import { JournalFile } from "@finality/node/journal";
import { systemClock as clock } from "@finality/node/system-clock";
import { joinAbiIndexes } from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import { isJsonObject, type JsonObject, parseJson, printJson } from "@finality/tron/primitives";
import type { Context, Invocation } from "./command.ts";
import { readConfiguration } from "./configuration.ts";
import { readAbi } from "./input.ts";
import { journalFolder, noJournal } from "./journal.ts";
import { type ChosenNetwork, chooseNetwork, connect } from "./network.ts";
import type { Terminal } from "./terminal.ts";
import { openTracked } from "./tracking.ts";

const TIMEOUT_MS = 10_000;

/** Names that tools use for the network of `--network`, and the URL or name behind it. */
interface KnownNetwork {
  readonly profile: NetworkProfile;
  readonly argument: string;
}

/**
 * Returns the ports of the tools on Node. Tools reach the networks of the configuration, that of `--network` and the
 * embedded chain. A URL in an argument of a tool is no network.
 */
export function agentPorts(invocation: Invocation, context: Pick<Context, "terminal" | "warn">): AgentPorts {
  const terminal = withStoredKeys(context.terminal);
  const started = invocation.isOn("local") ? LOCAL_NETWORK_NAME : invocation.text("network");
  const on = (network: string | undefined, ...positionals: readonly string[]): Invocation =>
    network === LOCAL_NETWORK_NAME
      ? invocation.with({ local: true, network: undefined, ...NO_KEYS }, positionals)
      : invocation.with({ local: undefined, network }, positionals);
  const open = async (at: Invocation): Promise<ChosenNetwork> =>
    await chooseNetwork(at, at.isOn("local") ? withoutKeys(terminal) : terminal);
  const known = async (): Promise<readonly KnownNetwork[]> => {
    const { networks } = await readConfiguration(invocation, terminal);
    const configured = networks.map((profile) => ({ argument: profile.name, profile }));
    const others = [started, LOCAL_NETWORK_NAME].filter((it) => it !== undefined);
    const opened = others
      .filter((it) => !configured.some(({ argument }) => argument === it))
      .map(async (argument) => ({ argument, profile: (await open(on(argument))).profile }));
    return [...configured, ...(await Promise.all(opened))];
  };
  const choose = async (name: string | undefined, ...positionals: readonly string[]): Promise<Invocation> => {
    if (name === undefined) return on(started, ...positionals);
    const found = (await known()).find(({ profile }) => profile.name === name);
    if (found === undefined) throw new ChainError("NETWORK_UNKNOWN", { network: name });
    return on(found.argument, ...positionals);
  };
  const journal = async (): Promise<string> =>
    journalFolder(invocation, terminal, await readConfiguration(invocation, terminal));
  const transactions = async (): Promise<readonly TrackedTransaction[]> => await readJournal(await journal());
  return {
    networks: async () => (await known()).map(({ profile }) => profile),
    read: async (name, use) => {
      const connection = connect(await open(await choose(name)));
      try {
        return await use({ network: connection.profile, gateway: readsOf(connection.gateway) });
      } finally {
        await connection.close();
      }
    },
    transactions,
    refresh: async (txId, network) => {
      const stored = (await transactions()).find((it) => it.txId === txId);
      const at = await choose(stored?.network ?? network, txId);
      const own = at.isOn("local") ? withoutKeys(terminal) : terminal;
      const here = await openTracked(at, { ...context, terminal: own });
      try {
        await here.tracker.refresh(txId);
        const found = here.current();
        return stored === undefined && found.state.kind === "unknown" ? undefined : found;
      } finally {
        await here.close();
      }
    },
    control: async (control, body) => {
      const { profile } = await open(on(LOCAL_NETWORK_NAME));
      return await controlChain(profile.baseUrl, control, body);
    },
    names: async () => {
      const dictionary = await loadDictionary();
      const own = await readAbi(invocation, terminal);
      return own === undefined ? dictionary : joinAbiIndexes(own, dictionary);
    },
    proposals: async () => new ProposalFolder(join(await journal(), "proposals")),
  };
}

/** Options that name credentials. */
const NO_KEYS = { "api-key-fd": undefined, "jwt-key-fd": undefined };

/** Returns a terminal without credentials: any program can listen where the embedded chain would be. */
function withoutKeys(terminal: Terminal): Terminal {
  return { ...terminal, env: { ...terminal.env, FINALITY_API_KEY: undefined, FINALITY_JWT_KEY: undefined } };
}

/** Returns a terminal that reads each file descriptor once: it is empty afterwards, and a server has many calls. */
function withStoredKeys(terminal: Terminal): Terminal {
  const contents = new Map<string, Promise<string>>();
  const read = (path: string): Promise<string> => {
    if (!path.startsWith("fd:")) return terminal.read(path);
    const content = contents.get(path) ?? terminal.read(path);
    contents.set(path, content);
    return content;
  };
  return { ...terminal, read };
}

/** Returns the transactions of a journal, newest first. The file is read and not changed. */
async function readJournal(folder: string): Promise<readonly TrackedTransaction[]> {
  if (!existsSync(join(folder, "journal.jsonl"))) return [];
  const file = new JournalFile(folder);
  const { entries } = await file.load();
  await file.close();
  const tracker = new TransactionTracker({
    store: { ...noJournal, load: async () => ({ entries, warnings: [] }) },
    gatewayFor: async (network) => {
      throw new ChainError("NETWORK_UNKNOWN", { network });
    },
    clock,
  });
  await tracker.load();
  const list = tracker.list();
  tracker.dispose();
  return list;
}

/**
 * Controls the embedded chain. Another server at its URL gets one query and no change.
 *
 * @throws {ChainError} `LOCAL_CHAIN_STOPPED`
 */
async function controlChain(baseUrl: string, control: LocalControl, body: JsonObject | undefined): Promise<JsonObject> {
  const status = await request(baseUrl, "status", undefined);
  if (typeof status.height !== "number" || !isJsonObject(status.faucet))
    throw new ChainError("LOCAL_CHAIN_STOPPED", {});
  return body === undefined ? status : await request(baseUrl, control, body);
}

async function request(baseUrl: string, control: LocalControl, body: JsonObject | undefined): Promise<JsonObject> {
  const options = body === undefined ? {} : { method: "POST", body: printJson(body) };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await fetch(`${baseUrl}/local/${control}`, { ...options, redirect: "error", signal });
    const json = parseJson(await answer.text());
    if (isJsonObject(json)) return json;
  } catch {
    // The same as an answer of another server.
  }
  throw new ChainError("LOCAL_CHAIN_STOPPED", {});
}
