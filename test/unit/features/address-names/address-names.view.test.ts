import assert from "node:assert/strict";
import { parseAddress, toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import {
  changedNotice,
  checkName,
  nameQuestion,
  programQuestion,
} from "../../../../src/features/address-names/address-names.view.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

const [FRIEND, POISON] = ["TTZhLCRC5guGZAJyRkR2py6ZHGsgrpkU13", "TTZhLCRC5ZiKoSCbrZGUSTcBeaSEakkU13"].map(parseAddress);
const OTHERS = [{ address: FRIEND ?? ALICE, label: "Friend" }];

describe("checkName", () => {
  it("trims the name", () => {
    assert.deepEqual(checkName(" Old  friend ", OTHERS), { kind: "good", value: "Old friend" });
    assert.deepEqual(checkName(" ", OTHERS), { kind: "empty" });
  });

  it("rejects a look-alike name and a link", () => {
    for (const name of ["friend", "Frіend", "Fri end"]) {
      const checked = checkName(name, OTHERS);
      assert.match(checked.kind === "wrong" ? checked.message : "", /Another address has this name/, name);
    }
    const checked = checkName("https://a.test", OTHERS);

    assert.equal(checked.kind === "wrong" && checked.message, "This name cannot be used: it looks like a link.");
  });
});

describe("name prompts", () => {
  it("show the full address and its look-alike", () => {
    assert.equal(nameQuestion(ALICE, OTHERS), `Name for ${toBase58(ALICE)}`);
    assert.match(nameQuestion(POISON ?? ALICE, OTHERS), /⚠ It is not Friend, TTZhLCRC5guGZAJyRkR2py6ZHGsgrpkU13/);
  });

  it("show the current name to confirm a program's change", () => {
    const { title, detail } = programQuestion(ALICE, "Old", "New\u202E");

    assert.equal(title, `Name ${toBase58(ALICE)} “New⟨U+202E⟩”?`);
    assert.match(detail, /Current name: “Old”/);
    assert.match(detail, /a program may have/);
    assert.equal(programQuestion(ALICE, "Old", undefined).title, `Remove the name of ${toBase58(ALICE)}?`);
  });
});

describe("changedNotice", () => {
  it("H7: reports both addresses", () => {
    const notice = changedNotice({ address: BOB, name: "Rewards", was: ALICE }) ?? "";

    assert.ok(notice.includes(toBase58(BOB)) && notice.includes(toBase58(ALICE)), notice);
    assert.equal(changedNotice({ address: BOB, name: "Rewards" }), undefined);
  });
});
