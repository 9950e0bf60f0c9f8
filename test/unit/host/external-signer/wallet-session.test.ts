import assert from "node:assert/strict";
import type { Reply } from "../../../../src/host/external-signer/loopback-server.ts";
import { WalletSession, type WalletSessionOptions } from "../../../../src/host/external-signer/wallet-session.ts";
import type { WalletAnswer, WalletTask } from "../../../../src/webview-messages/wallet.ts";
import { FakeClock, settled } from "../../../support/fakes/fake-clock.ts";

const SIGN: WalletTask = { kind: "sign", title: "Send 1?", detail: "To: Bob", signer: "TAlice", permissionId: null };
const SIGNED: WalletAnswer = { kind: "signed", signature: "ab", txId: "cd" };
const REFUSED: WalletAnswer = { kind: "refused", message: "declined" };
const NEVER = new AbortController().signal;

/** Starts a session that records its events. */
function begin(change: Partial<WalletSessionOptions> = {}) {
  const seen = { handedOut: 0, late: 0, noticed: [] as string[] };
  const clock = new FakeClock();
  const session = new WalletSession({
    task: SIGN,
    isTyped: false,
    clock,
    accountFault: (account) => (account === "TAlice" ? undefined : `not ${account}`),
    handOut: async () => {
      seen.handedOut++;
      return "{}";
    },
    answerFault: async () => undefined,
    noticed: (sentence) => seen.noticed.push(sentence),
    cameLate: () => seen.late++,
    ...change,
  });
  const post = async (path: string, body: object, left = NEVER): Promise<Reply> => {
    const does = session.posts.get(path);
    assert.ok(does, path);
    return await does(body, left);
  };
  const open = async (): Promise<string> => {
    const { status, body } = await post("/open", { secret: session.secret });
    assert.equal(status, 200);
    return (body as { token: string }).token;
  };
  const statusOf = async (path: string, body: object): Promise<number> => (await post(path, body)).status;
  return { seen, clock, session, post, open, statusOf };
}

