import assert from "node:assert/strict";
import { toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { commands, editor, loadWithEditor } from "../../../support/fakes/fake-editor.ts";
import { ALICE, BOB, nameOf, txId } from "../../../support/tracking/tracked.ts";

type TestedModule = typeof import("../../../../src/features/links/open-link.ts");
const { openLink } = await loadWithEditor<TestedModule>("src/features/links/open-link.ts");

const [LISTED, UNLISTED] = [txId("1"), txId("2")];
const log = { error: () => undefined };

/** Opens a link. Returns the commands that ran with their arguments. */
async function run(path: string, query = "", answer?: string): Promise<readonly (readonly [string, unknown])[]> {
  editor.reset();
  editor.answer = answer;
  commands.ran.length = 0;
  const services = {
    transactions: { ready: async () => undefined, get: (id: string) => (id === LISTED ? {} : undefined) },
    networks: {
      get: (name = "Nile") => {
        if (name === "Nile") return { name };
        throw new Error(`There is no network ${name}.`);
      },
    },
    nameOf,
    log,
  };
  await openLink(services as never, { path, query });
  return [...commands.ran];
}

describe("openLink", () => {
  it("shows a listed transaction without a question", async () => {
    assert.deepEqual(await run(`/transaction/${LISTED}`, "network=Elsewhere"), [
      ["finality.showTimeline", { txId: LISTED }],
    ]);
    assert.deepEqual(editor.asked, []);
  });

  it("requests an unlisted transaction after the user agrees", async () => {
    assert.deepEqual(await run(`/transaction/${UNLISTED}`), []);
    assert.deepEqual(
      editor.asked.map(({ title }) => title),
      ["Look up the transaction of a link?"],
    );
    assert.deepEqual(await run(`/transaction/${UNLISTED}`, "network=Nile", "Look Up"), [
      ["finality.decodeTransaction", { txId: UNLISTED, network: "Nile" }],
    ]);
  });

  it("asks nothing for a network that is not there", async () => {
    assert.deepEqual(await run(`/transaction/${UNLISTED}`, "network=Evil", "Look Up"), []);
    assert.match(editor.asked[0]?.title ?? "", /There is no network Evil/);
  });

  it("passes a text to the decoder", async () => {
    assert.deepEqual(await run("/decoder", "text=SIGERROR"), [
      ["finality.decode", { input: "SIGERROR", origin: "link" }],
    ]);
  });

  it("shows an account and requests its balance on a click", async () => {
    const account = toBase58(BOB);
    assert.deepEqual(await run(`/account/${account}`), []);
    assert.match(editor.asked[0]?.title ?? "", new RegExp(`your account Bob, ${account}, on Nile`));
    assert.deepEqual(await run(`/account/${toBase58(ALICE)}`, "", "Show Balance"), [
      ["finality.showBalance", { kind: "link", account: toBase58(ALICE), network: "Nile" }],
    ]);
  });

  it("runs nothing for a refused link", async () => {
    assert.deepEqual(await run("/finality.sendCoins", "text=1"), []);
    assert.match(editor.asked[0]?.title ?? "", /^The link was not opened: /);
  });
});
