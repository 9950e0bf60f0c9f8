import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { describeTimeline } from "../../../../src/features/tracking/timeline-page.view.ts";
import { timelineReport } from "../../../../src/features/tracking/timeline-report.ts";
import { MASK, Masking, maskTexts } from "../../../../src/host/log/masking.ts";
import { nameOf, noReasons, tracked } from "../../../support/tracking/tracked.ts";

const TX_ID = "7f3a".repeat(16);
const KEY = "ab12".repeat(16);

describe("Masking", () => {
  it("masks tokens and private keys by their form", () => {
    const masking = new Masking();
    const pem = "-----BEGIN PRIVATE KEY-----\nMIIEvQ\nabc=\n-----END PRIVATE KEY-----";

    assert.equal(masking.masked("authorization: Bearer abc.def-1"), `authorization: ${MASK}`);
    assert.equal(masking.masked("token eyJhbGciOiJS.eyJhdWQi.c2ln end"), `token ${MASK} end`);
    assert.equal(masking.masked(`before ${pem} after`), `before ${MASK} after`);
    assert.equal(masking.masked("-----BEGIN RSA PRIVATE KEY-----\nMIIE, cut off"), MASK);
  });

  it("masks remembered values in any case, with or without 0x", () => {
    const masking = new Masking();
    masking.remember(`0x${KEY}`);
    masking.remember("an api.key+1 ");

    assert.equal(masking.masked(`key=${KEY.toUpperCase()}, 0x${KEY}`), `key=${MASK}, 0x${MASK}`);
    assert.equal(masking.masked("header: an api.key+1"), `header: ${MASK}`);
    assert.equal(masking.masked("an apiXkey+1"), "an apiXkey+1");
  });

  it("finds tokens between dots and dashes", () => {
    const masking = new Masking();
    const token = "eyJhbGciOiJS.eyJhdWQi.c2ln";

    assert.equal(masking.masked(`a.b-${token}.end, ${token} "${token}"`), `a.b-${MASK}.end, ${MASK} "${MASK}"`);
    assert.equal(masking.masked("eyJ.a.b xeyJab.cd.ef eyJab..cd eyJab.cd"), "eyJ.a.b xeyJab.cd.ef eyJab..cd eyJab.cd");
  });

  it("handles adversarial texts in linear time", () => {
    const masking = new Masking();
    masking.remember("ab".repeat(32));
    masking.remember("0".repeat(63));
    for (const text of ["-eyJ".repeat(250_000), "a".repeat(1_000_000)]) assert.equal(masking.masked(text), text);
  });

  it("L8: keeps no remembered secret as text in memory", async () => {
    const file = join(import.meta.dirname, "../../../support/http/named-secret.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [file]);

    assert.deepEqual(JSON.parse(stdout), { masked: `a ${MASK} z`, showsClass: true, showsSecret: false });
  });

  it("L8: masks a key inside longer hex, and each line of a PEM", () => {
    const masking = new Masking();
    const key = randomBytes(32).toString("hex");
    masking.remember(key);
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    masking.remember(pem);

    assert.equal(
      masking.masked(`${TX_ID}${key.toUpperCase()}${TX_ID} ${key}${key}`),
      `${TX_ID}${MASK}${TX_ID} ${MASK}${MASK}`,
    );
    const lines = pem.split("\n").slice(1, -2);
    assert.ok(lines.length > 20);
    for (const line of lines) assert.equal(masking.masked(`x ${line.slice(0, 64)}.`), `x ${MASK}.`);
  });

  it("keeps txIDs and short words", () => {
    const masking = new Masking();
    masking.remember("short");
    masking.remember("");

    assert.equal(masking.masked(`${TX_ID} is short`), `${TX_ID} is short`);
  });
});

const context = {
  nameOf,
  timeOf: (ms: number) => `t${ms}`,
  reasonOf: noReasons,
  sessionStart: 9,
  production: false,
  fallbackUrls: [],
};

describe("maskTexts", () => {
  it("masks secrets in a page and its report only", () => {
    const masking = new Masking();
    masking.remember("key-0123456789");
    const message = "the header CHAIN-PRO-API-KEY key-0123456789 with Bearer abc.def is wrong";
    const outcome = { kind: "rejected", code: "SIGERROR", message } as const;
    const attempts = [{ number: 1, endpoint: "https://gateway.test", startedAt: 5, outcome }];
    const life = describeTimeline(tracked({ attempts }), context);

    const masked = maskTexts(life, (text) => masking.masked(text));

    assert.doesNotMatch(JSON.stringify(masked) + timelineReport(masked), /key-0123456789|abc\.def/);
    assert.ok(JSON.stringify(masked).includes(MASK));
    assert.deepEqual(masked.stages, life.stages);
    assert.equal(masked.production, false);
    assert.equal(masked.proof, null);
  });
});
