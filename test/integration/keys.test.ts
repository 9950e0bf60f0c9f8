import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { openKeystore, printKeystore, readKeystore } from "../../packages/client/src/keys/keystore.ts";
import { bytesToHex } from "../../packages/tron/src/primitives/bytes.ts";
import { parsePrivateKey } from "../../packages/tron/src/transaction/signature.ts";
import type { AccountResult } from "../../src/features/signing-keys/add-keys.ts";
import { failureOf } from "../support/failures/failure-of.ts";
import { answering, typing } from "./dialogs.ts";
import { startGuardedChain } from "./guarded-chain.ts";
import { finality } from "./local-chain.ts";
import { editorOfProduct } from "./product.ts";

const run = <T = AccountResult>(command: string, argument: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, argument);
const remove = (address: string) => answering("Remove", () => run("removeSigningKey", { address }));

/** Of a vector of BIP-39, for tests alone. */
const WORDS = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const KEY = "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";
const ADDRESS = "TA25SJ2Uo4NQk2SozYKmZ4wQnpq5T7FNBZ";
const ADDRESSES_OF_WORDS = [
  "TUJ2YbSDGtCqzRz7quPQidRCMC98jDAPXc",
  "TLqWTABA7pkL7dT23xAmS52mmKajUqGdnf",
  "TLKvhyqakrxrN5SYXFpLETSyHvy4QMS84L",
];
const PASSWORD = "keystore-password-of-a-test";

describe("key import with arguments", () => {
  let folder: string;
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  before(async () => {
    await finality();
    folder = mkdtempSync(join(tmpdir(), "finality-keys-"));
  });

  after(() => rmSync(folder, { recursive: true }));

  it("imports a mnemonic with the chain's path, another path and a passphrase", async () => {
    const first = await run("importSigningKey", { mnemonic: WORDS, label: "First" });
    const third = await run("importSigningKey", { mnemonic: WORDS, path: "m/44h/195h/0h/0/2" });
    const hidden = await run("importSigningKey", { mnemonic: WORDS, passphrase: "TREZOR" });

    assert.deepEqual([first.address, third.address, hidden.address], ADDRESSES_OF_WORDS);
    assert.equal(first.label, "First");
    for (const { address } of [first, third, hidden]) await remove(address);
  });

  it("imports keystores and key files of all formats", async () => {
    const keystore = await printKeystore(parsePrivateKey(KEY), PASSWORD, 1024);

    const found = [
      await run("importSigningKey", { keystore, password: PASSWORD }),
      await run("importSigningKey", { file: file("keystore.json", keystore), password: PASSWORD }),
      await run("importSigningKey", { file: file("key.txt", `0x${KEY}\n`) }),
    ];
    const ofWords = await run("importSigningKey", { file: file("words.txt", WORDS.replaceAll(" ", "\n")) });

    assert.deepEqual(new Set(found.map(({ address }) => address)), new Set([ADDRESS]));
    assert.equal(ofWords.address, ADDRESSES_OF_WORDS[0]);
    for (const address of [ADDRESS, ofWords.address]) await remove(address);
  });

  it("refuses invalid keys with a reason that does not repeat them", async () => {
    const keystore = await printKeystore(parsePrivateKey(KEY), PASSWORD, 1024);
    const link = join(folder, "link.txt");
    symlinkSync(file("target.txt", KEY), link);
    const cases: readonly (readonly [argument: object, code: string, sentence: RegExp])[] = [
      [
        { mnemonic: WORDS.replace("sausage", "sausagge") },
        "MNEMONIC_REFUSED",
        /word 6 of 12 is not in the English list/,
      ],
      [{ mnemonic: WORDS.replace(" yellow", "") }, "MNEMONIC_REFUSED", /there are 11/],
      [{ mnemonic: WORDS.replace("legal winner", "winner legal") }, "MNEMONIC_REFUSED", /checksum/],
      [{ mnemonic: WORDS, path: "sausage" }, "KEY_PATH_MALFORMED", /begin with m/],
      [
        { mnemonic: WORDS, password: PASSWORD },
        "COMMAND_ARGUMENT_MALFORMED",
        /argument password cannot be used: it does not apply/,
      ],
      [{ mnemonic: WORDS, privateKey: KEY }, "COMMAND_ARGUMENT_MALFORMED", /either privateKey or mnemonic/],
      [{ keystore, password: `${PASSWORD}x` }, "KEYSTORE_PASSWORD_WRONG", /MAC does not fit/],
      [
        { keystore: keystore.replace('"version": 3', '"version": 2'), password: PASSWORD },
        "KEYSTORE_REFUSED",
        /its version is not 3/,
      ],
      [{ file: link }, "KEY_FILE_REFUSED", /keys are not read or written through links/],
      [{ file: folder }, "KEY_FILE_REFUSED", /is not a file/],
      [{ file: join(folder, "nothing") }, "KEY_FILE_REFUSED", /it does not exist/],
      [{ file: "/dev/zero" }, "KEY_FILE_REFUSED", /it is not a file/],
      [{ file: file("large.txt", KEY.repeat(2_000)) }, "KEY_FILE_REFUSED", /more than a key file needs/],
      [{ file: file("key.pem", "-----BEGIN ENCRYPTED PRIVATE KEY-----") }, "KEY_TEXT_UNKNOWN", /JWT keys of networks/],
      [{ file: file("env.txt", `KEY=${KEY}`) }, "KEY_TEXT_UNKNOWN", /neither a private key/],
    ];
    for (const [argument, code, sentence] of cases) {
      const error = await failureOf(run("importSigningKey", argument));

      assert.equal(error.code, code, error.message);
      assert.match(error.message, sentence);
      const said = JSON.stringify([error.message, error.stack, Object.entries(error)]).replaceAll(folder, "");
      for (const secret of [KEY, PASSWORD, "sausag", "yellow"]) assert.equal(said.includes(secret), false, said);
    }
  });

  it("stores a key for the session only when requested", async () => {
    const { address } = await run("importSigningKey", { privateKey: KEY, sessionOnly: true, label: "Guest" });

    assert.equal(await run("copyAddress", { address: "Guest" }), address);
    await remove(address);
    assert.equal((await failureOf(run("copyAddress", { address }))).code, "ACCOUNT_UNKNOWN");
  });
});

