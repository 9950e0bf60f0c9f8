import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import { journalId } from "../../../src/host/journal/journal-id.ts";
import { editor, FakeSecrets, loadWithEditor, memento } from "../../support/fakes/fake-editor.ts";
import { OWNER } from "../../support/tracking/intents.ts";

type GuardModule = typeof import("../../../src/sending/account-guard.ts");
const elsewhere = (error: unknown) => isChainError(error) && error.code === "ACCOUNT_GUARDED_ELSEWHERE";

describe("AccountGuard", () => {
  let parts: GuardModule;
  let secrets: FakeSecrets;
  let state: ReturnType<typeof memento>;

  before(async () => {
    parts = await loadWithEditor<GuardModule>("src/sending/account-guard.ts");
  });

  beforeEach(() => {
    editor.reset();
    secrets = new FakeSecrets();
    state = memento();
  });

  /** Creates the guard of a host. All hosts share the secrets and state of the same VS Code. */
  function on(host: string, isRemote = false) {
    const journal = async (): Promise<string> => `journal of ${host}`;
    return new parts.AccountGuard({ secrets, state: state as never, journalId: journal, host, isRemote } as never);
  }

  it("M4: guards an account with the first journal, without a prompt on the local computer", async () => {
    const here = on("desk");

    assert.equal(await here.pass(OWNER), true);
    await here.require(OWNER);

    assert.equal(editor.asked.length, 0);
  });

  it("M4: rejects the host of another journal", async () => {
    await on("desk").pass(OWNER);
    const other = on("box");

    assert.equal(await other.pass(OWNER, "Savings"), false);

    await assert.rejects(other.require(OWNER), (error) => elsewhere(error) && /journal on desk/.test(String(error)));
    const title = "Move the guard of Savings to this computer (box)?";
    assert.deepEqual(editor.asked, [{ title, buttons: ["Move the Guard"] }]);
    assert.equal(
      await secrets.get("guard", OWNER),
      JSON.stringify({ journal: "journal of desk", host: "desk" }),
      "the stored value is translated",
    );
  });

  it("M4: moves the guard on the user's request, and then rejects the old host", async () => {
    const [transactions, box] = [on("desk"), on("box")];
    await transactions.pass(OWNER);
    editor.answer = "Move the Guard";

    assert.equal(await box.pass(OWNER), true);

    await box.require(OWNER);
    await assert.rejects(transactions.require(OWNER), elsewhere);
  });

  it("M4: prompts once per remote host", async () => {
    assert.equal(await on("box", true).pass(OWNER), false);
    editor.answer = "Sign There";
    assert.equal(await on("box", true).pass(OWNER), true);
    assert.equal(await on("box", true).pass(OWNER), true);

    assert.deepEqual(
      editor.asked.map(({ title }) => title),
      ["Sign on box?", "Sign on box?"],
    );
  });

  it("M4: prompts when the stored guard is damaged", async () => {
    await secrets.set("guard", OWNER, "damaged");

    assert.equal(await on("desk").pass(OWNER), false);
    assert.equal(editor.asked.length, 1);
  });

  it("M4: uses the same journal id in all windows", async () => {
    const folder = await mkdtemp(join(tmpdir(), "finality-journal-id-"));

    const names = await Promise.all([journalId(folder), journalId(folder), journalId(folder)]);

    assert.equal(new Set([...names, await journalId(folder)]).size, 1);
    await rm(folder, { recursive: true });
  });
});
