import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const manifest = JSON.parse(read("package.json"));
const { contributes } = manifest;
const sources = globSync(["{src,packages/*/src}/**/*.ts", "media/**/*.ts"], { cwd: root }).filter(
  (file) => !file.includes("/gen/"),
);
const filesWith = (pattern: RegExp): readonly string[] => sources.filter((file) => pattern.test(read(file))).sort();

interface Setting {
  readonly type: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default: number;
}

/** Files that read a folder on disk and follow no link out of it. */
const FROM_DISK: readonly string[] = [
  "src/features/networks/import-networks.ts",
  "src/host/addresses/workspace-names.ts",
  "src/host/artifacts/artifact-worker.ts",
  "src/host/secrets/client-certificates.ts",
];

describe("extension conventions", () => {
  it("8: runs where the workspace is, and docs/security.md states where keys are", () => {
    assert.deepEqual(manifest.extensionKind, ["workspace"]);
    assert.match(read("docs/security.md"), /Keys and journal are where the extension runs/);
  });

  it("10: reads workspace files through VS Code, or with read-regular-file.ts", () => {
    assert.equal(manifest.capabilities.virtualWorkspaces, true);
    assert.deepEqual(
      filesWith(/from "node:fs/).filter((file) => file.startsWith("src/features/")),
      [],
    );
    assert.deepEqual(filesWith(/read-regular-file\.ts"/), FROM_DISK);
  });

  it("13: names the current version in installation commands and in the changelog", () => {
    const versions = [...read("CHANGELOG.md").matchAll(/^## \[([^\]]+)\]/gm)].map(([, version]) => version);
    const packages = ["README.md", ...globSync("docs/*.md", { cwd: root })].flatMap(
      (page) => read(page).match(/finality-[\d.]+\.vsix/g) ?? [],
    );

    assert.ok(versions.includes(manifest.version));
    assert.deepEqual([...new Set(packages)], [`finality-${manifest.version}.vsix`]);
  });

  it("18, 19, 26: runs nothing at installation, uses no proposed API, and registers no agent", () => {
    const hooks = ["preinstall", "install", "postinstall", "prepare", "vscode:uninstall"];

    assert.deepEqual(
      hooks.filter((hook) => hook in manifest.scripts),
      [],
    );
    assert.deepEqual([manifest.enabledApiProposals, contributes.chatParticipants], [undefined, undefined]);
    assert.deepEqual(filesWith(/vscode\.proposed\./), []);
  });

  it("offers tools only while the user's setting is on", () => {
    const { languageModelTools, mcpServerDefinitionProviders } = contributes;
    const offered: readonly { readonly when: string }[] = [...languageModelTools, ...mcpServerDefinitionProviders];
    const registering = filesWith(/\blm\.register/);

    assert.deepEqual([...new Set(offered.map(({ when }) => when))], ["config.finality.agents.enabled"]);
    assert.deepEqual(registering, ["src/features/agents/language-tools.ts", "src/features/agents/mcp-provider.ts"]);
    assert.match(read("src/features/agents/register.ts"), /areAgentToolsOn\(\) && vscode\.workspace\.isTrusted/);
  });

  it("19: handles URIs in the feature of links, which imports nothing that signs or sends", () => {
    assert.deepEqual(filesWith(/registerUriHandler/), ["src/features/links/register.ts"]);
    const imports = ["register", "open-link", "link.view"].flatMap((name) => [
      ...read(`src/features/links/${name}.ts`).matchAll(/^import (type )?.*"(\.\.\/.*)";$/gm),
    ]);

    assert.deepEqual(
      imports.flatMap(([, type, path]) => (type === undefined ? [path] : [])),
      ["../../host/commands/show-error.ts", "../../host/prompts/notify.ts"],
    );
  });

  it("42: bounds every numeric setting, with the default inside", () => {
    const numbers = [contributes.configuration]
      .flat()
      .flatMap(({ properties }) => Object.entries<Setting>(properties))
      .filter(([, { type }]) => type === "number" || type === "integer");

    assert.ok(numbers.length >= 3);
    for (const [id, { minimum, maximum, default: usual }] of numbers)
      assert.ok(minimum !== undefined && maximum !== undefined && minimum <= usual && usual <= maximum, id);
  });

  it("45: limits every keybinding to a view of Finality or to the editor", () => {
    const keys: readonly { readonly when?: string }[] = contributes.keybindings;

    assert.ok(keys.length > 0);
    assert.deepEqual(
      keys.filter(({ when }) => !/focusedView == finality\.|editorTextFocus/.test(when ?? "")),
      [],
    );
  });

  it("46: restricts pages to their own files, and evaluates no text as code", () => {
    const page = read("src/host/webview-page.ts");

    for (const rule of ["default-src 'none'", "script-src 'nonce-", "form-action 'none'", "base-uri 'none'"])
      assert.ok(page.includes(rule), rule);
    assert.match(page, /localResourceRoots: \[folder\]/);
    assert.deepEqual(filesWith(/unsafe-inline|unsafe-eval|https?:\/\/[^`"]*\.(?:js|css)\b/), []);
    assert.deepEqual(filesWith(/webview\.html =/), ["src/host/webview-page.ts"]);
    assert.deepEqual(filesWith(/\beval\s*\(|new Function\s*\(/), []);
  });

  it("47: parses every message of a page before use", () => {
    const listening = filesWith(/onDidReceiveMessage/);

    assert.ok(listening.length >= 3);
    for (const file of listening) {
      assert.match(read(file), /onDidReceiveMessage\(\(message: unknown\) => this\.#received\(/, file);
      assert.match(read(file), /byKind\(\{[\s\S]*tryRead\(fromPage, message\);\n\s+switch \(read\?\.kind\)/, file);
    }
  });

  it("48: retains no hidden page, and restores each page with a serializer", () => {
    const types = manifest.activationEvents.filter((it: string) => it.startsWith("onWebviewPanel:"));

    assert.deepEqual(filesWith(/retainContextWhenHidden/), []);
    assert.equal(types.length, filesWith(/registerWebviewPanelSerializer/).length);
  });

  it("49: stops animations when the user prefers reduced motion", () => {
    const moving = globSync("media/*/*.css", { cwd: root }).filter((file) => /animation:|transition:/.test(read(file)));

    assert.ok(moving.length > 0);
    assert.deepEqual(
      moving.filter((file) => !/@media \(prefers-reduced-motion: reduce\)|vscode-reduce-motion/.test(read(file))),
      [],
    );
  });

  it("14, 51: sends no telemetry, and the README describes the network access", () => {
    const readme = read("README.md");

    assert.deepEqual(filesWith(/createTelemetryLogger|appinsights|applicationinsights|@sentry/i), []);
    assert.equal(existsSync(join(root, "telemetry.json")), false);
    assert.match(readme, /no telemetry/i);
    assert.match(readme, /^## Network access and privacy$/m);
    assert.ok(readme.includes("docs/security.md"));
  });
});
