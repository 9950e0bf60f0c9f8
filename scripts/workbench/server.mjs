import { createHash, randomUUID } from "node:crypto";
import {
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterChildren, endChild, startChild } from "../children.mjs";
import { workbenchNode, workbenchServer } from "../install/workbench.mjs";
import { runToEnd } from "../run-to-end.mjs";
import { installEmptyLanguagePack } from "./language-pack.mjs";
import { startProxy } from "./proxy.mjs";
import { endStoredChain } from "./stored-chain.mjs";

const START_MS = 60_000;
/** What was installed of packages, by their content. `npm test` empties it. */
const keptInstalls = join(import.meta.dirname, "..", "..", ".cache", "installed");

/** What a stranger need not click away, and what would change a screenshot from one day to the next. */
const QUIET_SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "extensions.ignoreRecommendations": true,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  // Ports of other programs on this machine are no news: browser and server are on the same one.
  "remote.autoForwardPorts": false,
  // The sample workspace lies in the clone: that it belongs to a repository is no news.
  "git.openRepositoryInParentFolders": "never",
  // A decoration for a folder that a test deletes meanwhile ends in an uncaught error of the Git extension.
  "git.decorations.enabled": false,
  // Asked at once, a person need not find out why half of it is missing.
  "security.workspace.trust.startupPrompt": "once",
};
/** What stays on whatever a profile of an older workbench says. */
const TRUST = { "security.workspace.trust.enabled": true };

/**
 * Serves the VS Code workbench on a loopback port. The server itself listens on a socket file; what people and browsers
 * reach is the proxy in front of it (`proxy.mjs`), which keeps the key of the secrets.
 *
 * @param {{
 *   dataDir: string,
 *   port?: number,
 *   folder?: string,
 *   packages?: readonly string[],
 *   builtIns?: string,
 *   settings?: Record<string, unknown>,
 *   env?: NodeJS.ProcessEnv,
 *   logFile: string,
 *   language?: string,
 * }} options `packages` are files to install extensions from; `builtIns` is the folder of those that the workbench
 * brings, if it is another one than its own; `language` is that of the extensions
 * @returns {Promise<Workbench>}
 */
export async function startWorkbench(options) {
  const dataDir = resolve(options.dataDir);
  writeSettings(dataDir, options.settings);
  if (options.language !== undefined) installEmptyLanguagePack(join(dataDir, "data"), options.language);
  await install(dataDir, options.packages ?? []);
  // A socket file has at most 107 characters in its path: it cannot live below any folder.
  const socketDir = mkdtempSync(join(tmpdir(), "finality-"));
  const socketPath = join(socketDir, "workbench.sock");
  const child = spawnServer(dataDir, socketPath, options);
  process.once("exit", () => rmSync(socketDir, { recursive: true, force: true }));
  const endChain = () => endStoredChain(join(dataDir, "data"));
  afterChildren(endChain);
  const stopServer = () => endChild(child).then(endChain);
  /** @type {Tests | undefined} */
  let tests;
  const query = () => workbenchQuery(options.folder);
  const development = (/** @type {string} */ host) => (tests === undefined ? undefined : developmentOf(host, tests));
  try {
    await answers(socketPath, child, options.logFile);
    const keyFile = join(dataDir, "mint-key");
    const proxy = await startProxy({ socketPath, port: options.port ?? 0, keyFile, query, development });
    const stop = () => proxy.close().then(stopServer);
    const runInNextPage = (/** @type {Tests} */ wanted) => {
      tests = wanted;
    };
    return { origin: proxy.origin, url: proxy.url, stop, runInNextPage };
  } catch (error) {
    await stopServer();
    throw error;
  }
}

/**
 * Tests that run inside the extension host: the folder of the extension that brings them, and the program that runs
 * them.
 *
 * @typedef {{ readonly extension: string, readonly program: string }} Tests
 */

/**
 * @typedef {{
 *   origin: string, url: string, stop(): Promise<void>, runInNextPage(tests: Tests): void
 * }} Workbench
 */

/**
 * What the page is told of tests that run in it.
 *
 * @param {string} host
 * @param {Tests} tests
 */
function developmentOf(host, { extension, program }) {
  const remote = (/** @type {string} */ path) => ({ scheme: "vscode-remote", authority: host, path: resolve(path) });
  return { extensions: [remote(extension)], extensionTestsPath: remote(program) };
}