describe("key export", () => {
  let folder: string;
  let address: string;

  before(async () => {
    await finality();
    folder = mkdtempSync(join(tmpdir(), "finality-keys-"));
    ({ address } = await run("importSigningKey", { privateKey: KEY, label: "Exported" }));
  });

  after(async () => {
    await remove(address);
    rmSync(folder, { recursive: true });
  });

  it("requires the dialog and the typed word for every caller", async () => {
    await vscode.env.clipboard.writeText("before");

    for (const [button, typed] of [
      [undefined, "export"],
      ["Private Key to Clipboard", "yes"],
      ["Private Key to Clipboard", undefined],
    ] as const) {
      const shown = await answering(button, () =>
        typing([typed], async () => assert.equal(await run("exportSigningKey", { address }), undefined)),
      );
      assert.match(shown[0]?.detail ?? "", /Anyone with this key can move all coins and tokens/);
    }

    assert.equal(await vscode.env.clipboard.readText(), "before");
  });

  it("copies the key to the clipboard, and returns none to the caller", async () => {
    let result: unknown;

    await answering("Private Key to Clipboard", () =>
      typing(["export"], async () => {
        result = await run("exportSigningKey", { address });
      }),
    );

    assert.equal(await vscode.env.clipboard.readText(), KEY);
    assert.equal(JSON.stringify(result).includes(KEY), false);
    await vscode.env.clipboard.writeText("");
  });

  it("writes a keystore file with user-only access, which opens with the password", async () => {
    const path = join(folder, "exported.json");
    const window = editorOfProduct().window as unknown as Record<string, unknown>;
    const original = window.showSaveDialog;
    window.showSaveDialog = async () => vscode.Uri.file(path);
    try {
      await answering("Keystore File…", () =>
        typing(["export", PASSWORD, PASSWORD], () => run("exportSigningKey", { address })),
      );
    } finally {
      window.showSaveDialog = original;
    }

    const content = readFileSync(path, "utf8");
    assert.equal(bytesToHex(await openKeystore(readKeystore(content), PASSWORD)), KEY);
    assert.equal(content.includes(KEY), false);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it("refuses a watched account", async () => {
    const watched = await run("addWatchOnlyAddress", { address: ADDRESSES_OF_WORDS[0] });

    assert.equal((await failureOf(run("exportSigningKey", { address: watched.address }))).code, "SIGNING_KEY_MISSING");
    await remove(watched.address);
  });
});

describe("key policy", () => {
  it("applies to every signature outside of local chains, and only the user can loosen it", async () => {
    await finality();
    await using chain = await startGuardedChain();
    const network = "Policy bank";
    const { address } = await run("importSigningKey", { privateKey: KEY, label: "Careful" });
    const fund = { method: "POST", body: JSON.stringify({ address, amount: "9000000", mine: true }) };
    assert.ok((await fetch(`${chain.baseUrl}/local/fund`, fund)).ok);
    await run("addNetwork", { name: network, baseUrl: chain.baseUrl });
    const pay = (amount: string) =>
      run<{ txId: string }>("sendCoins", { from: address, to: ADDRESSES_OF_WORDS[0], amount, network });
    const change = (policy: string, more: object = {}) => run("changeKeyPolicy", { address, policy, ...more });
    try {
      await change("never-real");
      await answering("Sign and Send", async () => {
        assert.match((await failureOf(pay("1"))).message, /signs on local chains only, and Policy bank is not one/);
      });

      const asked = await answering(undefined, async () => assert.equal(await change("always-ask"), undefined));
      assert.match(asked[0]?.detail ?? "", /Before: it signs on local chains only/);
      await answering("Allow", () => change("retype-above", { above: "1.5" }));

      await answering("Sign and Send", async () => {
        assert.match((await pay("1.5")).txId, /^[0-9a-f]{64}$/);
        await typing(["1"], async () => assert.match((await failureOf(pay("1.6"))).message, /1.6 was not typed/));
        const prompts = await typing(["1.7"], async () => assert.ok((await pay("1.7")).txId));
        assert.deepEqual(prompts, [
          "Up to 1.7 coins are sent, and this key asks twice above 1.5 coins. Type 1.7 to sign.",
        ]);
      });
      await change("never-real");
      const again = await run("importSigningKey", { privateKey: KEY });
      assert.equal(again.label, "Careful");
      await answering("Sign and Send", async () =>
        assert.equal((await failureOf(pay("0.5"))).code, "KEY_POLICY_REFUSED"),
      );
    } finally {
      await answering("Remove", () => run("removeNetwork", { network }));
      await remove(address);
    }
  });

  it("refuses invalid policies, and accounts without a key", async () => {
    const { address } = await run("importSigningKey", { privateKey: KEY });
    const watched = await run("addWatchOnlyAddress", { address: ADDRESSES_OF_WORDS[0] });

    for (const [argument, sentence] of [
      [{ address, policy: "silent" }, /always-ask, retype-above or never-real/],
      [{ address, policy: "retype-above" }, /set above to a number of coins/],
      [{ address, policy: "retype-above", above: "many" }, /plain number/],
      [{ address, policy: "never-real", above: "1" }, /retype-above only/],
      [{ address: watched.address, policy: "never-real" }, /has no key here/],
    ] as const)
      assert.match((await failureOf(run("changeKeyPolicy", argument))).message, sentence);
    for (const it of [address, watched.address]) await remove(it);
  });
});
