import assert from "node:assert/strict";
import { ChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { checkStorage } from "../../../../src/host/secrets/storage-check.ts";
import { FakeStorage, memento } from "../../../support/fakes/fake-editor.ts";

describe("checkStorage", () => {
  /** Runs the check in a window of this session. */
  const check = (secrets: FakeStorage, state: ReturnType<typeof memento>, session: string) =>
    checkStorage({ secrets, state: state as never, session }, async (access) => {
      try {
        return await access();
      } catch (error) {
        throw new ChainError("SECRETS_UNAVAILABLE", { reason: error instanceof Error ? error.message : "" });
      }
    });

  it("trusts the storage after a marker of an earlier session returned", async () => {
    const [secrets, state] = [new FakeStorage(), memento()];

    assert.deepEqual(await check(secrets, state, "first"), { kind: "unproven" });
    assert.deepEqual(await check(secrets, state, "first"), { kind: "unproven" });
    assert.equal(await check(secrets, state, "second"), undefined);
    assert.equal(await check(secrets, state, "third"), undefined);
  });

  it("reports a lost marker for the whole session", async () => {
    const state = memento();
    await check(new FakeStorage(), state, "first");
    const empty = new FakeStorage();

    assert.deepEqual(await check(empty, state, "second"), { kind: "forgot" });
    assert.deepEqual(await check(empty, state, "second"), { kind: "forgot" });
    assert.deepEqual(await check(new FakeStorage(), state, "third"), { kind: "forgot" });
  });

  it("trusts the storage again when a marker returns", async () => {
    const state = memento();
    await check(new FakeStorage(), state, "first");
    const secrets = new FakeStorage();
    await check(secrets, state, "second");

    assert.equal(await check(secrets, state, "third"), undefined);
  });

  it("reports why the storage does not work", async () => {
    const secrets = new FakeStorage();
    secrets.broken = true;

    assert.deepEqual(await check(secrets, memento(), "first"), { kind: "missing", reason: "the keyring is locked" });

    const forgetting = new FakeStorage();
    forgetting.store = async () => undefined;
    assert.deepEqual(await check(forgetting, memento(), "first"), {
      kind: "missing",
      reason: "stored values cannot be read back",
    });
  });
});
