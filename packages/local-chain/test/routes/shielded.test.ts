import assert from "node:assert/strict";
import { bytesToHex } from "../../../tron/src/primitives/bytes.ts";
import {
  authorizingKey,
  bech32,
  expandedKey,
  incomingViewingKey,
  nullifierKey,
  randomDiversifier,
  spendSignature,
  transmissionKey,
} from "../../src/routes/shielded.ts";

const ones = new Uint8Array(32).fill(1);
const twos = new Uint8Array(32).fill(2);

describe("shielded keys", () => {
  it("equal those of the recorded node", () => {
    const { ask, nsk, ovk } = expandedKey(new Uint8Array(32));
    assert.equal(bytesToHex(ask), "e7c7bf119b29743ee7dbc75481ed2fff49509bad387472de3ef95b8cbc17fc0c");
    assert.equal(bytesToHex(nsk), "37de5cea27e5d7d70be2af63700ca06264866708e5e6f825ca846ed805ac2305");
    assert.equal(bytesToHex(ovk), "fc77ade896c493ad617696809ea254aeff46de40fd176d637d7ec8dbd5372296");
    assert.equal(bytesToHex(authorizingKey(ones)), "c4c3ebc449d718525b8288b3dd67814c005a80196f1389c051e7d96d04098ac0");
    assert.equal(bytesToHex(nullifierKey(ones)), "744e254d3e7bccde252bc5669d666d1a83c8a220773a3dcedb13d42b9ef258e0");
    assert.equal(
      bytesToHex(incomingViewingKey(ones, twos)),
      "3be11f28737a278ee3f149e29fdb7636688f2796c0cf2fccd6570a713b640202",
    );
  });

  it("exist for half of the diversifiers", () => {
    assert.equal(transmissionKey(ones, new Uint8Array(11).fill(2)), undefined);
    assert.equal(transmissionKey(ones, randomDiversifier())?.length, 32);
  });

  it("give a new signature each time", () => {
    const [one, other] = [spendSignature(ones, twos, ones), spendSignature(ones, twos, ones)];
    assert.equal(one.length, 64);
    assert.notDeepEqual(one, other);
  });

  it("are encoded by BIP 173", () => {
    assert.equal(bech32("a", new Uint8Array()), "a12uel5l");
    const program = Buffer.from("751e76e8199196d454941c45d1b3a323f1433bd6", "hex");
    assert.match(bech32("abcdef", program), /^abcdef1w508d6qejxtdg4y5r3zarvary0c5xw7k[a-z0-9]{6}$/);
  });
});