/**
 * Installs extensions as a person does who has their files. Where nothing is installed yet, what an earlier workbench
 * installed of the same files is copied: it is the same, and takes less time.
 *
 * @param {string} dataDir
 * @param {readonly string[]} packages
 */
async function install(dataDir, packages) {
  if (packages.length === 0) return;
  const extensions = join(dataDir, "extensions");
  const kept = join(keptInstalls, contentOf(packages));
  if (readdirSync(extensions).length > 0) return await installInto(dataDir, packages);
  if (existsSync(kept)) return cpSync(kept, extensions, { recursive: true });
  await installInto(dataDir, packages);
  const draft = join(keptInstalls, randomUUID());
  cpSync(extensions, draft, { recursive: true });
  try {
    renameSync(draft, kept);
  } catch (error) {
    rmSync(draft, { recursive: true });
    // Another run was first, or it is told.
    if (!existsSync(kept)) throw error;
  }
}

/**
 * @param {string} dataDir
 * @param {readonly string[]} packages
 */
async function installInto(dataDir, packages) {
  const wanted = packages.flatMap((file) => ["--install-extension", resolve(file)]);
  const args = [workbenchServer, "--accept-server-license-terms", ...foldersOf(dataDir), ...wanted, "--force"];
  const { code, output } = await runToEnd(workbenchNode, args, dataDir);
  if (code !== 0) throw new Error(`The extension was not installed:\n${output}`);
}

/** A hash of packages, and of the workbench that installs them. @param {readonly string[]} packages */
function contentOf(packages) {
  const hash = createHash("sha256").update(workbenchServer);
  for (const file of packages) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

/** @param {string} dataDir */
const foldersOf = (dataDir) => ["--server-data-dir", dataDir, "--extensions-dir", join(dataDir, "extensions")];

/**
 * @param {string} dataDir
 * @param {string} socketPath
 * @param {{ builtIns?: string, env?: NodeJS.ProcessEnv, logFile: string, language?: string }} options
 */
function spawnServer(dataDir, socketPath, { builtIns, env = {}, logFile, language }) {
  const child = startChild(
    workbenchNode,
    [
      workbenchServer,
      ...["--socket-path", socketPath, "--without-connection-token", "--accept-server-license-terms"],
      ...foldersOf(dataDir),
      ...["--telemetry-level", "off"],
      ...(builtIns === undefined ? [] : ["--builtin-extensions-dir", builtIns]),
      ...(language === undefined ? [] : ["--locale", language]),
    ],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } },
  );
  mkdirSync(dirname(logFile), { recursive: true });
  const log = createWriteStream(logFile);
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  child.once("close", () => log.end());
  return child;
}

/**
 * Adds settings to the user's. What a person or a test set the last time stays.
 *
 * @param {string} dataDir
 * @param {Record<string, unknown>} [settings]
 */
function writeSettings(dataDir, settings = {}) {
  const file = join(dataDir, "data", "User", "settings.json");
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  mkdirSync(dirname(file), { recursive: true });
  mkdirSync(join(dataDir, "extensions"), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...QUIET_SETTINGS, ...kept, ...TRUST, ...settings }, null, 2));
}

/**
 * What the workbench reads from its address: the folder to open.
 *
 * @param {string | undefined} folder
 */
function workbenchQuery(folder) {
  return new URLSearchParams({
    ...(folder === undefined ? { ew: "true" } : { folder: resolve(folder) }),
    payload: "[]",
  });
}

/**
 * @param {string} socketPath
 * @param {import("node:child_process").ChildProcess} child
 * @param {string} logFile
 */
async function answers(socketPath, child, logFile) {
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(100)) {
    if (child.exitCode !== null)
      throw new Error(`The workbench server ended with code ${child.exitCode}: see ${logFile}`);
    if (await responds(socketPath)) return;
  }
  throw new Error(`The workbench server did not answer within ${START_MS / 1000} s: see ${logFile}`);
}

/**
 * @param {string} socketPath
 * @returns {Promise<boolean>}
 */
function responds(socketPath) {
  return new Promise((done) => {
    request({ socketPath, path: "/version" }, (response) => {
      response.resume();
      done(true);
    })
      .on("error", () => done(false))
      .end();
  });
}
