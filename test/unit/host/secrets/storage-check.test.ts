import assert from "node:assert/strict";
import { ChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { checkStorage } from "../../../../src/host/secrets/storage-check.ts";
import { FakeStorage, memento } from "../../../support/fakes/fake-editor.ts";

describe("the secret storage of the editor", () => {
  /** A window after a start, with what outlives it. */
  const look = (secrets: FakeStorage, state: ReturnType<typeof memento>, session: string) =>
    checkStorage({ secrets, state: state as never, session }, async (access) => {
      try {
        return await access();
      } catch (error) {
        throw new ChainError("SECRETS_UNAVAILABLE", { reason: error instanceof Error ? error.message : "" });
      }
    });

  it("is trusted once a mark of an earlier session came back", async () => {
    const [secrets, state] = [new FakeStorage(), memento()];

    assert.deepEqual(await look(secrets, state, "first"), { kind: "unproven" });
    assert.deepEqual(await look(secrets, state, "first"), { kind: "unproven" });
    assert.equal(await look(secrets, state, "second"), undefined);
    assert.equal(await look(secrets, state, "third"), undefined);
  });

  it("that forgot its mark is said to forget for the whole session", async () => {
    const state = memento();
    await look(new FakeStorage(), state, "first");
    const empty = new FakeStorage();

    assert.deepEqual(await look(empty, state, "second"), { kind: "forgot" });
    assert.deepEqual(await look(empty, state, "second"), { kind: "forgot" });
    assert.deepEqual(await look(new FakeStorage(), state, "third"), { kind: "forgot" });
  });

  it("is trusted again when a mark comes back after all", async () => {
    const state = memento();
    await look(new FakeStorage(), state, "first");
    const secrets = new FakeStorage();
    await look(secrets, state, "second");

    assert.equal(await look(secrets, state, "third"), undefined);
  });

  it("that does not work says why", async () => {
    const secrets = new FakeStorage();
    secrets.broken = true;

    assert.deepEqual(await look(secrets, memento(), "first"), { kind: "missing", reason: "the keyring is locked" });
  });

  it("that loses what it is given at once says so", async () => {
    const secrets = new FakeStorage();
    secrets.store = async () => undefined;

    assert.deepEqual(await look(secrets, memento(), "first"), {
      kind: "missing",
      reason: "stored values cannot be read back",
    });
  });
});
