import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import * as vscode from "vscode";
import type { JwtKeyRecord } from "../../packages/client/src/gateway/access/jwt.ts";
import type { JwtKeyResult } from "../../src/features/jwt-keys/jwt-keys.ts";
import type { AccountResult } from "../../src/features/signing-keys/add-keys.ts";
import { answering } from "./dialogs.ts";
import { finality } from "./local-chain.ts";

const run = <T>(command: string, argument: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, argument);
const refused = (code: string) => (error: unknown) => error instanceof Error && "code" in error && error.code === code;

const remove = (address: string) => answering("Remove", () => run("removeSigningKey", { address }));

/** A key of a test vector and its address. */
const KEY = "0000000000000000000000000000000000000000000000000000000000000001";
const ADDRESS = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC";

describe("account commands with arguments", () => {
  before(() => finality());

  it("generate accounts with separate keys", async () => {
    const first = await run<AccountResult>("generateSigningKey", {});
    const second = await run<AccountResult>("generateSigningKey", { label: "Savings" });

    assert.match(first.address, /^T[1-9A-HJ-NP-Za-km-z]{33}$/);
    assert.match(first.label, /^Account \d+$/);
    assert.equal(second.label, "Savings");
    assert.notEqual(first.address, second.address);
    for (const { address } of [first, second]) await remove(address);
  });

  it("import a key, and derive the address from it", async () => {
    const imported = await run<AccountResult>("importSigningKey", { privateKey: `0x${KEY}`, label: "One" });

    assert.deepEqual([imported.address, imported.label], [ADDRESS, "One"]);
    assert.equal(await run("copyAddress", { address: "One" }), ADDRESS);
    assert.equal(await vscode.env.clipboard.readText(), ADDRESS);
    assert.equal(JSON.stringify(imported).includes(KEY), false);
    await remove(ADDRESS);
  });

  it("watch an address without a key, and add its key later under the same name", async () => {
    const watched = await run<AccountResult>("addWatchOnlyAddress", { address: ADDRESS, label: "Treasury" });
    const imported = await run<AccountResult>("importSigningKey", { privateKey: KEY });

    assert.equal(watched.address, ADDRESS);
    assert.equal(imported.label, "Treasury");
    await remove("Treasury");
    await assert.rejects(async () => run("copyAddress", { address: ADDRESS }), refused("ACCOUNT_UNKNOWN"));
  });

  it("L11: number labels that look alike, and refuse invisible characters", async () => {
    const first = await run<AccountResult>("generateSigningKey", { label: "Nest egg" });
    const second = await run<AccountResult>("generateSigningKey", { label: " nest  EGG " });

    assert.deepEqual([first.label, second.label], ["Nest egg", "nest EGG 2"]);
    assert.equal(await run("copyAddress", { address: "nest EGG 2" }), second.address);
    await assert.rejects(
      async () => run("generateSigningKey", { label: "Nest\u200begg" }),
      refused("COMMAND_ARGUMENT_MALFORMED"),
    );
    for (const { address } of [first, second]) await remove(address);
  });

  it("refuse invalid keys and addresses", async () => {
    const bad = (privateKey: string) => async () => run("importSigningKey", { privateKey });

    await assert.rejects(bad("12"), refused("PRIVATE_KEY_MALFORMED"));
    await assert.rejects(bad("0".repeat(64)), refused("PRIVATE_KEY_MALFORMED"));
    await assert.rejects(bad("f".repeat(64)), refused("PRIVATE_KEY_MALFORMED"));
    await assert.rejects(
      async () => run("addWatchOnlyAddress", { address: `${ADDRESS.slice(0, -1)}D` }),
      refused("ADDRESS_CHECKSUM_MISMATCH"),
    );
  });
});

