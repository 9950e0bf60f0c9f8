import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChainError, isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import type { TxId } from "../../../../packages/tron/src/primitives/bytes.ts";
import { builtFromIntent } from "../../../../packages/tron/src/transaction/built-transaction.ts";
import type { Intent } from "../../../../packages/tron/src/transaction/intent.ts";
import {
  addressOfPrivateKey,
  generatePrivateKey,
  signTransactionId,
} from "../../../../packages/tron/src/transaction/signature.ts";
import { readTransactionFile } from "../../../../packages/tron/src/transaction/transaction-file.ts";
import type { SigningRequest } from "../../../../src/host/external-signer/external-signer.ts";
import { FakeClock, settled } from "../../../support/fakes/fake-clock.ts";
import { editor, env, loadWithEditor, UIKind } from "../../../support/fakes/fake-editor.ts";
import { RECIPIENT, TRANSFER, VALIDITY } from "../../../support/tracking/intents.ts";

type WalletModule = typeof import("../../../../src/host/external-signer/browser-wallet.ts");

const VALID_MS = 60_000;

/** Client that sends the requests of the browser page. */
class FakePage {
  readonly origin: string;
  readonly secret: string;
  #token = "";

  constructor(url: string) {
    const { origin, hash } = new URL(url);
    this.origin = origin;
    this.secret = hash.slice(1);
  }

