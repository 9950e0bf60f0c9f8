import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseChainId } from "../../../../packages/client/src/gateway/network.ts";
import { loadWithEditor } from "../../../support/fakes/fake-editor.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

type BookModule = typeof import("../../../../src/host/contracts/contract-book.ts");
const { ContractBook } = await loadWithEditor<BookModule>("src/host/contracts/contract-book.ts");

const chainOf = (digit: string) => parseChainId(`${"0".repeat(16)}${digit.repeat(48)}`) ?? assert.fail();
const [CHAIN, OTHER] = [chainOf("a"), chainOf("b")];
const ABI = [
  {
    type: "event",
    name: "Poured",
    anonymous: false,
    inputs: [{ name: "guest", type: "address", indexed: true }],
  },
];

describe("ContractBook", () => {
  let folder: string;
  const opened: InstanceType<typeof ContractBook>[] = [];
  const failures: unknown[] = [];

  async function open(): Promise<InstanceType<typeof ContractBook>> {
    const book = new ContractBook({ folder, failed: (error) => void failures.push(error) });
    opened.push(book);
    await book.load();
    return book;
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-contracts-"));
    failures.length = 0;
  });
  afterEach(async () => {
    for (const it of opened.splice(0)) await it.close();
    await rm(folder, { recursive: true, force: true });
    assert.deepEqual(failures, []);
  });

  it("returns added contracts of their chain only, with the stored ABI, also after a restart", async () => {
    const book = await open();
    await book.add({ chain: CHAIN, address: ALICE, abi: ABI, abiFile: "Leaf.json" });
    await book.add({ chain: OTHER, address: BOB });
    const next = await open();

    for (const it of [book, next]) {
      assert.deepEqual(it.on(CHAIN), [{ chain: CHAIN, address: ALICE, abi: ABI, abiFile: "Leaf.json" }]);
      assert.equal(it.find(OTHER, ALICE), undefined);
      assert.equal(it.find(OTHER, BOB)?.address, BOB);
    }
  });

  it("stores a removal, which the next addition revokes", async () => {
    const book = await open();
    await book.add({ chain: CHAIN, address: ALICE });
    await book.remove(CHAIN, ALICE);

    assert.deepEqual([book.on(CHAIN), book.isRemoved(CHAIN, ALICE), book.isRemoved(OTHER, ALICE)], [[], true, false]);
    await book.add({ chain: CHAIN, address: ALICE });
    assert.equal(book.isRemoved(CHAIN, ALICE), false);
    assert.equal((await open()).on(CHAIN).length, 1);
  });

  it("follows the lines of another window", async () => {
    const [one, two] = [await open(), await open()];
    const changed = new Promise<void>((resolve) => two.onDidChange(resolve));
    await one.add({ chain: CHAIN, address: ALICE });
    await changed;

    assert.equal(two.on(CHAIN).length, 1);
  });

  it("ignores lines that it cannot parse, and keeps them", async () => {
    const book = await open();
    await book.add({ chain: CHAIN, address: ALICE });
    const file = join(folder, "contracts", "contracts.jsonl");
    const strange = ['{"kind":"added"}', "nonsense", `{"kind":"pinned","chain":"${CHAIN}","address":"${ALICE}"}`];
    await writeFile(file, `${await readFile(file, "utf8")}${strange.join("\n")}\n`);
    const next = await open();
    await next.add({ chain: CHAIN, address: BOB });

    assert.deepEqual(
      next.on(CHAIN).map(({ address }) => address),
      [ALICE, BOB],
    );
    assert.match(await readFile(file, "utf8"), /nonsense/);
  });

  it("reports a list that cannot be written", async () => {
    const book = await open();
    await book.close();
    opened.length = 0;
    await rm(folder, { recursive: true, force: true });
    await writeFile(folder, "a file in place of the folder");

    await assert.rejects(book.add({ chain: CHAIN, address: ALICE }), { code: "CONTRACTS_UNWRITABLE" });
  });
});
