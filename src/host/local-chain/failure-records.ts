import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { HttpGateway, NetworkProfile } from "@finality/client/gateway";
import { type ReplayFacts, readReplayFacts } from "@finality/client/traces";
import { replaceFile } from "@finality/node/storage";
import { ChainError } from "@finality/tron/errors";
import { isJsonObject, type JsonObject, parseJson, printJson, type TxId } from "@finality/tron/primitives";
import { tryRead } from "@finality/tron/read";
import { readTrace, type Trace } from "@finality/tron/traces";
import { t } from "@vscode/l10n";
import { runWithInput } from "../compiler/run-with-input.ts";
import type { Log } from "../log/log.ts";

/** Most records that are stored; the oldest are deleted. */
const MOST_RECORDS = 100;
/** Largest record in bytes. */
const MOST_BYTES = 20_000_000;
/** Most requests of one process. */
const MOST_REQUESTS = 5_000;
/** Longest time of one process. */
const TIMEOUT_MS = 120_000;
/** Suffix of a file with the reason why there is no record. */
const REASON = ".txt";

interface RecordServices {
  /** dist/local-chain.js */
  readonly program: string;
  /** Folder with the journal, which all windows share. */
  readonly folder: string;
  readonly gateways: { for(network: NetworkProfile): Promise<HttpGateway> };
  /** Masks the secrets in a text. */
  readonly masked: (text: string) => string;
  readonly log: Pick<Log, "info" | "warn">;
}

/** Replay of a failed transaction on its record. */
type FailureReplay = ReplayFacts & { readonly trace: Trace };

/**
 * Records of what contract calls read before they were signed. The local chain's program reads and replays them in a
 * process of its own. That process has no credentials and no connection to the network: this one sends its requests, if
 * they read state. A record has no keys and no signatures.
 */
export class FailureRecords {
  readonly #services: RecordServices;
  readonly #folder: string;

  constructor(services: RecordServices) {
    this.#services = services;
    this.#folder = join(services.folder, "failure-records");
  }

  /** Stores the state that a call reads. A failure is stored as its reason. */
  async record(
    network: NetworkProfile,
    { txId, rawDataHex }: { readonly txId: TxId; readonly rawDataHex: string },
  ): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#fileOf(txId);
    try {
      await this.#run(network, ["--fork", network.baseUrl, "--record-call", file], `${rawDataHex}\n`);
      if ((await stat(file)).size > MOST_BYTES) throw new Error(t`the state that it reads is too large`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#services.log.info(`The state of ${txId} was not recorded: ${reason}`);
      await rm(file, { force: true });
      await replaceFile(`${file}${REASON}`, reason);
    }
    await this.#deleteOldest();
  }

  /** Returns the transactions with a record, or with the reason why there is none. */
  async recorded(): Promise<ReadonlySet<string>> {
    const names = await readdir(this.#folder).catch(() => []);
    return new Set(names.map((name) => name.slice(0, 64)));
  }

  /**
   * Replays a transaction on its record.
   *
   * @throws {ChainError} `TRACE_UNAVAILABLE` with the reason
   */
  async replay(network: NetworkProfile, txId: TxId): Promise<FailureReplay> {
    const file = this.#fileOf(txId);
    const reason = await readFile(`${file}${REASON}`, "utf8").catch(() => undefined);
    if (reason !== undefined) {
      throw new ChainError("TRACE_UNAVAILABLE", { reason: t`its state was not recorded: ${withoutPeriod(reason)}` });
    }
    try {
      const json = parseJson(await this.#run(network, ["--replay-call", file, "--transaction", txId], ""));
      const facts = tryRead(readReplayFacts, json);
      const trace = tryRead(readTrace, (json as { readonly trace?: unknown }).trace);
      if (facts !== undefined && trace !== undefined) return { ...facts, trace };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new ChainError("TRACE_UNAVAILABLE", { reason: withoutPeriod(message) });
    }
    throw new ChainError("TRACE_UNAVAILABLE", { reason: t`its record has another version` });
  }

  #fileOf(txId: TxId): string {
    return join(this.#folder, txId);
  }

  /** Runs the program. Returns its output. @throws {Error} its message */
  async #run(network: NetworkProfile, words: readonly string[], input: string): Promise<string> {
    const gateway = await this.#services.gateways.for(network);
    const { code, output, errors } = await runWithInput(
      {
        program: process.execPath,
        arguments: [this.#services.program, "--network-from-parent", ...words],
        env: { ELECTRON_RUN_AS_NODE: "1", NODE_OPTIONS: "" },
        longestMs: TIMEOUT_MS,
        answer: this.#answering(gateway),
      },
      input,
    );
    if (code === 0) return output;
    throw new Error(errors.trim().split("\n").at(-1) || t`it exited with code ${String(code)}`);
  }

  /** Returns what answers the requests of the program: at most `MOST_REQUESTS`, and only those that read state. */
  #answering(gateway: HttpGateway): (message: unknown) => Promise<object> {
    let requests = 0;
    return async (message) => {
      const { id, path, body } = message as { readonly [name: string]: unknown };
      requests += 1;
      try {
        if (requests > MOST_REQUESTS) throw new Error(t`the state that it reads is too large`);
        return { id, text: printJson(await gateway.stateAnswer(String(path), readBody(body))) };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return { id, reason: withoutPeriod(this.#services.masked(reason)) };
      }
    };
  }

  async #deleteOldest(): Promise<void> {
    const names = await readdir(this.#folder);
    if (names.length <= MOST_RECORDS) return;
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        return { path, time: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
      }),
    );
    files.sort((a, b) => b.time - a.time);
    await Promise.all(files.slice(MOST_RECORDS).map(({ path }) => rm(path, { force: true })));
  }
}

/** @throws {Error} no JSON object */
function readBody(text: unknown): JsonObject {
  const body = parseJson(String(text));
  if (!isJsonObject(body)) throw new TypeError(String(text));
  return body;
}

function withoutPeriod(message: string): string {
  return message.trim().replace(/\.$/, "");
}