  async post(path: string, body: object): Promise<{ readonly status: number; readonly body: never }> {
    const headers = { "content-type": "application/json", origin: this.origin };
    const response = await fetch(`${this.origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as never };
  }

  async open(
    secret = this.secret,
  ): Promise<{ readonly title: string; readonly detail: string; readonly permissionId: number | null }> {
    const { body } = await this.post("/open", { secret });
    const { token, task } = body as { token: string; task: never };
    this.#token = token;
    return task;
  }

  bytes(account: string) {
    return this.post("/bytes", { token: this.#token, account });
  }

  answer(answer: object) {
    return this.post("/answer", { token: this.#token, answer });
  }
}

describe("BrowserWallet", () => {
  let parts: WalletModule;
  let folder: string;
  const key = generatePrivateKey();
  const signer = addressOfPrivateKey(key);
  const account = toBase58(signer);

  before(async () => {
    env.uiKind = UIKind.Web;
    parts = await loadWithEditor<WalletModule>("src/host/external-signer/browser-wallet.ts");
    folder = mkdtempSync(join(tmpdir(), "finality-wallet-"));
    for (const name of ["wallet.js", "wallet.css"]) writeFileSync(join(folder, name), "");
  });

  after(() => {
    env.uiKind = UIKind.Desktop;
    rmSync(folder, { recursive: true, force: true });
  });

  const wallets: InstanceType<WalletModule["BrowserWallet"]>[] = [];

  beforeEach(() => editor.reset());

  afterEach(() => {
    for (const it of wallets.splice(0)) it.dispose();
  });

  function walletWith(clock = new FakeClock()): InstanceType<WalletModule["BrowserWallet"]> {
    const wallet = new parts.BrowserWallet({ folder, clock });
    wallets.push(wallet);
    return wallet;
  }

  /** Returns a request to the wallet, and the number of times that bytes were sent. */
  function requestFor(intent: Intent = { ...TRANSFER, owner: signer }, change: Partial<SigningRequest> = {}) {
    const seen = { handedOut: 0 };
    const request: SigningRequest = {
      ...builtFromIntent(intent, VALIDITY),
      signer,
      owner: intent.owner,
      permissionId: intent.permissionId ?? 0,
      review: { title: "Send 1.5 to Bob?", detail: "To: Bob\nAmount: 1.5" },
      validMs: VALID_MS,
      expiration: VALIDITY.expiration,
      handOut: async () => {
        seen.handedOut++;
      },
      ...change,
    };
    return { request, seen };
  }

  /** Starts a signature and opens the page. */
  async function begin({ request, seen } = requestFor()) {
    const clock = new FakeClock();
    const wallet = walletWith(clock);
    const opened = Promise.withResolvers<string>();
    editor.browser = opened.resolve;
    const signing = wallet.sign(request);
    signing.catch(() => undefined);
    const page = new FakePage(await opened.promise);
    return { wallet, clock, signing, page, request, seen };
  }

  const signed = (txId: TxId, by = key) => ({ kind: "signed", signature: signTransactionId(txId, by), txId });
  const missing = (reason: RegExp, isPossible: boolean) => (error: unknown) => {
    assert.ok(isChainError(error) && error.code === "OUTSIDE_SIGNATURE_MISSING", String(error));
    assert.match(error.message, reason);
    assert.match(error.message, /Nothing was sent\./);
    assert.equal(error.details.possibleUntil !== undefined, isPossible, error.message);
    assert.equal(/can still send it until/.test(error.message), isPossible);
    return true;
  };

  it("shows the review, hands out the bytes once, and returns the wallet's signature", async () => {
    const { page, signing, request, seen } = await begin();

    const { title, detail, permissionId } = await page.open();
    assert.deepEqual([title, detail, permissionId], ["Send 1.5 to Bob?", "To: Bob\nAmount: 1.5", null]);
    assert.equal(seen.handedOut, 0);
    const { body } = await page.bytes(account);
    const { transaction } = body as { transaction: string };
    assert.equal(seen.handedOut, 1);
    const { rawDataHex, txId, signatures } = readTransactionFile(transaction);
    assert.deepEqual([rawDataHex, txId, signatures], [request.rawDataHex, request.txId, []]);
    assert.equal("signature" in JSON.parse(transaction), false);
    assert.equal((await page.answer(signed(txId))).status, 200);

    assert.equal(await signing, signTransactionId(request.txId, key));
  });

  it("A3: keeps the secret out of process arguments, and requires a code on the page", async () => {
    env.uiKind = UIKind.Desktop;
    const { page, signing, request } = await begin().finally(() => {
      env.uiKind = UIKind.Web;
    });
    assert.equal(page.secret, "");
    const [, secret = ""] = /code (\d{6}) /.exec(editor.reported[0] ?? "") ?? [];

    assert.equal((await page.post("/open", { secret: "" })).status, 403);
    await page.open(secret);
    await page.bytes(account);
    await page.answer(signed(request.txId));

    assert.equal(await signing, signTransactionId(request.txId, key));
  });

  it("accepts a signature with 0x and in capitals", async () => {
    const { page, signing, request } = await begin();
    await page.open();
    await page.bytes(account);
    const signature = signTransactionId(request.txId, key);

    await page.answer({ kind: "signed", signature: `0x${signature.toUpperCase()}`, txId: request.txId });

    assert.equal(await signing, signature);
  });

  it("keeps the secret in the URL fragment", async () => {
    const { page, signing } = await begin();

    assert.match(page.secret, /^[\w-]{43}$/);
    const html = await (await fetch(page.origin)).text();
    assert.equal(html.includes(page.secret), false);
    editor.cancel();
    await signing;
  });

  it("reports the wallet's reason and the time until which the bytes can be sent", async () => {
    const { page, signing } = await begin();
    await page.open();
    await page.bytes(account);

    await page.answer({ kind: "refused", message: "Declined by\nuser [x](command:evil)" });

    await assert.rejects(signing, missing(/Its reason: “Declined by/, true));
    await assert.rejects(signing, (error: Error) => !error.message.includes("\n"));
  });

  it("withholds the bytes from another account, and continues with the right one", async () => {
    const { page, signing, request, seen } = await begin();
    await page.open();
    const other = toBase58(RECIPIENT);

    const { status, body } = await page.bytes(other);
    assert.equal(status, 409);
    assert.match(JSON.stringify(body), new RegExp(`${other}.*${account} has to sign`));
    assert.equal((await page.bytes("no address")).status, 409);
    assert.deepEqual([seen.handedOut, editor.reported.length], [0, 2]);

    await page.bytes(account);
    await page.answer(signed(request.txId));
    assert.equal(await signing, signTransactionId(request.txId, key));
  });

  it("ends when the page is closed, and reports whether the bytes were handed out", async () => {
    for (const isHandedOut of [false, true]) {
      const { page, signing, clock } = await begin();
      await page.open();
      if (isHandedOut) await page.bytes(account);

      await clock.advance(8_000);

      await assert.rejects(signing, missing(/page in the browser was closed/, isHandedOut));
    }
  });

  it("ends when the transaction expires", async () => {
    const { signing, clock } = await begin();

    await clock.advance(VALID_MS);

    await assert.rejects(signing, missing(/expired before the wallet.*more time/, false));
  });

  it("closes the page without a message when cancelled before it handed out the bytes", async () => {
    const { page, signing, seen } = await begin();
    await page.open();

    editor.cancel();

    assert.equal(await signing, undefined);
    assert.deepEqual([editor.asked, seen.handedOut], [[], 0]);
    await assert.rejects(page.bytes(account));
  });

  it("reports a cancelled request and a late signature after it handed out the bytes", async () => {
    const { page, signing, request } = await begin();
    await page.open();
    await page.bytes(account);

    editor.cancel();
    assert.equal(await signing, undefined);
    const { status } = await page.answer(signed(request.txId));

    assert.equal(status, 410);
    const [first, second] = editor.asked.map(({ title }) => title);
    assert.match(first ?? "", /counts as possible until .*Add Signature…/);
    assert.match(second ?? "", /signed after you had stopped waiting.*discarded.*can send it until/);
  });

  it("waits for a late signature until the transaction expires", async () => {
    const { page, signing, clock } = await begin();
    await page.open();
    await page.bytes(account);
    await clock.advance(1_000);
    editor.cancel();
    await signing;
    await settled();
    assert.equal(clock.sleeping > 0, true);

    await clock.advance(VALID_MS);

    await assert.rejects(fetch(page.origin));
  });

  it("rejects a replayed and a second signature", async () => {
    const { page, signing, request } = await begin();
    const { txId: earlier } = builtFromIntent({ ...TRANSFER, owner: signer, amount: sun(7n) }, VALIDITY);
    await page.open();
    await page.bytes(account);

    assert.equal((await page.answer({ ...signed(earlier), txId: request.txId })).status, 409);
    await assert.rejects(signing, missing(/signed with another account, or other bytes/, true));
    await assert.rejects(page.answer(signed(request.txId)));
  });

  it("names the other transaction that a wallet signed", async () => {
    const { page, signing } = await begin();
    const { txId: other } = builtFromIntent({ ...TRANSFER, owner: signer, amount: sun(7n) }, VALIDITY);
    await page.open();
    await page.bytes(account);

    await page.answer(signed(other));

    await assert.rejects(signing, missing(new RegExp(`it signed ${other}, which you did not see`), true));
  });

  it("rejects a malformed signature", async () => {
    for (const signature of ["", "00", "zz".repeat(65), "ff".repeat(65), "00".repeat(66)]) {
      const { page, signing, request } = await begin();
      await page.open();
      await page.bytes(account);
      await page.answer({ kind: "signed", signature, txId: request.txId });
      await assert.rejects(
        signing,
        missing(/did not return a signature of 65 bytes|another account, or other bytes/, true),
      );
    }
  });

  it("hands out nothing when the journal cannot be written", async () => {
    const failed = new ChainError("JOURNAL_UNWRITABLE", { file: "journal.jsonl", reason: "full" });
    const { page, signing } = await begin(requestFor(undefined, { handOut: () => Promise.reject(failed) }));
    await page.open();

    assert.equal((await page.bytes(account)).status, 410);

    await assert.rejects(signing, { code: "JOURNAL_UNWRITABLE" });
  });

  it("requests the permission that the bytes name", async () => {
    const cases = [
      { intent: { ...TRANSFER, owner: RECIPIENT }, expected: 0 },
      { intent: { ...TRANSFER, owner: signer, permissionId: 2 }, expected: 2 },
    ];
    for (const { intent, expected } of cases) {
      const { page, signing } = await begin(requestFor(intent));
      const { permissionId } = await page.open();
      assert.equal(permissionId, expected);
      editor.cancel();
      await signing;
    }
  });

  it("refuses an amount that a browser would round", async () => {
    const { request } = requestFor({ ...TRANSFER, owner: signer, amount: sun(9_007_199_254_740_993n) });

    const signing = walletWith().sign(request);

    await assert.rejects(signing, missing(/too large for wallets in browsers/, false));
  });

  it("reports a browser that was not opened", async () => {
    const { request } = requestFor();

    const signing = walletWith().sign(request);

    await assert.rejects(signing, missing(/browser was not opened/, false));
  });

  it("returns the connected account, and rejects other text", async () => {
    const connect = async (shown: string) => {
      const opened = Promise.withResolvers<string>();
      editor.browser = opened.resolve;
      const connecting = walletWith().connect();
      connecting.catch(() => undefined);
      const page = new FakePage(await opened.promise);
      await page.open();
      await page.answer({ kind: "connected", account: shown });
      return await connecting;
    };

    assert.equal(await connect(account), signer);
    await assert.rejects(connect("Tx<script>"), missing(/as its account, which is not an address/, false));
  });
});
