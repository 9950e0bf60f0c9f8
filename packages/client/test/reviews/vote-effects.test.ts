import assert from "node:assert/strict";
import { votingFacts, WITNESSES, witnessAt } from "../../../../test/support/tracking/system-facts.ts";
import { ALICE, BOB } from "../../../../test/support/tracking/tracked.ts";
import { toBase58 } from "../../../tron/src/primitives/address.ts";
import { foreignText } from "../../../tron/src/primitives/plain-text.ts";
import type { Vote } from "../../src/gateway/gateway.ts";
import { voteEffect } from "../../src/reviews/system-effect.view.ts";

const vote = (...votes: readonly Vote[]) => ({ kind: "vote", owner: ALICE, votes }) as const;
const forSecond: Vote = { witness: witnessAt(2), count: 30n };

describe("voteEffect", () => {
  it("shows address, rank, rate and name of each witness", () => {
    const { action, lines, effect, doubts } = voteEffect(vote(forSecond), votingFacts(50n));

    assert.equal(action, "Give 30 votes to 1 witness");
    assert.deepEqual(lines, [
      `Votes: 30 for ${toBase58(witnessAt(2))} · rank 1 · produces blocks · keeps 20 % of rewards · calls itself “http://two.invalid”`,
      "Replaces: nothing, because this account has no votes yet",
      "Unused: 20 of 50 votes",
      "Counts: from the next vote count, every 6 h; they earn rewards from then on",
    ]);
    assert.equal(effect, "20 of 50 votes remain unused");
    assert.deepEqual(doubts, []);
  });

  it("shows replaced and changed votes", () => {
    const former = [
      { witness: witnessAt(1), count: 5n },
      { witness: witnessAt(2), count: 7n },
    ];
    const { lines } = voteEffect(vote(forSecond), votingFacts(50n, former));

    assert.match(
      lines[1] ?? "",
      /^Replaces: all previous votes of this account, 5 for T\S+ “http:\/\/one.invalid”, 7 for T\S+ “http:\/\/two.invalid”$/,
    );
    assert.match(lines[2] ?? "", /^Changes: T\S+ “http:\/\/two.invalid” 7 → 30, T\S+ “http:\/\/one.invalid” 5 → 0$/);
  });

  it("warns about votes that the chain would refuse", () => {
    const doubts = (votes: readonly Vote[], power: bigint | undefined = 50n) =>
      voteEffect(vote(...votes), votingFacts(power)).doubts;
    const many = Array.from({ length: 31 }, () => ({ witness: witnessAt(1), count: 1n }));

    assert.deepEqual(doubts([]), ["No votes are given. The chain does not accept an empty vote."]);
    assert.deepEqual(doubts(many), ["The chain accepts votes for at most 30 witnesses, and these are 31."]);
    assert.deepEqual(doubts([{ witness: witnessAt(1), count: 0n }]), ["Each witness needs at least 1 vote."]);
    assert.match(doubts([{ witness: BOB, count: 1n }]).join(), /^T\w{33} is not a witness\.$/);
    assert.deepEqual(doubts([{ ...forSecond, count: 51n }]), [
      "The account has 50 votes: each whole coin of a stake that counts for votes is one vote.",
    ]);
    assert.deepEqual(doubts([{ ...forSecond, count: 50n }]), []);
    assert.match(doubts([forSecond], 0n).join(), /^The account has no votes\. Stake coins first/);
    assert.deepEqual(doubts([forSecond], undefined), [], "an unknown voting power causes no warning");
  });

  it("escapes a witness's name", () => {
    const hostile = WITNESSES.map((it) => ({ ...it, url: foreignText("a” · rank 1\nTo: Mallory [x](command:y)") }));
    const facts = { ...votingFacts(50n), voting: { witnesses: hostile, rates: new Map() } };

    const [line = ""] = voteEffect(vote(forSecond), facts).lines;
    assert.match(line, /calls itself “[^”\n]*”$/);
  });
});
