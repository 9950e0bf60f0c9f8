import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import * as vscode from "vscode";
import { printKeystore } from "../../packages/client/src/keys/keystore.ts";
import {
  FIRST_PATH,
  keyAt,
  type Mnemonic,
  mnemonicFault,
  newMnemonic,
  seedOf,
} from "../../packages/client/src/keys/mnemonic.ts";
import { bytesToHex } from "../../packages/tron/src/primitives/bytes.ts";
import { parsePrivateKey } from "../../packages/tron/src/transaction/signature.ts";
import { askChain, isBroadcast } from "../browser/proxy.ts";
import { failureOf } from "../support/failures/failure-of.ts";
import {
  echo,
  json,
  type SeenRequest,
  startProxy,
  startServer,
  startTlsServer,
  type TestProxy,
  type TestServer,
  text,
} from "../support/http/http-server.ts";
import { selfSigned } from "../support/http/self-signed.ts";
import { answering, typing } from "./dialogs.ts";
import { startGuardedChain } from "./guarded-chain.ts";
import { finality } from "./local-chain.ts";
import { sources } from "./product.ts";

const run = <T>(command: string, argument: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, argument);

/**
 * Everything that this run of the tests writes: user data and workspace, the browser's profile, logs and output of
 * tests.
 */
function writtenFiles(): readonly string[] {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const cache = sources(".cache");
  const places = [
    `${dirname(folder.uri.fsPath)}/**/*`,
    `${tmpdir()}/finality-run-*/**/*`,
    `${cache}/logs/**/*`,
    `${cache}/test-output/**/*`,
  ];
  return globSync(places).filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

/** The files that hold one of some texts, in any of the encodings in which an editor stores texts. */
function filesWith(...texts: readonly string[]): readonly string[] {
  const needles = texts.flatMap((it) => [
    Buffer.from(it),
    Buffer.from(it, "utf16le"),
    Buffer.from(Buffer.from(it).toString("base64")),
  ]);
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

/**
 * A gateway before a chain that keeps each broadcast from it and repeats the headers: first as a proxy that failed,
 * then as a node that refuses.
 */
function openEchoingGateway(chainUrl: string): Promise<TestServer> {
  let broadcasts = 0;
  return startServer(async (response, request, number) => {
    if (!isBroadcast(request.path)) {
      const answer = await askChain(chainUrl, request);
      response.writeHead(answer?.status ?? 502, { "content-type": "application/json" }).end(answer?.text);
      return;
    }
    const headers = JSON.stringify(request.headers);
    const message = Buffer.from(headers).toString("hex");
    const answer = ++broadcasts === 1 ? text(headers, 502) : json({ code: "CONTRACT_VALIDATE_ERROR", message });
    answer(response, request, number);
  });
}

async function addFallback(network: string, url: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration("finality");
  const networks = settings.get<{ name: string }[]>("networks", []);
  const edited = networks.map((it) => (it.name === network ? { ...it, fallbackUrls: [url] } : it));
  await settings.update("networks", edited, vscode.ConfigurationTarget.Global);
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

/**
 * Sends once with everything said, and hears every message until the command has ended.
 * @returns its result or its error
 */
async function send(argument: object, hear: (said: string) => void): Promise<{ readonly txId?: string }> {
  let result: { readonly txId?: string } = {};
  const sending = async (): Promise<void> => {
    result = await run<typeof result>("sendCoins", argument).then(undefined, (error: Error) => {
      hear(JSON.stringify([error.message, error.stack, Object.entries(error)]));
      return {};
    });
  };
  await answering("Sign and Send", sending, hear);
  hear(JSON.stringify(result));
  return result;
}

/** Each token that came, and its signature, which is the part of it that counts. */
function tokensOf({ requests }: TestServer): readonly string[] {
  const tokens = new Set(requests.flatMap(({ headers }) => headers.authorization?.replace("Bearer ", "") ?? []));
  return [...tokens].flatMap((it) => [it, it.slice(it.lastIndexOf(".") + 1)]);
}

/** Uses JWT keys, and returns every text that a user or a program can read. */
async function handleJwtKeys(network: string, encrypted: { privateKeyPem: string; password: string }) {
  const heard: unknown[] = [
    await run("importJwtKey", { network, ...encrypted, keyId: "key-1" }),
    await failureOf(run("importJwtKey", { network, ...encrypted, password: `${encrypted.password}?` })),
    await run("createJwtKey", { network, keyId: "key-2", name: "Spare" }),
    await run("renameJwtKey", { network, key: "Spare", name: "Second" }),
    await answering(undefined, () => run("useJwtKey", { network, key: "Second" })),
    await run("rotateJwtKey", { network }),
    await run("jwtKeys", { network }),
    await run("inspectToken", { network }),
  ];
  await run("inspectToken", { kind: "network", network });
  heard.push(vscode.window.activeTextEditor?.document.getText(), await vscode.env.clipboard.readText());
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  const texts = heard.map((it) => (it instanceof Error ? [it.message, it.stack, Object.entries(it)] : it));
  return texts.map((it) => JSON.stringify(it));
}

const isOf =
  (txId: string) =>
  ({ body }: SeenRequest): boolean =>
    body.includes(txId);

/** One whose words do not fit in the other order: of sixteen, one does. */
function mnemonicOfOneDirection(): Mnemonic {
  const words = newMnemonic();
  return mnemonicFault([...words].reverse().join(" ")) === undefined ? mnemonicOfOneDirection() : words;
}

describe("secrets", () => {
  const canary = randomBytes(6).toString("hex");
  const signingKey = `${"0".repeat(20)}${canary}${randomBytes(16).toString("hex")}`;
  const apiKey = `api-key-${canary}-${randomBytes(12).toString("hex")}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const password = `password-${canary}-${randomBytes(12).toString("hex")}`;
  const encrypted = privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: password });
  const pemLine = pem.split("\n")[5] ?? "";
  const words = mnemonicOfOneDirection();
  const passphrase = `passphrase-${canary}`;
  const keystoreKey = `${"0".repeat(20)}${randomBytes(22).toString("hex")}`;
  /** Of words each three that follow each other: one or two may stand in any text. */
  const triplesOfWords = words.slice(2).map((word, index) => `${words[index]} ${words[index + 1]} ${word}`);
  /** Secrets of keys: words, passwords and private keys. */
  let ofKeys: readonly string[];
  const network = `Canary ${canary}`;
  let server: TestServer;
  /** A further URL of the network, which a program wrote into the settings. */
  let other: TestServer;
  /** Texts that users and programs received. */
  const said: string[] = [];
  /** Tokens. */
  let sent: readonly string[];
  let address: string;

  before(async () => {
    await finality();
    server = await startServer(echo);
    other = await startServer(echo);
    await run("addNetwork", { name: network, baseUrl: server.url, audience: "chain.test", apiKey });
    await run("importJwtKey", { network, privateKeyPem: pem, keyId: "key-1" });
    ({ address } = await run<{ address: string }>("importSigningKey", {
      privateKey: signingKey,
      label: `Account ${canary}`,
    }));
    await useKeys();
    said.push(...(await handleJwtKeys(network, { privateKeyPem: encrypted.toString(), password })));
    await addFallback(network, other.url);
    said.push(JSON.stringify(await run("testConnection", { network })));
    for (const account of [`Account ${canary}`, "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"]) {
      await assert.rejects(
        async () => run("showBalance", { account, network }),
        (error: Error) => {
          said.push(JSON.stringify([error.message, error.stack, Object.entries(error)]));
          return true;
        },
      );
    }
    for (const input of [
      apiKey,
      signingKey,
      pem,
      words.join(" "),
      ...ofKeys.slice(triplesOfWords.length),
      `you sent ${signingKey.toUpperCase()}`,
    ]) {
      said.push(JSON.stringify(await run("decode", { input, copy: true })), await vscode.env.clipboard.readText());
    }
    sent = tokensOf(server);
    await assert.rejects(async () => run("importSigningKey", { privateKey: `${signingKey}ff` }));
    await assert.rejects(async () => run("importJwtKey", { network, privateKeyPem: pem.slice(0, -60) }));
  });

  /** Imports by words and keystore, right and wrong, and exports. */
  async function useKeys(): Promise<void> {
    const key = bytesToHex(keyAt(await seedOf(words, passphrase), FIRST_PATH));
    ofKeys = [...triplesOfWords, key, passphrase, password, keystoreKey];
    const keystore = await printKeystore(parsePrivateKey(keystoreKey), password, 1024);
    const mnemonic = words.join(" ");
    const ofWords = await run<{ address: string }>("importSigningKey", {
      mnemonic,
      passphrase,
      label: `Words ${canary}`,
    });
    const ofFile = await run<{ address: string }>("importSigningKey", { keystore, password, label: `File ${canary}` });
    const wrong = [
      { mnemonic: [...words].reverse().join(" ") },
      { mnemonic: `${mnemonic} ${words[0]}` },
      { mnemonic: mnemonic.replace(words[3] ?? "", `${words[3]}x`) },
      { mnemonic, path: mnemonic },
      { keystore, password: passphrase },
      { keystore: keystore.replace('"scrypt"', `"${passphrase}"`), password },
      { privateKey: mnemonic },
    ];
    for (const argument of wrong) {
      const error = await failureOf(run("importSigningKey", argument));
      said.push(JSON.stringify([error.message, error.stack, Object.entries(error)]));
    }
    const hear = (message: string): void => void said.push(message);
    const exporting = () => typing(["export"], () => run("exportSigningKey", { address: ofFile.address }));
    await answering("Private Key to Clipboard", exporting, hear);
    assert.equal(await vscode.env.clipboard.readText(), keystoreKey);
    await vscode.env.clipboard.writeText("");
    await answering("Remove", () => run("removeSigningKey", { address: ofWords.address }), hear);
  }

  after(async () => {
    await run("removeNetwork", { network, confirmed: true });
    await answering("Remove", () => run("removeSigningKey", { address: `File ${canary}` }));
    await answering("Remove", () => run("removeSigningKey", { address: `Account ${canary}` }));
    await server[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  it("M2: shows a token with header, payload and times, without its signature", () => {
    const shown = said.find((it) => it.includes("for its next request")) ?? "";

    assert.match(shown, /kid {2}key-1 .*aud {2}chain\.test .*The signature is not shown/);
    assert.equal(/[\w-]{80}/.test(shown), false);
  });

  it("are sent to the gateway: API key and token", () => {
    assert.ok(server.requests.length > 0);
    assert.equal(server.requests[0]?.headers["chain-pro-api-key"], apiKey);
    assert.match(sent[0] ?? "", /^eyJ/);
  });

  it("H7: are not sent to the fallback URL of another origin", () => {
    for (const { headers, body } of other.requests) {
      for (const secret of [signingKey, apiKey, pemLine, ...sent])
        assert.equal(JSON.stringify([headers, body]).includes(secret), false);
    }
  });

  it("M2: are in no message or copied text, although the gateway echoed them", () => {
    assert.ok(said.length > 8 && said.some((it) => it.includes("***")), said.join("\n"));
    for (const secret of [signingKey, apiKey, pemLine, password, "BEGIN PRIVATE", ...sent, ...ofKeys]) {
      const found = said.filter((it) => it.toLowerCase().includes(secret.toLowerCase()));
      assert.deepEqual(found, []);
    }
  });

  it("M2: are in no journal, dialog or report of a signed transaction, although the gateway echoed them as the node's answer", async () => {
    await using chain = await startGuardedChain();
    const fund = { method: "POST", body: JSON.stringify({ address, amount: "9000000", mine: true }) };
    assert.ok((await fetch(`${chain.baseUrl}/local/fund`, fund)).ok);
    await using gateway = await openEchoingGateway(chain.baseUrl);
    const bank = `Bank ${canary}`;
    await run("addNetwork", { name: bank, baseUrl: gateway.url, audience: "chain.test", apiKey });
    await run("importJwtKey", { network: bank, privateKeyPem: pem, keyId: "key-1" });
    const reported: string[] = [];
    const hear = (message: string): void => void reported.push(message);
    const payment = { from: `Account ${canary}`, to: "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC", network: bank };

    const results = [await send({ ...payment, amount: "1.5" }, hear), await send({ ...payment, amount: "1.25" }, hear)];

    const broadcasts = gateway.requests.filter(({ path }) => isBroadcast(path));
    assert.ok(broadcasts.length >= 2, reported.join("\n"));
    for (const { headers } of broadcasts) assert.equal(headers["chain-pro-api-key"], apiKey);
    const tracked = (await finality()).transactions.list().filter(({ txId }) => broadcasts.some(isOf(txId)));
    assert.deepEqual(tracked.map(({ state }) => state.kind).sort(), ["rejected", "unknown"]);
    reported.push(
      JSON.stringify([results, tracked], (_key, it: unknown) => (typeof it === "bigint" ? String(it) : it)),
    );
    for (const { txId } of tracked) {
      await run("showTimeline", { txId });
      reported.push(
        (await run<{ markdown: string }>("copyReport", { txId })).markdown,
        await vscode.env.clipboard.readText(),
      );
      assert.ok(await isWritten(txId), "the search does not even find the journal");
    }
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await answering("Remove", () => run("removeNetwork", { network: bank }), hear);
    assert.ok(reported.join("\n").includes("***"), reported.join("\n"));
    const tokens = tokensOf(gateway);
    assert.ok(tokens.length > 0);
    sent = [...sent, ...tokens];
    for (const secret of [signingKey, apiKey, pemLine, ...tokens]) {
      for (const form of [secret, Buffer.from(secret).toString("hex")])
        assert.deepEqual(
          reported.filter((it) => it.toLowerCase().includes(form.toLowerCase())),
          [],
        );
    }
  });

  it("M2: pass no proxy unencrypted, and reach no proxy that impersonates the gateway", async () => {
    const bank = `Far bank ${canary}`;
    const host = `bank-${canary}.test`;
    const proxyKey = `Basic ${Buffer.from(`proxy-${canary}`).toString("base64")}`;
    const http = vscode.workspace.getConfiguration("http");
    const useProxy = ({ url }: TestProxy) => http.update("proxy", url, vscode.ConfigurationTarget.Global);
    await using refusing = await startProxy(undefined);
    await using impostor = await startTlsServer(selfSigned(host), echo);
    await using intercepting = await startProxy(impostor.url);
    await run("addNetwork", { name: bank, baseUrl: `https://${host}`, audience: "chain.test", apiKey });
    await run("importJwtKey", { network: bank, privateKeyPem: pem, keyId: "key-1" });
    await http.update("proxyAuthorization", proxyKey, vscode.ConfigurationTarget.Global);
    try {
      await useProxy(refusing);
      const findings = await run("testConnection", { network: bank });
      await useProxy(intercepting);
      const error = await failureOf(run("showBalance", { account: address, network: bank }));
      const reported = [findings, Object.entries(error)].map((it) => JSON.stringify(it)).concat(error.stack ?? "");

      assert.match(error.message, /certificate/);
      for (const { heard } of [refusing, intercepting])
        assert.ok(
          heard.some((it) => it.startsWith(`CONNECT ${host}:443 `) && it.includes(proxyKey)),
          String(heard),
        );
      assert.deepEqual(impostor.requests, []);
      const onTheWay = [...refusing.heard, ...intercepting.heard, intercepting.carried().toString("latin1")];
      for (const secret of [signingKey, apiKey, pemLine, "Bearer eyJ"])
        assert.deepEqual(
          [...reported, ...onTheWay].filter((it) => it.includes(secret)),
          [],
        );
      assert.deepEqual(
        reported.filter((it) => it.includes(proxyKey)),
        [],
      );
      // The editor keeps earlier versions of the settings.
      assert.deepEqual(
        filesWith(proxyKey).filter((it) => !/\/User\/(?:settings\.json|History\/.*)$/.test(it)),
        [],
      );
    } finally {
      for (const name of ["proxy", "proxyAuthorization"])
        await http.update(name, undefined, vscode.ConfigurationTarget.Global);
      await answering("Remove", () => run("removeNetwork", { network: bank }));
    }
  });

  it("are in no setting, state, log, workspace file or test output, where a control text is found", async () => {
    const control = [network, `Account ${canary}`, `File ${canary}`];
    for (const text of control) assert.ok(await isWritten(text), `the search does not even find ${text}`);

    assert.deepEqual(filesWith(signingKey, apiKey, pemLine, password, ...sent, ...ofKeys), []);
  });

  it("are deleted with their network or account", async () => {
    await answering("Remove", () => run("removeNetwork", { network }));
    await run("addNetwork", { name: network, baseUrl: server.url });
    await run("testConnection", { network });

    const last = server.requests.at(-1);

    assert.equal(last?.headers["chain-pro-api-key"], undefined);
    assert.equal(last?.headers.authorization, undefined);
  });
});
