import assert from "node:assert/strict";
import { toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { chainEnvironment, terminalMessage } from "../../../../src/features/terminals/terminal-environment.view.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

const LOCAL = { name: "Local chain", baseUrl: "http://127.0.0.1:9090", local: true };
const NILE = { name: "Nile", baseUrl: "https://nile.example", local: false };

describe("chainEnvironment", () => {
  it("contains the network and the addresses of its accounts", () => {
    const accounts = [
      { label: "Alice", address: ALICE },
      { label: "Bob (test)", address: BOB },
    ];

    assert.deepEqual(chainEnvironment(NILE, accounts), {
      FINALITY_NETWORK: "Nile",
      FINALITY_URL: "https://nile.example",
      FINALITY_ADDRESS_ALICE: toBase58(ALICE),
      FINALITY_ADDRESS_BOB_TEST: toBase58(BOB),
    });
  });

  it("sets CHAIN_URL for the local chain only", () => {
    assert.equal(chainEnvironment(LOCAL, []).CHAIN_URL, "http://127.0.0.1:9090");
    assert.equal(chainEnvironment(LOCAL, []).FINALITY_LOCAL_URL, "http://127.0.0.1:9090");
    assert.equal("CHAIN_URL" in chainEnvironment(NILE, []), false);
  });

  it("numbers accounts whose names give no variable of their own", () => {
    const accounts = [
      { label: "Bob-1", address: ALICE },
      { label: "bob 1", address: BOB },
      { label: "爱丽丝", address: ALICE },
    ];

    assert.deepEqual(Object.keys(chainEnvironment(NILE, accounts)).slice(2), [
      "FINALITY_ADDRESS_BOB_1",
      "FINALITY_ADDRESS_2",
      "FINALITY_ADDRESS_3",
    ]);
  });

  it("copies nothing but label and address of an account", () => {
    const account = { label: "Alice", address: ALICE, privateKey: "c0ffee".repeat(10) };

    assert.doesNotMatch(JSON.stringify(chainEnvironment(LOCAL, [account])), /c0ffee/);
  });

  it("shows the names of the variables without control characters of a network name", () => {
    const message = terminalMessage(chainEnvironment({ ...NILE, name: "Nile\u001b[2J" }, []));

    assert.match(message, /FINALITY_NETWORK, FINALITY_URL$/);
    assert.ok(!message.includes("\u001b"));
  });
});
