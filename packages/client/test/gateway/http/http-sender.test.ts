import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { FakeClock } from "../../../../../test/support/fakes/fake-clock.ts";
import {
  gatewayAt,
  profileAt,
  recordedBlock,
  recordedTransfer,
} from "../../../../../test/support/fakes/gateway-fixtures.ts";
import { CREDENTIAL_FORMS } from "../../../../../test/support/http/credential-forms.ts";
import {
  cut,
  type Handler,
  json,
  type SeenRequest,
  startServer,
  text,
} from "../../../../../test/support/http/http-server.ts";
import { createHttpGateway, type HttpGateway } from "../../../src/gateway/http/http-gateway.ts";
import { echoRemover, secretsOfToken } from "../../../src/gateway/http/http-sender.ts";
import { type NetworkProfile, originsOf } from "../../../src/gateway/network.ts";

const BLOCK = json(recordedBlock());
const API_KEY = "canary-api-key-0123456789";
const TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJjYW5hcnkifQ.c2lnbmF0dXJlLW9mLWEtY2FuYXJ5";

/** Returns a gateway whose credentials are bound to these URLs. */
function bound(
  profile: NetworkProfile,
  urls: readonly string[],
  clock = new FakeClock(),
): HttpGateway & AsyncDisposable {
  const origins = urls.map((url) => new URL(url).origin);
  const gateway = createHttpGateway(profile, {
    clock,
    random: () => 0,
    apiKey: { value: API_KEY, origins },
    accessToken: { value: async () => TOKEN, origins },
  });
  return Object.assign(gateway, { [Symbol.asyncDispose]: () => gateway.close() });
}

const carried = ({ headers }: SeenRequest) => [headers["chain-pro-api-key"], headers.authorization];
const ALL = [API_KEY, `Bearer ${TOKEN}`];
const NONE = [undefined, undefined];

describe("HttpSender credentials", () => {
  it("H7: go only to the origins that they were entered for", async () => {
    await using own = await startServer(text("busy", 503));
    await using fallback = await startServer(BLOCK);
    await using solid = await startServer(text("busy", 503));
    const profile = profileAt(`${own.url}/path`, {
      jwt: true,
      fallbackUrls: [fallback.url],
      solidityBaseUrl: solid.url,
    });
    await using gateway = bound(profile, [own.url]);

    await gateway.solidBlock();
    await gateway.headBlock();
    await gateway.broadcast(recordedTransfer());

    assert.deepEqual(originsOf(profile), [own.url, solid.url, fallback.url]);
    assert.ok(own.requests.length > 0 && fallback.requests.length > 0 && solid.requests.length > 0);
    for (const request of own.requests) assert.deepEqual(carried(request), ALL);
    for (const request of [...fallback.requests, ...solid.requests]) assert.deepEqual(carried(request), NONE);
  });

  it("H7: go to the other URLs that the user allowed", async () => {
    await using own = await startServer(text("busy", 503));
    await using fallback = await startServer(BLOCK);
    await using gateway = bound(profileAt(own.url, { jwt: true, fallbackUrls: [fallback.url] }), [
      own.url,
      fallback.url,
    ]);

    await gateway.headBlock();

    assert.deepEqual(carried(fallback.requests[0] as SeenRequest), ALL);
  });

  it("H7: are not sent when the URL of the network has changed, and the error states the reason", async () => {
    for (const jwt of [false, true]) {
      await using evil = await startServer(json({ Error: "who are you" }, 401));
      await using gateway = bound(profileAt(evil.url, { jwt }), ["https://api.chain.test"]);

      await assert.rejects(gateway.headBlock(), (error: Error) => {
        assert.match(
          error.message,
          /entered for https:\/\/api\.chain\.test and are not sent elsewhere.*edit the network/,
        );
        return "code" in error && error.code === "GATEWAY_UNAUTHORIZED";
      });
      for (const request of evil.requests) assert.deepEqual(carried(request), NONE);
    }
  });

  it("H7: treat another port or scheme of the host as another origin", async () => {
    await using server = await startServer(BLOCK);
    const { port } = new URL(server.url);
    await using gateway = bound(profileAt(server.url, { jwt: true }), [
      `https://127.0.0.1:${port}`,
      "http://127.0.0.1:1",
      `http://localhost:${port}`,
    ]);

    await gateway.headBlock();

    assert.deepEqual(carried(server.requests[0] as SeenRequest), NONE);
  });
});

