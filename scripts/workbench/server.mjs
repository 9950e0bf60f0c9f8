import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endChild, startChild } from "../children.mjs";
import { workbenchServer } from "../install/workbench.mjs";
import { startProxy } from "./proxy.mjs";

const START_MS = 60_000;

/** What a stranger need not click away, and what would change a screenshot from one day to the next. */
const QUIET_SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "extensions.ignoreRecommendations": true,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  // The sample workspace lies in the clone: that it belongs to a repository is no news.
  "git.openRepositoryInParentFolders": "never",
  "security.workspace.trust.enabled": false,
};

/**
 * Serves the VS Code workbench on a loopback port. The server itself listens on a socket file; what people and browsers
 * reach is the proxy in front of it (`proxy.mjs`), which keeps the key of the secrets.
 *
 * @param {{
 *   dataDir: string,
 *   port?: number,
 *   folder?: string,
 *   extensionPaths?: readonly string[],
 *   testsPath?: string,
 *   settings?: Record<string, unknown>,
 *   env?: NodeJS.ProcessEnv,
 *   logFile: string,
 *   testDriver?: boolean,
 *   restricted?: boolean,
 * }} options `restricted` opens the folder in Restricted Mode; `testDriver` lets tests drive the workbench, which then
 * draws no notification: for tests alone
 * @returns {Promise<{ origin: string, url: string, stop(): Promise<void> }>}
 */
export async function startWorkbench(options) {
  const dataDir = resolve(options.dataDir);
  writeSettings(dataDir, options.settings);
  // A socket file has at most 107 characters in its path: it cannot live below any folder.
  const socketDir = mkdtempSync(join(tmpdir(), "finality-"));
  const socketPath = join(socketDir, "workbench.sock");
  const child = spawnServer(dataDir, socketPath, options);
  process.once("exit", () => rmSync(socketDir, { recursive: true, force: true }));
  const stopServer = () => endChild(child);
  try {
    await answers(socketPath, child, options.logFile);
    const keyFile = join(dataDir, "mint-key");
    const proxy = await startProxy({ socketPath, port: options.port ?? 0, keyFile, query, extensions });
    return { origin: proxy.origin, url: proxy.url, stop: () => proxy.close().then(stopServer) };
  } catch (error) {
    await stopServer();
    throw error;
  }

  /** @param {string} host */
  function query(host) {
    return workbenchQuery(host, options);
  }

  /** @param {string} host */
  function extensions(host) {
    const paths = options.extensionPaths ?? [];
    return paths.map((path) => ({ scheme: "vscode-remote", authority: host, path: resolve(path) }));
  }
}

/**
 * @param {string} dataDir
 * @param {string} socketPath
 * @param {{ env?: NodeJS.ProcessEnv, logFile: string, testDriver?: boolean, restricted?: boolean }} options
 */
function spawnServer(dataDir, socketPath, { env = {}, logFile, testDriver = false, restricted = false }) {
  const child = startChild(
    process.execPath,
    [
      workbenchServer,
      ...["--socket-path", socketPath, "--without-connection-token", "--accept-server-license-terms"],
      ...["--server-data-dir", dataDir, "--extensions-dir", join(dataDir, "extensions")],
      ...["--telemetry-level", "off"],
      ...(restricted ? [] : ["--disable-workspace-trust"]),
      ...(testDriver ? ["--enable-smoke-test-driver"] : []),
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
  writeFileSync(file, JSON.stringify({ ...QUIET_SETTINGS, ...kept, ...settings }, null, 2));
}

/**
 * What the workbench reads from its address: the folder to open and the extensions under development.
 *
 * @param {string} host
 * @param {{ folder?: string, extensionPaths?: readonly string[], testsPath?: string }} options
 */
function workbenchQuery(host, { folder, extensionPaths = [], testsPath }) {
  const remote = (/** @type {string} */ path) => `vscode-remote://${host}${resolve(path)}`;
  const payload = [
    ...extensionPaths.map((path) => ["extensionDevelopmentPath", remote(path)]),
    ...(testsPath === undefined ? [] : [["extensionTestsPath", remote(testsPath)]]),
  ];
  return new URLSearchParams({
    ...(folder === undefined ? { ew: "true" } : { folder: resolve(folder) }),
    payload: JSON.stringify(payload),
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