describe("WalletSession", () => {
  it("refuses requests without the secret and the token", async () => {
    const { statusOf, session, seen, open } = begin();

    for (const secret of ["", session.secret.slice(1), `${session.secret}x`, session.secret.toLowerCase()]) {
      assert.equal(await statusOf("/open", { secret }), 403);
    }
    await open();
    for (const token of ["", session.secret, "undefined"]) {
      assert.equal(await statusOf("/bytes", { token, account: "TAlice" }), 403);
      assert.equal(await statusOf("/answer", { token, answer: SIGNED }), 403);
      assert.equal(await statusOf("/wait", { token }), 403);
    }
    assert.equal(seen.handedOut, 0);
  });

  it("creates a random secret for each session", () => {
    const [one, other] = [begin().session.secret, begin().session.secret];

    assert.match(one, /^[\w-]{43}$/);
    assert.notEqual(one, other);
  });

  it("A3: ends when the secret is used a second time", async () => {
    const { open, post, statusOf, session, seen } = begin();
    const token = await open();

    const { status, body } = await post("/open", { secret: session.secret });

    assert.equal(status, 410);
    assert.match(JSON.stringify(body), /opened twice.*Start again in the editor/);
    assert.equal((await session.outcome).kind, "unfit");
    assert.equal(await statusOf("/bytes", { token, account: "TAlice" }), 410);
    assert.equal(seen.handedOut, 0);
  });

  it("A3: accepts a code of six digits, and ends after three wrong ones", async () => {
    const first = begin({ isTyped: true });
    assert.match(first.session.secret, /^\d{6}$/);
    const wrong = first.session.secret === "000000" ? "000001" : "000000";

    assert.equal(await first.statusOf("/open", { secret: wrong }), 403);
    assert.equal(await first.statusOf("/open", { secret: wrong }), 403);
    await first.open();

    const second = begin({ isTyped: true });
    for (const status of [403, 403, 410]) assert.equal(await second.statusOf("/open", { secret: "1" }), status);
    assert.equal(await second.statusOf("/open", { secret: second.session.secret }), 410);
    assert.equal((await second.session.outcome).kind, "unfit");
  });

  it("returns the bytes once, and only for the right account", async () => {
    const { open, statusOf, seen } = begin();
    const token = await open();

    assert.equal(await statusOf("/bytes", { token, account: "TMallory" }), 409);
    assert.deepEqual([seen.handedOut, seen.noticed], [0, ["not TMallory"]]);
    const both = await Promise.all([1, 2].map(() => statusOf("/bytes", { token, account: "TAlice" })));
    assert.deepEqual(both, [200, 410]);
    assert.equal(await statusOf("/bytes", { token, account: "TAlice" }), 410);
    assert.equal(seen.handedOut, 1);
  });

  it("rejects a signature before it returned the bytes", async () => {
    const { open, statusOf, session } = begin();
    const token = await open();

    assert.equal(await statusOf("/answer", { token, answer: SIGNED }), 409);
    assert.equal(await statusOf("/bytes", { token, account: "TAlice" }), 200);
    assert.equal(await statusOf("/answer", { token, answer: SIGNED }), 200);
    assert.deepEqual(await session.outcome, { kind: "answered", answer: SIGNED });
  });

  it("accepts only the first answer", async () => {
    const { open, statusOf, session } = begin();
    const token = await open();
    await statusOf("/bytes", { token, account: "TAlice" });

    assert.equal(await statusOf("/answer", { token, answer: REFUSED }), 200);
    assert.equal(await statusOf("/answer", { token, answer: SIGNED }), 410);
    assert.equal(await statusOf("/answer", { token, answer: REFUSED }), 410);
    assert.deepEqual(await session.outcome, { kind: "answered", answer: REFUSED });
  });

  it("ends with the reason when the answer is invalid", async () => {
    const { open, post, statusOf, session } = begin({ answerFault: async () => "another account signed" });
    const token = await open();
    await statusOf("/bytes", { token, account: "TAlice" });

    const reply = await post("/answer", { token, answer: SIGNED });

    assert.deepEqual(reply, { status: 409, body: { sentence: "another account signed" } });
    assert.deepEqual(await session.outcome, { kind: "unfit", reason: "another account signed" });
  });

  it("returns no bytes and ends when they cannot be stored", async () => {
    const error = new Error("the disk is full");
    const { open, statusOf, session } = begin({ handOut: () => Promise.reject(error) });
    const token = await open();

    assert.equal(await statusOf("/bytes", { token, account: "TAlice" }), 410);
    assert.deepEqual([await session.outcome, session.handedOut], [{ kind: "failed", error }, false]);
  });

  it("returns no bytes when cancelled while it stores them", async () => {
    const gate = Promise.withResolvers<string>();
    const { open, statusOf, session } = begin({ handOut: () => gate.promise });
    const token = await open();
    const asking = statusOf("/bytes", { token, account: "TAlice" });

    session.end("cancelled");
    gate.resolve("{}");

    assert.equal(await asking, 410);
  });

  it("discards a late signature and reports it once", async () => {
    const { open, post, statusOf, session, seen } = begin();
    const token = await open();
    await statusOf("/bytes", { token, account: "TAlice" });
    session.end("cancelled");

    const { status, body } = await post("/answer", { token, answer: SIGNED });
    assert.equal(status, 410);
    assert.match(JSON.stringify(body), /discarded/);
    assert.equal(await statusOf("/answer", { token, answer: SIGNED }), 410);
    assert.equal(seen.late, 1);
  });

  it("does not report a late refusal", async () => {
    const { open, statusOf, session, seen } = begin();
    const token = await open();
    await statusOf("/bytes", { token, account: "TAlice" });
    session.end("cancelled");

    assert.equal(await statusOf("/answer", { token, answer: REFUSED }), 410);
    assert.equal(seen.late, 0);
  });

  it("notifies waiting and later pages of the end", async () => {
    const { open, post, session } = begin();
    const token = await open();
    const waiting = post("/wait", { token });

    session.end("You cancelled.");

    assert.deepEqual((await waiting).body, { sentence: "You cancelled." });
    assert.deepEqual((await post("/wait", { token })).body, { sentence: "You cancelled." });
    assert.equal((await post("/bytes", { token, account: "TAlice" })).status, 410);
  });

  it("answers a waiting page every 25 s, and continues", async () => {
    const { open, post, session, clock } = begin();
    const token = await open();
    let ended = false;
    void session.outcome.then(() => {
      ended = true;
    });

    for (let round = 0; round < 3; round++) {
      const waiting = post("/wait", { token });
      await clock.advance(25_000);
      assert.deepEqual((await waiting).body, { sentence: null });
    }
    const last = post("/wait", { token });
    await clock.advance(9_000);

    assert.equal(ended, false);
    session.end("over");
    await last;
  });

  it("ends 8 s after the page was closed or fell silent", async () => {
    const { open, post, session, clock } = begin();
    const token = await open();
    const left = new AbortController();
    const waiting = post("/wait", { token }, left.signal);
    await clock.advance(20_000);

    left.abort();
    await waiting;
    await clock.advance(8_000);
    assert.deepEqual(await session.outcome, { kind: "closed" });

    const silent = begin();
    await silent.open();
    await silent.clock.advance(8_000);
    assert.deepEqual(await silent.session.outcome, { kind: "closed" });
  });

  it("waits for a page that was not opened yet", async () => {
    const { session, clock, open } = begin();
    let ended = false;
    void session.outcome.then(() => {
      ended = true;
    });

    await clock.advance(60_000);
    await settled();

    assert.equal(ended, false);
    await open();
  });

  it("accepts an account only for a connection, and rejects malformed answers", async () => {
    const connected: WalletAnswer = { kind: "connected", account: "TAlice" };
    const signing = begin();
    assert.equal(await signing.statusOf("/answer", { token: await signing.open(), answer: connected }), 409);
    const connecting = begin({ task: { kind: "connect" } });
    const token = await connecting.open();
    assert.equal(await connecting.statusOf("/bytes", { token, account: "TAlice" }), 410);
    for (const answer of [null, 1, {}, { kind: "signed" }, { kind: "other" }, { kind: "connected", account: 7 }]) {
      assert.equal(await connecting.statusOf("/answer", { token, answer }), 403);
    }
    assert.equal(await connecting.statusOf("/answer", { token, answer: connected }), 200);
    assert.deepEqual(await connecting.session.outcome, { kind: "answered", answer: connected });
  });
});
