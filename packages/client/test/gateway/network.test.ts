import assert from "node:assert/strict";
import { networkPresets } from "../../../../src/features/networks/network.view.ts";
import { isChainError, shortChainId } from "../../../tron/src/errors/chain-error.ts";
import { coinSymbolOf, commonChain } from "../../src/gateway/chain-identity.ts";
import { type ChainId, isBoundTo, parseChainId, parseGatewayUrl } from "../../src/gateway/network.ts";

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

describe("parseGatewayUrl", () => {
  it("allows http in the local network for an origin that the user allowed", () => {
    for (const url of OWN) {
      assert.match(refusal(url), /not allowed for this URL/, url);
      assert.equal(
        refusal(url, (origin) => origin === new URL(url).origin),
        "",
        url,
      );
      assert.match(
        refusal(url, (origin) => origin !== new URL(url).origin),
        /not allowed for this URL/,
        url,
      );
    }
  });

  it("refuses http elsewhere", () => {
    for (const url of NOT_OWN)
      assert.match(
        refusal(url, () => true),
        /not encrypted|not a URL/,
        url,
      );
  });

  it("allows https anywhere, and http on this computer", () => {
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

describe("isBoundTo", () => {
  it("H7: returns false for an unencrypted URL in the local network", () => {
    for (const url of OWN) assert.equal(isBoundTo({ value: "key", origins: [new URL(url).origin] }, url), false, url);
    for (const url of ["https://192.168.1.20", "http://127.0.0.1:9090"])
      assert.equal(isBoundTo({ value: "key", origins: [new URL(url).origin] }, url), true, url);
  });
});

const GENESIS = "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc";

describe("parseChainId", () => {
  it("accepts the ID of a genesis block in either case", () => {
    assert.equal(parseChainId(GENESIS), GENESIS);
    assert.equal(parseChainId(GENESIS.toUpperCase()), GENESIS);
  });

  it("refuses the ID of any other block, and other text", () => {
    const others = [GENESIS.replace(/^0{16}/, "0000000000000001"), GENESIS.slice(2), `${GENESIS}00`, "", "genesis"];
    assert.deepEqual(
      others.map((it) => parseChainId(it)),
      others.map(() => undefined),
    );
  });

  it("distinguishes chains by the digits after the height", () => {
    assert.equal(shortChainId(GENESIS), "1ebf88508a03");
  });
});

const [A, B] = ["a", "b"].map((digit) => parseChainId(`${"0".repeat(16)}${digit.repeat(48)}`) as ChainId);
const at = (url: string, recorded: ChainId | undefined, reported: ChainId | undefined) => ({ url, recorded, reported });

describe("commonChain", () => {
  it("returns the chain that the URLs report, or reported before", () => {
    assert.equal(commonChain("Main", [at("https://one", undefined, A), at("https://two", A, A)]), A);
    assert.equal(commonChain("Main", [at("https://one", A, undefined)]), A);
    assert.equal(commonChain("Main", [at("https://one", undefined, undefined), at("https://two", undefined, A)]), A);
  });

  it("returns undefined while no URL reports a chain", () => {
    assert.equal(commonChain("Main", [at("https://one", undefined, undefined)]), undefined);
  });

  it("H1: refuses a URL that reports another chain than before, with the next step", () => {
    assert.throws(() => commonChain("Main", [at("https://one", A, B)]), {
      code: "CHAIN_CHANGED",
      message:
        "https://one is another chain than before: its first block was aaaaaaaaaaaa and is bbbbbbbbbbbb now. Nothing is signed or sent there. Correct the URL of the network. If its chain was restarted, or its earlier ID was wrong, run Test Connection and accept the new chain.",
    });
  });

  it("H1: refuses a solidity or fallback URL of another chain, also when one reported it earlier", () => {
    assert.throws(() => commonChain("Main", [at("https://full", undefined, A), at("https://solid", undefined, B)]), {
      code: "CHAINS_DIFFER",
      message:
        /first block of https:\/\/full is aaaaaaaaaaaa, that of https:\/\/solid is bbbbbbbbbbbb.*remove one of them/,
    });
    assert.throws(() => commonChain("Main", [at("https://full", A, undefined), at("https://solid", B, undefined)]), {
      code: "CHAINS_DIFFER",
    });
  });
});

describe("coinSymbolOf", () => {
  it("U19: returns TRX for the networks of TronGrid, and undefined for others", () => {
    const symbols = networkPresets.map(({ id, profile }) => [id, coinSymbolOf(profile.baseUrl)]);

    assert.deepEqual(symbols, [
      ["gateway", undefined],
      ["trongrid-mainnet", "TRX"],
      ["trongrid-shasta", "TRX"],
      ["trongrid-nile", "TRX"],
      ["tre", undefined],
      ["node", undefined],
    ]);
    assert.equal(coinSymbolOf("https://api.trongrid.io./jsonrpc"), "TRX");
    for (const url of ["https://trongrid.io.evil.example", "https://eviltrongrid.io", "nonsense", "", undefined])
      assert.equal(coinSymbolOf(url), undefined, url);
  });
});