describe("JWT key commands with arguments", () => {
  before(async () => {
    await finality();
    await run("addNetwork", { name: "Keys", baseUrl: "https://api.example.test" });
  });

  after(async () => void (await answering("Remove", () => run("removeNetwork", { network: "Keys" }))));

  it("create keys in the host, and return only the public half", async () => {
    const created = await run<JwtKeyResult>("createJwtKey", { network: "Keys", keyId: "key-1" });

    assert.match(created.publicKeyPem, /^-----BEGIN PUBLIC KEY-----/);
    assert.equal(JSON.stringify(created).includes("PRIVATE"), false);
    const [network] = vscode.workspace
      .getConfiguration("finality")
      .get<{ jwt: boolean; keyId: string }[]>("networks", []);
    assert.deepEqual([network?.jwt, network?.keyId], [true, "key-1"]);
  });

  it("store several keys per network, and use the first until another one is chosen", async () => {
    const again = await run<JwtKeyResult>("createJwtKey", { network: "Keys", name: "Spare" });
    assert.deepEqual([again.key, again.keyId, again.inUse], ["Spare", undefined, false]);

    await run("renameJwtKey", { network: "Keys", key: "Spare", name: "Second", keyId: "key-2" });

    const records = await run<readonly JwtKeyRecord[]>("jwtKeys", { network: "Keys" });
    assert.deepEqual(
      records.map(({ name, keyId, inUse }) => [name, keyId, inUse]),
      [
        ["Key 1", "key-1", true],
        ["Second", "key-2", false],
      ],
    );
    assert.equal(JSON.stringify(records).includes("PRIVATE"), false);
    await assert.rejects(
      async () => run("renameJwtKey", { network: "Keys", key: "Second", name: "kEY  1" }),
      refused("COMMAND_ARGUMENT_MALFORMED"),
    );
    await assert.rejects(async () => run("useJwtKey", { network: "Keys", key: "Third" }), refused("JWT_KEY_UNKNOWN"));
    await run("createJwtKey", { network: "Keys" });
    await assert.rejects(async () => run("createJwtKey", { network: "Keys" }), refused("JWT_KEYS_FULL"));
    await answering("Remove", () => run("removeJwtKey", { network: "Keys", key: "Second" }));
    assert.equal((await run<readonly JwtKeyRecord[]>("jwtKeys", { network: "Keys" })).length, 2);
  });

  it("import an encrypted PEM with its password, and reuse the record of an equal key", async () => {
    const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const cipher = { cipher: "aes-256-cbc", passphrase: "open sesame" };
    const privateKeyPem = pair.privateKey.export({ type: "pkcs8", format: "pem", ...cipher }).toString();
    const imported = { network: "Keys", privateKeyPem, name: "From a file" };

    await assert.rejects(async () => run("importJwtKey", imported), /protected by a password/);
    await assert.rejects(
      async () => run("importJwtKey", { ...imported, password: "canary sesame" }),
      (error) => /password is wrong/.test(String(error)) && !String(error).includes("canary"),
    );
    const first = await run<JwtKeyResult>("importJwtKey", { ...imported, password: "open sesame" });
    const second = await run<JwtKeyResult>("importJwtKey", { ...imported, password: "open sesame", keyId: "key-7" });

    assert.deepEqual([first.key, first.keyId, second.key, second.keyId], [first.key, undefined, first.key, "key-7"]);
    await answering("Remove", () => run("removeJwtKey", { network: "Keys", key: first.key }));
  });

  it("show the claims of a token without its signature", async () => {
    await run("editNetwork", { network: "Keys", audience: "keys.test" });

    const token = await run<{ header: object; payload: { exp: number }; local: number }>("inspectToken", {
      network: "Keys",
    });

    assert.deepEqual(token.header, { alg: "RS256", typ: "JWT", kid: "key-1" });
    assert.deepEqual(token.payload, { aud: "keys.test", exp: token.payload.exp });
    assert.ok(Math.abs(token.payload.exp * 1000 - token.local - 60_000) < 50_000);
    assert.deepEqual(Object.keys(token).sort(), ["header", "key", "local", "network", "payload"]);
    await assert.rejects(
      async () => run("setTokenLifetime", { network: "Keys", seconds: 5 }),
      /10 to 3600 seconds, or endless/,
    );
    await run("setTokenLifetime", { network: "Keys", seconds: 600 });
    const longer = await run<typeof token>("inspectToken", { network: "Keys" });
    assert.ok(longer.payload.exp * 1000 - longer.local > 590_000);
    await answering("Omit Expiration", () => run("setTokenLifetime", { network: "Keys", seconds: "endless" }));
    const endless = await run<typeof token>("inspectToken", { network: "Keys" });
    assert.deepEqual(endless.payload, { aud: "keys.test" });
  });

  it("refuse an invalid key without repeating it", async () => {
    await assert.rejects(
      async () => run("importJwtKey", { network: "Keys", privateKeyPem: "canary-of-a-pem" }),
      (error) => refused("JWT_KEY_MALFORMED")(error) && !String(error).includes("canary"),
    );
    await assert.rejects(
      async () => run("setApiKey", { network: "Keys", apiKey: { canary: true } }),
      refused("COMMAND_ARGUMENT_MALFORMED"),
    );
  });
});
