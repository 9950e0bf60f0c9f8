import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isJsonObject, type Json } from "../../tron/src/primitives/json.ts";
import type { HttpRequest } from "../src/http/message.ts";
import { handleRequest } from "../src/request-handler.ts";
import { nodeEndpoints } from "../src/routes/route-table.ts";
import { createSimulation, type Simulation } from "../src/simulation/simulation.ts";

/** Responses of a real node, abbreviated. */
interface Recorded {
  /** Responses by path: to POST with an empty object, and to GET without a query. */
  readonly empty: { readonly [path: string]: readonly [post: string, get: string] };
  readonly requests: readonly (readonly [
    method: string,
    path: string,
    body: string,
    contentType: string,
    answer: string,
  ])[];
}

const { empty, requests } = JSON.parse(readFileSync("test/fixtures/endpoints.json", "utf8")) as Recorded;
/** Data of the recorded chain that this chain does not have. */
const HISTORY: { readonly [path: string]: string } = {
  "/wallet/getassetissuelist": "{}",
  "/walletsolidity/getassetissuelist": "{}",
  "/wallet/getmarketpairlist": "{}",
  "/walletsolidity/getmarketpairlist": "{}",
};
/** Since java-tron 4.8.1. */
const YOUNGER = ["/wallet/getpaginatednowwitnesslist", "/walletsolidity/getpaginatednowwitnesslist"];
/** Paths that return blocks, whose transactions were not recorded. */
const OTHER_BLOCK = ["/walletsolidity/getnowblock", "/wallet/getblockbynum", "/walletsolidity/getblockbynum"];

describe("node endpoints", () => {
  let simulation: Simulation;

  before(async () => {
    simulation = await createSimulation({ seed: "endpoints", blockTimeMs: 0 });
  });

  async function ask(request: Partial<HttpRequest> & Pick<HttpRequest, "method" | "target">): Promise<string> {
    const input = await handleRequest({ headers: {}, body: Buffer.alloc(0), ...request }, simulation);
    assert.equal(input.kind, "answer");
    if (input.kind !== "answer") return "";
    const { status, body } = input.response;
    return status === 200 ? shortened(body) : String(status);
  }

  const post = (target: string, text: string, contentType = "application/json"): Promise<string> =>
    ask({ method: "POST", target, headers: { "content-type": contentType }, body: Buffer.from(text) });

  it("are those of the recorded node and of a newer one", () => {
    assert.ok(Object.keys(empty).length > 160);
    assert.deepEqual([...nodeEndpoints.keys()].sort(), [...Object.keys(empty), ...YOUNGER].sort());
  });

  it("answer an empty object and a GET without query as the recorded node did", async () => {
    const rest = Object.entries(empty).filter(([path]) => !OTHER_BLOCK.includes(path));
    for (const [path, [posted, got]] of rest) {
      const here = HISTORY[path];
      assert.equal(keysOf(await post(path, "{}"), posted), here ?? posted, `POST ${path}`);
      assert.equal(keysOf(await ask({ method: "GET", target: path }), got), here ?? got, `GET ${path}`);
    }
  });

  it("parse bodies, forms and queries as the recorded node did, with its errors", async () => {
    assert.ok(requests.length > 500);
    for (const [method, target, body, contentType, expected] of requests) {
      const got = method === "GET" ? await ask({ method, target }) : await post(target, body, contentType);
      assert.equal(keysOf(got, expected), keysOf(expected, expected), `${method} ${target} ${contentType} ${body}`);
    }
  });
});

/** Shortens an error. Java's null pointer messages depend on the uptime of the machine. */
function shortened(body: string): string {
  if (body === "") return "nothing";
  const json = parsed(body);
  if (json === undefined) return `text ${body.trim()}`;
  const error = isJsonObject(json) && typeof json.Error === "string" ? json.Error : "";
  if (!error.startsWith("class ")) return JSON.stringify(json);
  return error.replace(/^class /, "").replace(/NullPointerException : .*/s, "NullPointerException");
}

/** Returns the field names of an answer if only they were recorded, otherwise its JSON. */
function keysOf(text: string, recorded: string): string {
  const json = parsed(text);
  if (/^\{\w+( \w+)*\}$/.test(recorded)) return isJsonObject(json) ? `{${Object.keys(json).sort().join(" ")}}` : text;
  if (!isJsonObject(json)) return text;
  return JSON.stringify(Object.fromEntries(Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1))));
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
