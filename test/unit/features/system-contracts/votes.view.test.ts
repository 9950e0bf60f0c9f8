import assert from "node:assert/strict";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import {
  type Counting,
  checkCount,
  countQuestion,
  requireVotingPower,
  wholeVotes,
  witnessQuestion,
  witnessRows,
} from "../../../../src/features/system-contracts/votes.view.ts";
import { votingFacts, WITNESSES, witnessAt } from "../../../support/tracking/system-facts.ts";
import { ALICE } from "../../../support/tracking/tracked.ts";

const [first, second, third] = [witnessAt(1), witnessAt(2), witnessAt(3)];
const voting = { witnesses: WITNESSES, rates: new Map([[second, 20n]]) };

describe("witnessRows", () => {
  it("orders witnesses by rank, with votes, rate and address", () => {
    const [best, , last] = witnessRows(voting, []);

    assert.equal(best?.label, "“http://two.invalid”");
    assert.equal(best?.description, "rank 1 · produces blocks · 900 votes · keeps 20 % of rewards");
    assert.match(best?.detail ?? "", /^T\w{33}$/);
    assert.match(last?.label ?? "", /^T\w{5}…\w{4}$/, "a witness without URL");
    assert.equal(last?.description, "rank 3 · produces no blocks · 0 votes");
  });

  it("lists witnesses with votes of the account first, selected", () => {
    const rows = witnessRows(voting, [{ witness: third, count: 4n }]);

    assert.deepEqual(
      rows.map(({ address, picked }) => [address, picked]),
      [
        [third, true],
        [second, false],
        [first, false],
      ],
    );
    assert.match(rows[0]?.detail ?? "", / · you: 4 votes$/);
  });

  it("escapes a witness's name", () => {
    const hostile = WITNESSES.map((it) => ({ ...it, url: foreignText("$(check) ”rank 1\u202e\nx".repeat(9)) }));
    for (const { label } of witnessRows({ witnesses: hostile, rates: new Map() }, [])) {
      assert.match(label, /^“[^”\n\u202e]{1,60}”$/);
    }
  });

  it("U17: requireVotingPower rejects an account without votes, and witnessQuestion shows their number", () => {
    assert.throws(() => requireVotingPower(votingFacts(0n), "Alice"), {
      code: "VOTING_POWER_MISSING",
      message: "Alice has no votes. Stake coins to get votes.",
    });
    requireVotingPower(votingFacts(50n), "Alice");
    requireVotingPower(votingFacts(undefined), "Alice");
    assert.match(witnessQuestion(votingFacts(50n)), /Up to 30\. You have 50 votes$/);
    assert.match(witnessQuestion(votingFacts(undefined)), /Up to 30\.$/);
  });
});

describe("vote counts", () => {
  const counting = (more: Partial<Counting> = {}): Counting => ({
    facts: votingFacts(50n),
    owner: ALICE,
    candidates: [first, second],
    cast: [],
    ...more,
  });

  it("default to the earlier count, or an equal share", () => {
    const former = { facts: votingFacts(50n, [{ witness: first, count: 7n }]) };
    const cast = [{ witness: first, count: 30n }];

    assert.equal(countQuestion(counting()).value, "25");
    assert.equal(countQuestion(counting(former)).value, "7");
    assert.equal(countQuestion(counting({ cast })).value, "20");
    assert.equal(countQuestion(counting({ facts: votingFacts(0n) })).value, "1");
    assert.match(
      countQuestion(counting({ cast })).prompt,
      /“http:\/\/two\.invalid” \(T\S+\)\? 20 of 50 votes are available$/,
    );
  });

  it("are validated against the remaining votes", () => {
    const cast = [{ witness: first, count: 30n }];

    assert.deepEqual(checkCount("20", counting({ cast })), {
      kind: "good",
      value: [...cast, { witness: second, count: 20n }],
      message: "0 of 50 votes remain unused",
    });
    assert.equal(checkCount("21", counting({ cast })).kind, "wrong");
    for (const text of ["0", "-1", "1.5", "many", "9".repeat(19)])
      assert.equal(checkCount(text, counting()).kind, "wrong", text);
    assert.equal(checkCount(" ", counting()).kind, "empty");
    assert.deepEqual([wholeVotes(" 12 "), wholeVotes("0"), wholeVotes("1e3")], [12n, undefined, undefined]);
  });
});
