import assert from "node:assert/strict";
import type { CheckResult } from "../../../src/gateway/access/connection-checks.ts";
import { type ConnectionProbe, checkRoute, type TlsHandshake } from "../../../src/gateway/access/connection-route.ts";

const NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const CERTIFICATE = {
  subject: "gateway.test",
  issuer: "Some CA",
  names: "gateway.test",
  from: NOW - DAY_MS,
  until: NOW + 90 * DAY_MS,
};

/** Returns a probe without failures, except for those of a test. */
function probeWith(change: Partial<ConnectionProbe>): ConnectionProbe {
  return {
    proxyFor: () => undefined,
    resolveName: async () => ({ kind: "found", addresses: ["203.0.113.7"], ms: 4 }),
    connect: async ([address = ""]) => ({ kind: "reached", address, ms: 5 }),
    handshake: async () => ({ kind: "secured", certificate: CERTIFICATE, fault: undefined, ms: 6 }),
    detectProtocol: async () => "unknown",
    ...change,
  };
}

async function walk(change: Partial<ConnectionProbe>, base = "https://gateway.test") {
  const findings: CheckResult[] = [];
  const isOpen = await checkRoute(base, {
    probe: probeWith(change),
    now: () => NOW,
    signal: new AbortController().signal,
    report: (it) => findings.push(it),
    begin: () => undefined,
  });
  const failed = findings.find(({ status }) => status === "failed");
  return { isOpen, findings, cause: failed === undefined ? undefined : `${failed.check}: ${failed.sentence}` };
}

const secured = (change: Partial<Extract<TlsHandshake, { kind: "secured" }>>) => async () =>
  ({ kind: "secured", certificate: CERTIFICATE, fault: undefined, ms: 6, ...change }) as const;
const unreached =
  (...failed: readonly { address: string; code: string }[]) =>
  async () =>
    ({ kind: "unreached", failed }) as const;

