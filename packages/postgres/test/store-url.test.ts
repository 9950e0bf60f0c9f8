import assert from "node:assert/strict";
import { parseStoreUrl } from "../src/store-url.ts";

const refusal = (url: string): string => {
  const settings = parseStoreUrl(url, {});
  return settings.kind === "refused" ? settings.reason : "accepted";
};

describe("parseStoreUrl", () => {
  it("accepts a verified connection, and loopback without TLS", () => {
    const remote = parseStoreUrl("postgres://pay%40bank@db.example.org/runs?sslmode=verify-full", {}, "secret");
    const local = parseStoreUrl("postgresql://pay@127.0.0.1:5433/runs", {});

    assert.ok(remote.kind === "settings" && local.kind === "settings");
    const { host, port, user, database, password, ssl } = remote.config;
    assert.deepEqual([host, port, user, database, password], ["db.example.org", 5432, "pay@bank", "runs", "secret"]);
    assert.deepEqual(ssl, { rejectUnauthorized: true });
    assert.deepEqual([local.config.ssl, "password" in local.config, local.config.port], [false, false, 5433]);
    assert.doesNotMatch(remote.shown, /secret/);
  });

  it("refuses a password in the URL without repeating it", () => {
    const reason = refusal("postgres://pay:hunter2@127.0.0.1/runs");
    assert.match(reason, /contains a password/);
    assert.doesNotMatch(reason, /hunter2/);
  });

  it("refuses connections that do not verify the server", () => {
    for (const mode of ["", "?sslmode=require", "?sslmode=prefer", "?sslmode=verify-ca", "?sslmode=disable"])
      assert.match(refusal(`postgres://pay@db.example.org/runs${mode}`), /sslmode=verify-full/, mode);
    assert.match(refusal("postgres://pay@127.0.0.1/runs?sslmode=require"), /sslmode=verify-full/);
  });

  it("refuses URLs that name no user or database, unknown parameters and unreadable certificates", () => {
    assert.match(refusal("https://db.example.org/runs"), /has to be a URL/);
    assert.match(refusal("postgres://db.example.org/runs"), /user and a database/);
    assert.match(refusal("postgres://pay@localhost/"), /user and a database/);
    assert.match(refusal("postgres://pay@localhost/%E0%A4"), /% without two/);
    assert.match(refusal("postgres://pay@localhost/runs?password=hunter2"), /unknown parameter "password"/);
    assert.match(refusal("postgres://pay@localhost/runs?sslmode=verify-full&sslrootcert=/none"), /cannot be read/);
  });
});
