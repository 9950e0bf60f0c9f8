import assert from "node:assert/strict";
import { WITNESSES, witnessAt } from "../../../../test/support/tracking/voting-facts.ts";
import { ranked, sumOfVotes, voteChanges } from "../../src/resources/votes.ts";

const [first, second, third] = [witnessAt(1), witnessAt(2), witnessAt(3)];

describe("witnesses", () => {
  it("are ranked by their votes, and of equals the higher address comes first", () => {
    const even = WITNESSES.map((it) => ({ ...it, votes: 1n }));

    assert.deepEqual(
      ranked(WITNESSES).map(({ address }) => address),
      [second, first, third],
    );
    assert.deepEqual(
      ranked(even).map(({ address }) => address),
      [third, second, first],
    );
  });
});

describe("what a vote changes", () => {
  const votes = (...counts: readonly (readonly [typeof first, bigint])[]) =>
    counts.map(([witness, count]) => ({ witness, count }));

  it("is what comes, what grows or shrinks, and what is lost; not what stays", () => {
    const [before, after] = [votes([first, 5n], [second, 7n]), votes([third, 2n], [second, 7n])];

    assert.equal(sumOfVotes(before), 12n);
    assert.deepEqual(voteChanges(before, after), [
      { witness: third, before: 0n, after: 2n },
      { witness: first, before: 5n, after: 0n },
    ]);
    assert.deepEqual(voteChanges(before, before.toReversed()), []);
  });

  it("counts a witness that is named twice once, with the sum", () => {
    assert.deepEqual(voteChanges([], votes([first, 1n], [first, 2n])), [{ witness: first, before: 0n, after: 3n }]);
  });
});
