import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Proposal, ProposalFolder, type StoredProposal } from "../../../packages/agent-tools/src/proposals.ts";
import { type LocalChain, startLocalChain } from "../../../packages/local-chain/src/main.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { CountingGateway } from "../../support/programs/program-fixture.ts";
import { loadProgramsExtension } from "../../support/simulated-host/load-sources.ts";
import { contextOf, Editor, mountEditor, type Shown } from "../../support/simulated-host/simulated-editor.ts";

describe("review of a proposal", function () {
  this.timeout(60_000);
  let home: string;
  let chain: LocalChain;
  let gateway: CountingGateway;
  let editor: Editor;
  let folder: ProposalFolder;
  let owner: Address;
  let other: Address;
  /** Called while the review is open. Returns the chosen button. */
  let onReview: (review: Shown) => string | undefined;
  const subscriptions: { dispose(): void }[] = [];
  const reviews: Shown[] = [];

  before(async () => {
    home = await mkdtemp(join(tmpdir(), "finality-review-"));
    mkdirSync(join(home, "proposals"));
    folder = new ProposalFolder(join(home, "proposals"));
    chain = await startLocalChain({ blockTimeMs: 0, accounts: 2, seed: "proposals" });
    gateway = await CountingGateway.open(chain.baseUrl);
    const { activate } = await loadProgramsExtension();
    const networks = [
      { name: "Shop", baseUrl: gateway.baseUrl },
      { name: "Other", baseUrl: gateway.baseUrl },
    ];
    const settings = new Map<string, unknown>([
      ["finality.networks", networks],
      ["finality.activeNetwork", "Shop"],
    ]);
    editor = new Editor(settings, (shown) => {
      if (!shown.modal) return undefined;
      const isReview = shown.buttons.some((it) => it === "Sign and Send");
      if (isReview) reviews.push(shown);
      return isReview ? onReview(shown) : shown.buttons.at(-1);
    });
    mountEditor(editor);
    const context = contextOf(home, new Map(), new Map());
    activate(context as never);
    subscriptions.push(...(context.subscriptions as { dispose(): void }[]));
    const [from, to] = chain.ready.accounts;
    assert.ok(from && to);
    [owner, other] = [parseAddress(from.hex), parseAddress(to.hex)];
    await editor.run("finality.importSigningKey", { privateKey: from.privateKey, label: "Alice" });
  });

  after(async () => {
    for (const it of subscriptions.reverse()) it.dispose();
    await gateway.close();
    await chain.close();
    await rm(home, { recursive: true, force: true });
  });

  beforeEach(() => {
    reviews.length = 0;
    onReview = () => "Sign and Send";
  });

  let amount = 1_000_000n;
  const propose = (more: Partial<Proposal> = {}): Promise<StoredProposal> => {
    amount += 1n;
    const intent = { kind: "transfer", owner, to: other, amount: sun(amount) } as const;
    return folder.add({ at: 1, agent: "Scout", network: "Shop", intent, note: "rent", ...more });
  };
  const review = ({ id }: { readonly id: string }) => editor.run("finality.reviewProposal", { id });
  const refusedAs =
    (why: string) => (thrown: { readonly code?: string; readonly details?: { readonly why?: string } }) =>
      thrown.code === "PROPOSAL_REFUSED" && thrown.details?.why === why;
  const journal = (): readonly { readonly kind: string; readonly proposal?: string }[] =>
    readFileSync(join(home, "journal.jsonl"), "utf8")
      .split("\n")
      .filter((it) => it.trim() !== "")
      .map((it) => JSON.parse(it));

  it("signs after the usual review, which names the claim, and stores its id in the journal", async () => {
    const proposal = await propose();
    const before = gateway.broadcasts;
    await review(proposal);

    assert.equal(reviews[0]?.buttons[0], "Do Not Send");
    assert.match(reviews[0]?.detail ?? "", /Proposed by “Scout”, a program\..* Its reason: “rent”$/);
    assert.deepEqual(
      journal().flatMap((it) => (it.proposal === proposal.id ? [it.kind] : [])),
      ["signed"],
    );
    assert.equal(gateway.broadcasts, before + 1);
  });

  it("never signs a proposal twice, also when its files are restored", async () => {
    const proposal = await propose();
    const file = join(home, "proposals", `${proposal.id}.json`);
    const text = readFileSync(file);
    await review(proposal);
    const before = gateway.broadcasts;

    await assert.rejects(review(proposal), refusedAs("gone"));
    await rm(join(home, "proposals", `${proposal.id}.used`));
    writeFileSync(file, text);
    await assert.rejects(review(proposal), refusedAs("gone"));
    assert.equal(gateway.broadcasts, before);
  });

  it("refuses a proposal that changes while its review is open", async () => {
    const proposal = await propose();
    const before = gateway.broadcasts;
    onReview = () => {
      const file = join(home, "proposals", `${proposal.id}.json`);
      writeFileSync(file, readFileSync(file, "utf8").replace("rent", "Rent"));
      return "Sign and Send";
    };

    await assert.rejects(review(proposal), refusedAs("changed"));
    assert.equal(gateway.broadcasts, before);
  });

  it("signs once when two reviews of a proposal are open", async () => {
    const proposal = await propose();
    const before = gateway.broadcasts;

    const ends = await Promise.allSettled([review(proposal), review(proposal)]);

    assert.equal(gateway.broadcasts, before + 1);
    assert.equal(ends.filter(({ status }) => status === "fulfilled").length, 1);
  });

  it("keeps a proposal open when the review is cancelled", async () => {
    const proposal = await propose();
    onReview = () => undefined;
    const before = gateway.broadcasts;

    await review(proposal);

    assert.equal(await folder.stateOf(proposal.id), "open");
    assert.equal(gateway.broadcasts, before);
  });

  it("keeps a proposal open when nothing was signed after the approval", async () => {
    const first = await propose();
    await review(first);
    const equal = await propose({ intent: first.intent });
    // The equal payment is not final, so a second review warns, and the user does not acknowledge it.
    onReview = ({ buttons }) => buttons.find((it) => it === "Do Not Send");

    await review(equal);

    assert.equal(await folder.stateOf(equal.id), "open");
  });

  it("refuses a discarded proposal, and one for another chain", async () => {
    const discarded = await propose();
    await editor.run("finality.discardProposal", { id: discarded.id });
    const chainOfOthers = await propose({ chain: `${"0".repeat(16)}${"ab".repeat(24)}` as never });

    await assert.rejects(review(discarded), refusedAs("gone"));
    await assert.rejects(review(chainOfOthers), refusedAs("chain"));
    assert.deepEqual(reviews, []);
  });
});
