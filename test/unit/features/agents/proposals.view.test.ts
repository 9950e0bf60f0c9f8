import assert from "node:assert/strict";
import type { StoredProposal } from "../../../../packages/agent-tools/src/proposals.ts";
import { parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import { hex } from "../../../../packages/tron/src/primitives/bytes.ts";
import {
  describeProposal,
  proposalLabel,
  reviewRemark,
  toolsQuestion,
} from "../../../../src/features/agents/proposals.view.ts";

const OWNER = parseAddress(`41${"11".repeat(20)}`);
const OTHER = parseAddress(`41${"22".repeat(20)}`);
const PROPOSAL: StoredProposal = {
  ...{ v: 1, id: "11111111-1111-4111-8111-111111111111", at: 5, agent: "Scout", network: "Nile", note: "rent" },
  intent: { kind: "transfer", owner: OWNER, to: OTHER, amount: sun(1_500_000n) },
  hash: hex("ab".repeat(32)),
};
const CONTEXT = {
  nameOf: (address: string) => (address === OTHER ? "Bob" : undefined),
  symbolOf: () => "TRX",
  timeOf: (ms: number) => `T${ms}`,
};

describe("describeProposal", () => {
  it("names the agent, the transaction and that it is a claim", () => {
    const { label, description, tooltip } = describeProposal(PROPOSAL, CONTEXT);

    assert.equal(label, "Proposed by “Scout”: 1.5 TRX → Bob");
    assert.equal(description, "claim of an agent · on Nile");
    assert.match(tooltip, /Its reason: “rent”\nA program wrote all of this\./);
  });

  it("shows the text of the agent in one visible line", () => {
    const hostile = {
      ...PROPOSAL,
      agent: "Finality\n\nSends: nothing \u202E",
      note: `x\n${"y".repeat(400)}`,
      network: "a\nb",
    };
    const { label, tooltip } = describeProposal(hostile, CONTEXT);

    assert.doesNotMatch(label, /\n|\u202E/);
    assert.ok(tooltip.split("\n").length <= 6, tooltip);
    assert.doesNotMatch(reviewRemark(hostile), /\n|\u202E/);
  });

  it("names an agent without a name", () => {
    assert.equal(proposalLabel({ ...PROPOSAL, agent: "" }), "Proposed by “an agent”");
  });
});

describe("toolsQuestion", () => {
  it("asks for the other state, and tells before the tools are on that they never sign", () => {
    assert.match(toolsQuestion(false).detail, /cannot sign or send/);
    assert.deepEqual([toolsQuestion(false).yes, toolsQuestion(true).yes], ["Turn On", "Turn Off"]);
  });
});