describe("HttpSender with a gateway that repeats credentials", () => {
  const answers: { readonly [kind: string]: (echo: string) => Handler } = {
    "as an error of the node": (echo) => json({ Error: `class x.Y : ${echo}` }),
    "as a refusal": (echo) => json({ result: { code: "OTHER_ERROR", message: Buffer.from(echo).toString("hex") } }),
    "as a page of another status": (echo) => text(`<pre>${echo}</pre>`, 404),
    "as a server error": (echo) => text(`${echo}`, 500),
    "as no JSON": (echo) => text(echo),
    "as a cut answer": (echo) => (response) =>
      response.writeHead(200, { "content-length": "9999" }).write(`{"x":"${echo}`, () => response.socket?.destroy()),
  };

  for (const [kind, answer] of Object.entries(answers)) {
    it(`M2: removes the API key and the token, ${kind}`, async () => {
      for (const [form, write] of Object.entries(CREDENTIAL_FORMS)) {
        const echo = `${write(API_KEY)} ${write(TOKEN)}`;
        await using server = await startServer(answer(echo));
        const lines: string[] = [];
        const options = {
          accessToken: async () => TOKEN,
          apiKey: API_KEY,
          deadlineMs: 1,
          log: { debug: pushTo(lines) },
        };
        await using it = gatewayAt(server.url, { jwt: true }, options);

        const error = await it.gateway.headBlock().catch((thrown: unknown) => thrown);
        const broadcast = await it.gateway.broadcast(recordedTransfer());

        const everything = JSON.stringify([
          error,
          String(error),
          detailsOf(error),
          broadcast,
          detailsOf(broadcast),
          lines,
        ]);
        assert.ok(server.requests.length >= 2 && everything.includes("***"), `${form}: ${everything}`);
        for (const part of [API_KEY, TOKEN, TOKEN.split(".")[2] ?? ""]) {
          for (const leak of [
            write(part),
            part,
            Buffer.from(part).toString("hex"),
            Buffer.from(part).toString("base64"),
          ])
            assert.equal(everything.toLowerCase().includes(leak.toLowerCase()), false, `${form}: ${everything}`);
        }
      }
    });
  }

  it("M2: keeps a valid answer readable", async () => {
    const block = recordedBlock() as object;
    await using server = await startServer(json({ ...block, debug: { "chain-pro-api-key": API_KEY } }), cut);
    await using it = gatewayAt(server.url, {}, { apiKey: API_KEY });

    assert.ok((await it.gateway.headBlock()).number > 0);
  });
});

function pushTo(lines: string[]): (line: string) => void {
  return (line) => lines.push(line);
}

/** Returns every property of a value, also of errors. */
function detailsOf(value: unknown): unknown {
  if (value === null || typeof value !== "object") return typeof value === "bigint" ? String(value) : value;
  const own =
    value instanceof Error ? { ...value, message: value.message, stack: value.stack, cause: value.cause } : value;
  return Object.fromEntries(Object.entries(own).map(([name, it]) => [name, detailsOf(it)]));
}

const KEY = `Api/key+${randomBytes(12).toString("base64url")}"&=`;
const LONG_TOKEN = `eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJjaGFpbiJ9.${randomBytes(256).toString("base64url")}`;

describe("removal of repeated credentials", () => {
  for (const [form, write] of Object.entries(CREDENTIAL_FORMS)) {
    it(`M2: removes credentials ${form}`, () => {
      for (const secret of [KEY, LONG_TOKEN]) {
        const remove = echoRemover([secret]);
        const echo = write(secret);

        const left = remove(`{"Error":"before ${echo} after"}`);

        assert.match(left, /^\{"Error":"before .{0,9}(?:\*\*\*|2a2a2a).{0,4} after"\}$/s);
      }
    });
  }

  it("M2: removes only the signature of a token", () => {
    const [, , signature = ""] = LONG_TOKEN.split(".");

    assert.equal(echoRemover(secretsOfToken(LONG_TOKEN))(`sig=${signature};`), "sig=***;");
  });

  it("M2: removes the beginning of a credential at the truncated end of an answer", () => {
    assert.equal(echoRemover([LONG_TOKEN])(`you sent ${LONG_TOKEN.slice(0, 300)}`), "you sent ***");
    assert.equal(echoRemover([LONG_TOKEN])(`you sent ${LONG_TOKEN.slice(0, 300)}…`), "you sent ***");
  });

  it("M2: keeps every other text unchanged", () => {
    const remove = echoRemover([KEY, ...secretsOfToken(LONG_TOKEN), "short"]);
    const texts = ['{"blockID":"00ff","short":1}', "Bearer eyJhbGciOi and so on", "", "\u0000\ud800 ***", KEY.slice(4)];

    for (const text of texts) assert.equal(remove(text), text);
    const block = JSON.stringify({
      transactions: Array.from({ length: 2_000 }, () => randomBytes(600).toString("hex")),
    });
    assert.equal(remove(block), block);
  });

  it("M2: ends in time for a body that is slow to search", () => {
    const body = [LONG_TOKEN.slice(0, -1).repeat(2_000), "\\".repeat(1_000_000), "a".repeat(1_000_000), "z"].join("!");

    assert.equal(echoRemover([LONG_TOKEN, `${"a".repeat(40)}b`])(body).length, body.length);
  });
});