describe("route checks of a connection test", () => {
  it("report each step, the issuer and expiry of the certificate, and the durations", async () => {
    const { isOpen, findings } = await walk({});

    assert.equal(isOpen, true);
    assert.deepEqual(
      findings.map(({ check, status, ms }) => [check, status, ms]),
      [
        ["address", "ok", undefined],
        ["proxy", "ok", undefined],
        ["name", "ok", 4],
        ["connection", "ok", 5],
        ["tls", "ok", 6],
      ],
    );
    assert.match(findings.at(-1)?.sentence ?? "", /valid until 2026-04-01, issued by “Some CA”/);
  });

  it("end at the first failed step", async () => {
    const { isOpen, findings } = await walk({
      resolveName: async () => ({ kind: "unknown", code: "ENOTFOUND" }),
      connect: () => assert.fail("it was tried"),
    });

    assert.equal(isOpen, false);
    assert.deepEqual(
      findings.map(({ check }) => check),
      ["address", "proxy", "name"],
    );
  });

  it("refuse a URL that would send keys unencrypted before any lookup", async () => {
    const { cause } = await walk({ resolveName: () => assert.fail("it was looked for") }, "http://gateway.test");

    assert.match(cause ?? "", /^address: .*not encrypted/);
  });

  it("warn about http in the local network, and use it only when the user allowed it", async () => {
    const findings: CheckResult[] = [];
    const isOpen = await checkRoute("http://192.168.1.7:8090", {
      probe: probeWith({}),
      now: () => NOW,
      signal: new AbortController().signal,
      report: (it) => findings.push(it),
      begin: () => undefined,
      plainHttp: ["http://192.168.1.7:8090"],
    });

    assert.equal(isOpen, true);
    assert.deepEqual([findings.at(-1)?.check, findings.at(-1)?.status], ["tls", "warning"]);
    assert.match((await walk({}, "http://192.168.1.7:8090")).cause ?? "", /^address: .*not allowed for this URL/);
  });

  it("distinguish an unknown name from a resolver without an answer", async () => {
    const cause = async (code: string) => (await walk({ resolveName: async () => ({ kind: "unknown", code }) })).cause;

    assert.match((await cause("ENOTFOUND")) ?? "", /No address was found/);
    assert.match((await cause("TIMEOUT")) ?? "", /DNS server returned no address/);
    assert.match((await cause("ESERVFAIL")) ?? "", /could not be resolved \(ESERVFAIL\)/);
  });

  it("distinguish a closed port, a timeout, a missing route and IPv6", async () => {
    const cause = async (...failed: readonly { address: string; code: string }[]) =>
      (await walk({ connect: unreached(...failed) })).cause ?? "";
    const [four, six] = ["203.0.113.7", "2001:db8::7"];

    assert.match(await cause({ address: four, code: "ECONNREFUSED" }), /Nothing listens on port 443/);
    assert.match(await cause({ address: four, code: "TIMEOUT" }), /does not answer on port 443/);
    assert.match(
      await cause({ address: six, code: "ENETUNREACH" }),
      /only IPv6 addresses, which this computer cannot reach/,
    );
    assert.match(await cause({ address: four, code: "ENETUNREACH" }), /cannot be reached \(ENETUNREACH\)/);
    assert.match(
      await cause({ address: six, code: "ENETUNREACH" }, { address: four, code: "ECONNREFUSED" }),
      /Nothing listens/,
    );
  });

  it("report failures of a proxy as such", async () => {
    const proxyFor = () => ({ host: "proxy.corp", port: 3128 });
    const { findings } = await walk({ proxyFor });
    const refused = async (status: number) =>
      (await walk({ proxyFor, handshake: async () => ({ kind: "no-tunnel", status }) })).cause ?? "";

    assert.match(findings.find(({ check }) => check === "name")?.sentence ?? "", /^proxy\.corp is/);
    assert.match(await refused(407), /^proxy: The proxy proxy\.corp:3128 answered 407/);
    assert.match(await refused(502), /^proxy: .* 502 and did not open a tunnel to gateway\.test/);
    assert.match(await refused(0), /^proxy: .* does not respond as one/);
  });

  it("report the validity period of a certificate before its other faults", async () => {
    const cause = async (fault: string, change: Partial<typeof CERTIFICATE> = {}) =>
      (await walk({ handshake: secured({ fault, certificate: { ...CERTIFICATE, ...change } }) })).cause ?? "";

    assert.match(await cause("DEPTH_ZERO_SELF_SIGNED_CERT"), /self-signed/);
    assert.match(await cause("DEPTH_ZERO_SELF_SIGNED_CERT", { until: NOW - DAY_MS }), /expired on 2025-12-31/);
    assert.match(await cause("CERT_NOT_YET_VALID", { from: NOW + DAY_MS }), /is not valid before 2026-01-02/);
    assert.match(await cause("SELF_SIGNED_CERT_IN_CHAIN"), /“Some CA”.*does not trust that authority/);
    assert.match(await cause("ERR_TLS_CERT_ALTNAME_INVALID", { names: "" }), /not for gateway\.test but for “no host”/);
    assert.match(await cause("CERT_REVOKED"), /could not be verified \(CERT_REVOKED\)/);
  });

  it("warn two weeks before a certificate expires", async () => {
    const until = NOW + 9 * DAY_MS;
    const { isOpen, findings } = await walk({ handshake: secured({ certificate: { ...CERTIFICATE, until } }) });

    assert.equal(isOpen, true);
    assert.equal(findings.at(-1)?.status, "warning");
    assert.match(findings.at(-1)?.sentence ?? "", /in 9 days/);
  });

  it("name the port when no encryption is established", async () => {
    const handshake = async () => ({ kind: "failed", code: "ERR_SSL_WRONG_VERSION_NUMBER" }) as const;
    const cause = async (speaks: "http" | "http2" | "unknown") =>
      (await walk({ handshake, detectProtocol: async () => speaks })).cause ?? "";

    assert.match(await cause("http"), /Port 443 uses http without encryption/);
    assert.match(await cause("http2"), /Port 443 accepts HTTP\/2 only/);
    assert.match(await cause("unknown"), /The TLS handshake failed/);
  });

  it("C1: quote and shorten the text of a certificate, with control characters visible", async () => {
    const issuer = `\u202eevil](command:x) ${"A".repeat(500)}`;
    const { findings } = await walk({ handshake: secured({ certificate: { ...CERTIFICATE, issuer } }) });
    const sentence = findings.at(-1)?.sentence ?? "";

    assert.ok(sentence.includes("“⟨U+202E⟩evil"));
    assert.ok(sentence.length < 200);
  });

  it("A5: end when the gateway requires a client certificate first", async () => {
    const way = await walk({ handshake: async () => ({ kind: "wants-identity" }) });
    assert.equal(way.isOpen, false);
    assert.match(way.cause ?? "", /^tls: The gateway requests your client certificate before its own/);
  });
});
