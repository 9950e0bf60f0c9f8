import assert from "node:assert/strict";
import { request } from "node:http";
import { startLocalChain } from "../src/main.ts";

const options = { blockTimeMs: 0, accounts: 1 } as const;

describe("the address of the embedded chain", () => {
  /** Returns the status of a request with a host header. */
  const statusFor = (baseUrl: string, path: string, headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const url = new URL(path, baseUrl.replace("0.0.0.0", "127.0.0.1"));
      const sent = request(url, { headers }, (response) => resolve(response.resume().statusCode));
      sent.on("error", reject).end();
    });

  it("is a loopback address unless remote machines are allowed", async () => {
    for (const host of ["0.0.0.0", "::", "192.0.2.1", "chain.example"]) {
      await assert.rejects(startLocalChain({ ...options, host }), /not a loopback address.*--allow-remote/s, host);
    }
    const chain = await startLocalChain({ ...options, host: "localhost" });
    await chain.close();
    assert.match(chain.baseUrl, /^http:\/\/localhost:\d+$/);
  });

  it("accepts addresses and container names as host when remote machines are allowed, and no other names", async () => {
    const chain = await startLocalChain({ ...options, host: "0.0.0.0", allowRemote: true });
    try {
      for (const host of ["192.0.2.1:9090", "[2001:db8::1]", "chain:9090", "localhost"]) {
        assert.equal(await statusFor(chain.baseUrl, "/wallet/getnowblock", { host }), 200, host);
      }
      assert.equal(await statusFor(chain.baseUrl, "/local/status", { host: "evil.example" }), 403);
    } finally {
      await chain.close();
    }
  });

  it("refuses development methods to web pages when remote machines are allowed", async () => {
    const chain = await startLocalChain({ ...options, host: "0.0.0.0", allowRemote: true });
    try {
      const headers = { host: "192.0.2.1", origin: "http://192.0.2.1" };
      for (const path of ["/admin/accounts", "/local/status"]) {
        assert.equal(await statusFor(chain.baseUrl, path, headers), 403, path);
      }
    } finally {
      await chain.close();
    }
  });
});
