import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isChainError } from "../../tron/src/errors/chain-error.ts";
import { parseAddress } from "../../tron/src/primitives/address.ts";
import { sun } from "../../tron/src/primitives/amount.ts";
import { hex } from "../../tron/src/primitives/bytes.ts";
import type { Intent } from "../../tron/src/transaction/intent.ts";
import { intentHash, MOST_OPEN, ProposalFolder } from "../src/proposals.ts";

const OWNER = parseAddress(`41${"11".repeat(20)}`);
const OTHER = parseAddress(`41${"22".repeat(20)}`);
const transfer = { kind: "transfer", owner: OWNER, to: OTHER, amount: sun(1_500_000n) } as const;
const content = { at: 1, agent: "Scout", network: "Nile", intent: transfer, note: "rent" };

const refusedAs = (why: string) => (thrown: unknown) =>
  isChainError(thrown) && thrown.code === "PROPOSAL_REFUSED" && thrown.details.why === why;

describe("ProposalFolder", () => {
  let path: string;
  let folder: ProposalFolder;

  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), "finality-proposals-"));
    folder = new ProposalFolder(path);
  });
  afterEach(() => rmSync(path, { recursive: true }));

  const fileOf = (id: string): string => join(path, `${id}.json`);

  it("lists the proposals that it stored", async () => {
    const { id } = await folder.add(content);

    const [proposal] = await folder.list();
    assert.deepEqual(proposal?.intent, transfer);
    assert.equal(proposal.id, id);
    assert.equal(await folder.stateOf(id), "open");
  });

  it("gives a proposal to one of two callers that claim it at once", async () => {
    const proposal = await folder.add(content);

    const claims = await Promise.allSettled([folder.claim(proposal), new ProposalFolder(path).claim(proposal)]);

    assert.deepEqual(claims.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
    assert.deepEqual(await folder.list(), []);
    assert.equal(await folder.stateOf(proposal.id), "used");
  });

  it("refuses a proposal that changed after its review was opened, and keeps it open", async () => {
    const proposal = await folder.add(content);
    const file = fileOf(proposal.id);
    writeFileSync(file, readFileSync(file, "utf8").replace("1500000", "9500000"));

    await assert.rejects(folder.claim(proposal), refusedAs("changed"));

    const [changed] = await folder.list();
    assert.equal(changed?.intent.kind === "transfer" && changed.intent.amount, 9_500_000n);
  });

  it("refuses a used and a discarded proposal, also when its file is written again", async () => {
    const used = await folder.add(content);
    const discarded = await folder.add(content);
    const text = readFileSync(fileOf(discarded.id));
    await folder.claim(used);
    await folder.discard(discarded.id);
    writeFileSync(fileOf(discarded.id), text);

    await assert.rejects(folder.claim(used), refusedAs("gone"));
    await assert.rejects(folder.claim(discarded), refusedAs("gone"));
    assert.deepEqual(await folder.list(), []);
  });

  it("opens a claimed proposal again when it is released", async () => {
    const proposal = await folder.add(content);
    await folder.claim(proposal);
    await folder.release(proposal.id);

    await folder.claim(proposal);
    assert.equal(await folder.stateOf(proposal.id), "used");
  });

  it(`stores at most ${MOST_OPEN} open proposals`, async () => {
    for (let at = 0; at < MOST_OPEN; at++) await folder.add({ ...content, at });

    await assert.rejects(folder.add(content), { code: "PROPOSALS_FULL" });
  });

  it("ignores files that are no proposals", async () => {
    const { id } = await folder.add(content);
    const text = readFileSync(fileOf(id), "utf8");
    const named = (digit: string): string => `${digit.repeat(8)}-1111-4111-8111-111111111111`;
    writeFileSync(fileOf(named("0")), text);
    writeFileSync(fileOf(named("1")), "{");
    writeFileSync(fileOf(named("2")), text.replace(id, named("2")).replace('"transfer"', '"permission-update"'));
    writeFileSync(fileOf(named("3")), `${text.replace(id, named("3"))}${" ".repeat(70_000)}`);
    writeFileSync(fileOf(named("4")), text.replace(id, named("4")).replace("rent", "x".repeat(501)));
    writeFileSync(join(path, "other"), text.replace(id, named("5")));
    symlinkSync(join(path, "other"), fileOf(named("5")));

    assert.deepEqual(
      (await folder.list()).map((it) => it.id),
      [id],
    );
    assert.equal(readdirSync(path).length, 8);
  });
});

describe("intentHash", () => {
  it("differs for each field that an agent proposes", () => {
    const call: Intent = {
      kind: "contract-call",
      owner: OWNER,
      contract: OTHER,
      data: hex("a9059cbb"),
      callValue: sun(1n),
      feeLimit: sun(5n),
    };
    const changed: readonly Intent[] = [
      call,
      { ...call, data: hex("a9059cbc") },
      { ...call, callValue: sun(2n) },
      { ...call, contract: OWNER },
      { ...call, tokenId: 1n },
      transfer,
      { ...transfer, memo: hex("00") },
      { ...transfer, to: OWNER },
    ];

    assert.equal(new Set(changed.map(intentHash)).size, changed.length);
  });

  it("ignores the fee limit and the permission, which the user chooses in the review", () => {
    const call = { kind: "contract-call", owner: OWNER, contract: OTHER, data: hex(""), callValue: sun(1n) } as const;

    assert.equal(
      intentHash({ ...call, feeLimit: sun(1n) }),
      intentHash({ ...call, feeLimit: sun(2n), permissionId: 2 }),
    );
  });
});
