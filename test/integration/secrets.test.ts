import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import * as vscode from "vscode";
import { json, startServer, type TestServer } from "../support/http-server.ts";
import { finality } from "./local-chain.ts";

const run = <T>(command: string, argument: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, argument);

/** Everything that this run of the tests writes: user data and workspace, the browser's profile, logs and output of tests. */
function writtenFiles(): readonly string[] {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const extension = vscode.extensions.getExtension("finality.finality");
  assert.ok(folder !== undefined && extension !== undefined);
  const cache = join(extension.extensionPath, ".cache");
  const places = [
    `${dirname(folder.uri.fsPath)}/**/*`,
    `${tmpdir()}/finality-run-*/**/*`,
    `${cache}/logs/**/*`,
    `${cache}/test-output/**/*`,
  ];
  return globSync(places).filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

/** The files that hold a text, in any of the encodings in which an editor stores texts. */
function filesWith(text: string): readonly string[] {
  const needles = [Buffer.from(text), Buffer.from(text, "utf16le"), Buffer.from(Buffer.from(text).toString("base64"))];
  return writtenFiles().filter((file) => {
    const bytes = read(file);
    return needles.some((needle) => bytes.includes(needle));
  });
}

/** A file of the browser may go while it is looked for. */
function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

/** The editor writes its state some time after a change, so that this waits for what is sure to come. */
async function isWritten(text: string): Promise<boolean> {
  const deadline = Date.now() + 20_000;
  while (filesWith(text).length === 0) {
    if (Date.now() > deadline) return false;
    await setTimeout(200);
  }
  return true;
}

describe("secrets", () => {
  const canary = randomBytes(6).toString("hex");
  const signingKey = `${"0".repeat(20)}${canary}${randomBytes(16).toString("hex")}`;
  const apiKey = `api-key-${canary}-${randomBytes(12).toString("hex")}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const pemLine = pem.split("\n")[5] ?? "";
  const network = `Canary ${canary}`;
  let server: TestServer;
  let sent: readonly string[];

  before(async () => {
    await finality();
    server = await startServer(json({ Error: "not today" }));
    await run("addNetwork", { name: network, baseUrl: server.url, audience: "chain.test", apiKey });
    await run("importJwtKey", { network, privateKeyPem: pem, keyId: "key-1" });
    await run("importSigningKey", { privateKey: signingKey, label: `Account ${canary}` });
    await run("testConnection", { network });
    sent = server.requests.map(({ headers }) => headers.authorization?.replace("Bearer ", "") ?? "");
    await assert.rejects(async () => run("importSigningKey", { privateKey: `${signingKey}ff` }));
    await assert.rejects(async () => run("importJwtKey", { network, privateKeyPem: pem.slice(0, -60) }));
  });

  after(async () => {
    await run("removeNetwork", { network, confirmed: true });
    await run("removeSigningKey", { address: `Account ${canary}`, confirmed: true });
    await server[Symbol.asyncDispose]();
  });

  it("are used: the gateway got the API key and a token", () => {
    assert.ok(server.requests.length > 0);
    assert.equal(server.requests[0]?.headers["chain-pro-api-key"], apiKey);
    assert.match(sent[0] ?? "", /^eyJ/);
  });

  it("are in no setting, state, log, workspace file or output of tests, where everything else can be found", async () => {
    const control = [network, `Account ${canary}`];
    for (const text of control) assert.ok(await isWritten(text), `the search does not even find ${text}`);

    const found = [signingKey, apiKey, pemLine, ...sent].flatMap(filesWith);

    assert.deepEqual(found, []);
  });

  it("are deleted with what they belong to", async () => {
    await run("removeNetwork", { network, confirmed: true });
    await run("addNetwork", { name: network, baseUrl: server.url });
    await run("testConnection", { network });

    const last = server.requests.at(-1);

    assert.equal(last?.headers["chain-pro-api-key"], undefined);
    assert.equal(last?.headers.authorization, undefined);
  });
});
