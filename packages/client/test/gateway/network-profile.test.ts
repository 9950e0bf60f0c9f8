import assert from "node:assert/strict";
import { isChainError } from "../../../tron/src/errors/chain-error.ts";
import { isFor, parseGatewayUrl } from "../../src/gateway/network-profile.ts";

const OWN = [
  "http://192.168.1.20:8090",
  "http://10.0.0.7",
  "http://172.16.0.1:8090",
  "http://172.31.255.254",
  "http://[fd12:3456::7]:8090",
  "http://[fc00::1]",
  "http://node.local:8090",
  "http://0xC0A80114:8090",
];
const NOT_OWN = [
  "http://api.example.org",
  "http://8.8.8.8",
  "http://172.15.0.1",
  "http://172.32.0.1",
  "http://192.169.0.1",
  "http://169.254.169.254",
  "http://100.64.0.1",
  "http://0.0.0.0",
  "http://[2001:db8::1]",
  "http://[::ffff:192.168.1.20]",
  "http://[fe80::1]",
  "http://192.168.1.20.example.org",
  "http://10.0.0.7.nip.io",
  "http://node.local.example.org",
  "http://local",
  "http://.local",
  "http://node",
];

const refusal = (text: string, mayBePlain?: (origin: string) => boolean): string => {
  try {
    parseGatewayUrl(text, mayBePlain);
  } catch (error) {
    if (isChainError(error) && error.code === "URL_NOT_ALLOWED") return error.details.reason;
    throw error;
  }
  return "";
};

describe("the URL of a gateway", () => {
  it("may be http in the own network, where a person allowed it for this origin", () => {
    for (const url of OWN) {
      assert.match(refusal(url), /nobody here allowed it/, url);
      assert.equal(
        refusal(url, (origin) => origin === new URL(url).origin),
        "",
        url,
      );
      assert.match(
        refusal(url, (origin) => origin !== new URL(url).origin),
        /nobody here allowed it/,
        url,
      );
    }
  });

  it("is never http elsewhere, whatever was allowed", () => {
    for (const url of NOT_OWN)
      assert.match(
        refusal(url, () => true),
        /not encrypted|not a URL/,
        url,
      );
  });

  it("is https anywhere, and http on this computer, without a question", () => {
    for (const url of [
      "https://8.8.8.8",
      "https://192.168.1.20",
      "http://127.0.0.1:9090",
      "http://a.localhost",
      "http://[::1]",
    ])
      assert.equal(refusal(url), "", url);
  });
});

describe("a credential", () => {
  it("H7: never goes where it would travel unencrypted, although it was entered for that URL", () => {
    for (const url of OWN) assert.equal(isFor({ value: "key", origins: [new URL(url).origin] }, url), false, url);
    for (const url of ["https://192.168.1.20", "http://127.0.0.1:9090"])
      assert.equal(isFor({ value: "key", origins: [new URL(url).origin] }, url), true, url);
  });
});
