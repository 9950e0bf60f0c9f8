import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { MAX_BODY, readBody } from "../src/http/request-guard.ts";
import { type LocalChain, startLocalChain } from "../src/main.ts";

interface Reply {
  readonly status: number | undefined;
  readonly text: string;
  readonly connection: string | undefined;
}

describe("node server", () => {
  let chain: LocalChain;

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: 0, accounts: 1 });
  });

  after(() => chain.close());

  async function ask(path: string, headers: Record<string, string>, ...parts: readonly Buffer[]): Promise<Reply> {
    const outgoing = request(new URL(path, chain.baseUrl), { method: parts.length === 0 ? "GET" : "POST", headers });
    // The server may close the connection before the request is complete.
    outgoing.on("error", () => undefined);
    for (const part of parts) outgoing.write(part);
    outgoing.end();
    const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
    return { status: answer.statusCode, text: await text(answer), connection: answer.headers.connection };
  }

  it("L1: refuses requests with a foreign Host header (DNS rebinding)", async () => {
    const port = new URL(chain.baseUrl).port;
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.:${port}`,
    ]) {
      for (const path of ["/local/status", "/wallet/getnowblock"]) {
        const reply = await ask(path, { host });
        assert.deepEqual([host, path, reply.status], [host, path, 403]);
        assert.ok(!reply.text.includes(chain.ready.faucet.privateKey));
      }
    }
  });

  it("answers to every name of this machine, also through a tunnel", async () => {
    for (const host of ["127.0.0.1:9471", "localhost:1", "[::1]:80", "LOCALHOST"]) {
      assert.equal((await ask("/wallet/getnowblock", { host })).status, 200, host);
    }
  });

  /** Headers that browsers send for an image, a frame, a script or a form of another page. */
  const FROM_PAGES = ["cross-site", "same-site", "Cross-Site", "cross-site, none", "anything"].map(
    (site): Record<string, string> => ({ "sec-fetch-site": site, "sec-fetch-mode": "no-cors" }),
  );
  const DEVELOPMENT_PATHS = [
    "GET /admin/accounts",
    "GET /admin/accounts-json",
    "GET /admin/temporary-accounts-generation?accounts=1",
    "POST /admin/temporary-accounts-generation?accounts=1",
    "POST /tre",
    "GET /local/status",
    "GET /local/keys",
    "POST /local/mine",
    "POST /local/reset",
    "POST /local/prove",
  ];

  it("L1 A8: refuses /admin, /tre and /local to web pages of any origin, also without an Origin header", async () => {
    const origins = ["https://evil.example", "http://evil.example", "null", chain.baseUrl].map((origin) => ({
      origin,
    }));
    for (const headers of [...FROM_PAGES, ...origins]) {
      for (const development of DEVELOPMENT_PATHS) {
        const [method = "", path = ""] = development.split(" ");
        const body = method === "POST" ? [Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tre_mine"}')] : [];
        const before = await state();
        const reply = await ask(path, headers, ...body);
        assert.deepEqual([development, headers, reply.status], [development, headers, 403]);
        assert.ok(!reply.text.includes(chain.ready.faucet.privateKey));
        assert.equal(await state(), before);
      }
    }
  });

  it("A8: changes nothing for a GET of a browser from any page", async () => {
    for (const site of ["none", "same-origin"]) {
      const headers = { "sec-fetch-site": site, "sec-fetch-dest": "document" };
      const before = await state();
      const reply = await ask("/admin/temporary-accounts-generation?accounts=1", headers);
      assert.equal(reply.status, 403);
      assert.match(reply.text, /POST/u);
      assert.equal(await state(), before);
      assert.equal((await ask("/admin/accounts", headers)).status, 200);
      assert.equal((await ask("/local/status", headers)).status, 200);
    }
  });

  it("A8: generates accounts for tools, by GET and by POST", async () => {
    const path = "/admin/temporary-accounts-generation?accounts=1";
    const before = await state();
    // Node's fetch sends this Sec-Fetch header only.
    assert.equal((await ask(path, { "sec-fetch-mode": "cors" })).status, 200);
    assert.equal((await ask(path, {}, Buffer.from(""))).status, 200);
    assert.notEqual(await state(), before);
  });

  async function state(): Promise<string> {
    const { height, accounts } = JSON.parse((await ask("/local/status", {})).text);
    return JSON.stringify([height, accounts, (await ask("/admin/accounts", {})).text]);
  }

  it("L2: refuses a body that is announced as too long without reading it", async () => {
    const reply = await ask("/wallet/getaccount", { "content-length": String(MAX_BODY + 1) }, Buffer.from("{}"));

    assert.deepEqual([reply.status, reply.connection], [413, "close"]);
  });

  it("L2: refuses a chunked body that becomes too long", async () => {
    const chunk = Buffer.alloc(1024 * 1024, " ");

    const reply = await ask("/local/mine", { "transfer-encoding": "chunked" }, ...Array(64).fill(chunk));

    assert.equal(reply.status, 413);
    assert.match(reply.text, /longer than 8388608 bytes/);
  });

  it("L2: stops reading a body that is too long", async () => {
    let produced = 0;
    const endless = Readable.from(
      (function* () {
        for (; produced < 300; produced++) yield Buffer.alloc(1024 * 1024);
      })(),
    );

    assert.equal(await readBody(Object.assign(endless, { headers: {} }) as unknown as IncomingMessage), undefined);
    assert.ok(produced < 32, `${produced} MiB were read`);
  });

  it("accepts a body of the maximum length", async () => {
    const body = Buffer.alloc(MAX_BODY, " ");
    body.write('{"num":1}');

    const reply = await ask("/wallet/getblockbynum", { "content-length": String(MAX_BODY) }, body);

    assert.equal(reply.status, 200);
    assert.match(reply.text, /body size is too big, the limit is 4194304/, "the words of the node");
  });

  it("H8: does not reveal the secret of its ready line", async () => {
    const { proof } = chain.ready;
    for (const path of ["status", "node", "faults", "requests"]) {
      assert.ok(!(await ask(`/local/${path}`, {})).text.includes(proof), path);
    }
    assert.equal((await ask("/local/prove", {}, Buffer.from('{"challenge":"x"}'))).status, 400);
  });
});
