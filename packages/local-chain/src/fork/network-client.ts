import { setTimeout as sleep } from "node:timers/promises";
import { isJsonObject, type Json, type JsonObject, parseJson, printJson } from "@finality/tron/primitives";

/** Limit of one request in ms. */
const TIMEOUT_MS = 20_000;
/** Most attempts of a request that the network limits or does not answer. */
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 500;
const TOO_MANY = 429;
const SERVER_ERROR = 500;

/** Counts of requests by path, and by method for JSON-RPC. */
export type RequestCounts = { readonly [path: string]: number };

/** Sends one request. @param path - below the base URL, without a slash at its begin */
export type SendRequest = (path: string, body: JsonObject) => Promise<RequestResult>;

export type RequestResult =
  | { readonly kind: "json"; readonly json: Json }
  | { readonly kind: "failure"; readonly reason: string; readonly mayRepeat: boolean };

/** Sends the read requests of a fork to its network. It never sends a transaction. */
export class NetworkClient {
  readonly url: string;
  readonly #send: SendRequest;
  readonly #counts = new Map<string, number>();

  /** @param url - base URL of the HTTP interface, without a slash at its end */
  constructor(url: string, send: SendRequest = sendDirectly(url)) {
    this.url = url;
    this.#send = send;
  }

  get counts(): RequestCounts {
    return Object.fromEntries([...this.#counts].sort());
  }

  /** Asks an endpoint of the node. @throws {Error} no answer, or none that is an object */
  async ask(path: string, body: JsonObject): Promise<JsonObject> {
    const json = await this.#post(path, path, body);
    if (!isJsonObject(json)) throw new Error(`${path} did not answer with an object`);
    if (typeof json.Error === "string") throw new Error(`${path} answered: ${json.Error}`);
    return json;
  }

  /** Calls a JSON-RPC method. @throws {Error} no answer, or an error */
  async call(method: string, params: readonly Json[]): Promise<Json> {
    const body = { jsonrpc: "2.0", id: 1, method, params };
    const json = await this.#post("jsonrpc", `jsonrpc ${method}`, body);
    if (!isJsonObject(json)) throw new Error(`${method} did not answer with an object`);
    if (json.result !== undefined && json.result !== null) return json.result;
    const message = isJsonObject(json.error) ? json.error.message : "no result";
    throw new Error(`${method} answered: ${String(message)}`);
  }

  async #post(path: string, name: string, body: JsonObject): Promise<Json> {
    for (let attempt = 1; ; attempt += 1) {
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
      const answer = await this.#send(path, body);
      if (answer.kind === "json") return answer.json;
      if (!answer.mayRepeat || attempt === ATTEMPTS) throw new Error(`${name}: ${answer.reason}`);
      await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { ref: false });
    }
  }
}

/** Sends requests to a base URL without credentials. */
function sendDirectly(baseUrl: string): SendRequest {
  return async (path, body) => {
    try {
      const response = await fetch(`${baseUrl}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: printJson(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      if (response.ok) return { kind: "json", json: parseJson(text) };
      const mayRepeat = response.status === TOO_MANY || response.status >= SERVER_ERROR;
      return { kind: "failure", reason: `HTTP status ${response.status}`, mayRepeat };
    } catch (error) {
      return { kind: "failure", reason: reasonOf(error), mayRepeat: false };
    }
  };
}

/** Returns the reason of a failed request. `fetch` has it in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
