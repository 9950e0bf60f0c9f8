import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const manifest = JSON.parse(read("package.json"));
const texts: Readonly<Record<string, string>> = JSON.parse(read("package.nls.json"));
const { contributes } = manifest;
const sources = globSync(["{src,packages/*/src}/**/*.ts", "media/**/*.ts"], { cwd: root }).filter(
  (file) => !file.includes("/gen/"),
);
/** The sources in which something stands. */
const filesWith = (pattern: RegExp): readonly string[] => sources.filter((file) => pattern.test(read(file))).sort();

interface Setting {
  readonly type: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default: number;
}

const settings: readonly (readonly [string, Setting])[] = [contributes.configuration]
  .flat()
  .flatMap(({ properties }) => Object.entries<Setting>(properties));

interface Clause {
  readonly command?: string;
  readonly view?: string;
  readonly when?: string;
  readonly group?: string;
  readonly key?: string;
  readonly contents?: string;
}

describe("the conventions of extensions", () => {
  it("1: no title repeats the category", () => {
    const titles = contributes.commands.map((it: { title: string }) => texts[it.title.slice(1, -1)]);

    assert.ok(titles.length > 100);
    assert.deepEqual(
      titles.filter((it: string) => it.includes("Finality")),
      [],
    );
  });

  it("7: the types are those of the oldest editor", () => {
    assert.equal(manifest.engines.vscode, `^${manifest.devDependencies["@types/vscode"]}`);
  });

  it("8: runs where the workspace is, and the page about safety says where keys are then", () => {
    assert.deepEqual(manifest.extensionKind, ["workspace"]);
    assert.match(read("docs/security.md"), /Keys and journal are where the extension runs/);
  });

  it("10: files of a workspace are read through the editor", () => {
    assert.equal(manifest.capabilities.virtualWorkspaces, true);
    // The one door to a file of a folder on disk, which follows no link out of it.
    assert.deepEqual(
      filesWith(/from "node:fs/).filter((file) => file.startsWith("src/features/")),
      [],
    );
    assert.deepEqual(filesWith(/read-regular-file\.ts"/), FROM_DISK);
  });

  it("11: the icon is a large PNG", () => {
    const bytes = readFileSync(join(root, manifest.icon));

    assert.equal(bytes.toString("latin1", 12, 16), "IHDR");
    assert.ok(bytes.readUInt32BE(16) >= 128 && bytes.readUInt32BE(20) >= 128);
    for (const page of ["README.md", "CHANGELOG.md"]) assert.doesNotMatch(read(page), /!\[[^\]]*\]\([^)]*\.svg\)/);
  });

  it("12: the marketplace page is true", () => {
    assert.deepEqual(
      manifest.categories.filter((it: string) => !CATEGORIES.includes(it)),
      [],
    );
    // A debugger or tests in the editor's own view would be something to contribute.
    assert.equal(manifest.categories.includes("Debuggers"), manifest.contributes.debuggers !== undefined);
    assert.equal(manifest.categories.includes("Testing"), filesWith(/createTestController/).length > 0);
    assert.equal(manifest.preview ?? false, !read("CHANGELOG.md").includes(`\n## [${manifest.version}] - `));
    assert.ok(manifest.keywords.length <= 30);
    assert.match(manifest.galleryBanner.color, /^#[0-9a-f]{6}$/);
    assert.deepEqual([manifest.license, manifest.pricing, existsSync(join(root, "LICENSE"))], ["MIT", "Free", true]);
    assert.deepEqual([manifest.repository, manifest.homepage, manifest.bugs, manifest.qna].filter(Boolean), []);
  });

  it("13: the changelog has the form of Keep a Changelog, with this version, and pages install this one", () => {
    const changelog = read("CHANGELOG.md");
    const versions = [...changelog.matchAll(/^## \[([^\]]+)\](.*)$/gm)];

    assert.match(changelog, /Keep a Changelog/);
    assert.ok(versions.some(([, version]) => version === manifest.version));
    for (const [line, , date = ""] of versions) assert.match(date, /^$|^ - \d{4}-\d\d-\d\d$/, line);
    const named = ["README.md", ...globSync("docs/*.md", { cwd: root })].flatMap(
      (page) => read(page).match(/finality-[\d.]+\.vsix/g) ?? [],
    );
    assert.deepEqual([...new Set(named)], [`finality-${manifest.version}.vsix`], "what a page says to install");
  });

  it("14: the README says what leaves the machine, and leads to the threat model", () => {
    const readme = read("README.md");

    assert.match(readme, /^## What leaves (your|the) machine$/im);
    for (const page of ["docs/security.md", "docs/commands.md", "docs/settings.md"]) assert.ok(readme.includes(page));
  });

  it("17: no source map is shipped", () => {
    const shipped = read("test/architecture/package-contents.txt").split("\n");

    assert.ok(shipped.length > 20);
    assert.deepEqual(
      shipped.filter((file) => file.endsWith(".map")),
      [],
    );
  });

  it("18: nothing runs when it is installed", () => {
    const hooks = ["preinstall", "install", "postinstall", "prepare", "vscode:uninstall"];

    assert.deepEqual(
      hooks.filter((hook) => hook in manifest.scripts),
      [],
    );
  });

  it("19: asks for no proposed interface", () => {
    assert.equal(manifest.enabledApiProposals, undefined);
    assert.deepEqual(filesWith(/vscode\.proposed\./), []);
  });

  it("26: gives agents no tool, and listens to no link from outside", () => {
    assert.deepEqual([contributes.languageModelTools, contributes.chatParticipants], [undefined, undefined]);
    assert.deepEqual(filesWith(/registerUriHandler|\blm\.registerTool|registerMcpServer/), []);
  });

  it("31: work that may last is shown where the side bar is closed, too", () => {
    const inView = filesWith(/location: \{ viewId/);

    assert.deepEqual(inView, ["src/host/prompts/notify.ts"], "only beside the status bar");
  });

  it("36: two views with short names, in a container with an icon", () => {
    const views = Object.values<readonly { name: string }[]>(contributes.views).flat();
    const [container] = contributes.viewsContainers.activitybar;

    assert.equal(views.length, 2);
    for (const { name } of views) assert.match(texts[name.slice(1, -1)] ?? "", /^\w{4,14}$/);
    assert.ok(existsSync(join(root, container.icon)));
  });

  it("39: there is one item in the status bar, on the left", () => {
    const made = sources.flatMap((file) => read(file).match(/createStatusBarItem\([^)]*\)/g) ?? []);

    assert.equal(made.length, 1);
    assert.match(made[0] ?? "", /StatusBarAlignment\.Left/);
  });

  it("42: every setting that is a number has bounds, and its default lies in them", () => {
    const numbers = settings.filter(([, { type }]) => type === "number" || type === "integer");

    assert.ok(numbers.length >= 3);
    for (const [id, { minimum, maximum, default: usual }] of numbers)
      assert.ok(minimum !== undefined && maximum !== undefined && minimum <= usual && usual <= maximum, id);
  });

  it("45: a keybinding acts only where it belongs", () => {
    const keys: readonly Clause[] = contributes.keybindings;

    assert.ok(keys.length > 0);
    assert.deepEqual(
      keys.filter(({ when }) => !/focusedView == finality\.|editorTextFocus/.test(when ?? "")),
      [],
    );
  });

  it("46: pages have a policy that allows nothing but their own files", () => {
    const page = read("src/host/webview-page.ts");

    for (const rule of ["default-src 'none'", "script-src 'nonce-", "form-action 'none'", "base-uri 'none'"])
      assert.ok(page.includes(rule), rule);
    assert.match(page, /localResourceRoots: \[folder\]/);
    assert.deepEqual(filesWith(/unsafe-inline|unsafe-eval|https?:\/\/[^`"]*\.(?:js|css)\b/), []);
    assert.deepEqual(filesWith(/webview\.html =/), ["src/host/webview-page.ts"]);
  });

  it("47: what a page says is read before it counts", () => {
    const listening = filesWith(/onDidReceiveMessage/);

    assert.ok(listening.length >= 3);
    for (const file of listening) {
      assert.match(read(file), /onDidReceiveMessage\(\(message: unknown\) => this\.#received\(/, file);
      assert.match(read(file), /byKind\(\{[\s\S]*tryRead\(fromPage, message\);\n\s+switch \(read\?\.kind\)/, file);
    }
  });

  it("48: no page is kept alive out of sight, and each can be drawn again", () => {
    const types = manifest.activationEvents.filter((it: string) => it.startsWith("onWebviewPanel:"));

    assert.deepEqual(filesWith(/retainContextWhenHidden/), []);
    assert.equal(types.length, filesWith(/registerWebviewPanelSerializer/).length);
  });

  it("49: pages move nothing for who wants that", () => {
    const moving = globSync("media/*/*.css", { cwd: root }).filter((file) => /animation:|transition:/.test(read(file)));

    assert.ok(moving.length > 0);
    assert.deepEqual(
      moving.filter((file) => !/@media \(prefers-reduced-motion: reduce\)|vscode-reduce-motion/.test(read(file))),
      [],
    );
  });

  it("51: sends nothing home", () => {
    assert.deepEqual(filesWith(/createTelemetryLogger|appinsights|applicationinsights|@sentry/i), []);
    assert.equal(existsSync(join(root, "telemetry.json")), false);
    assert.match(read("README.md"), /no telemetry/i);
  });

  it("52: there are tests at every level, and `npm test` runs all of them", () => {
    const tests = globSync("test/*/**/*.test.ts", { cwd: root });
    const levels = [...new Set(tests.map((file) => file.split("/")[1] ?? ""))].sort();
    const run = read("scripts/testing/suites.mjs");

    for (const level of ["unit", "integration", "browser"])
      assert.ok(tests.filter((file) => file.startsWith(`test/${level}/`)).length > 20, level);
    assert.deepEqual(
      levels.filter((level) => !run.includes(`"${level}"`)),
      ["film"],
    );
  });
});

/** Categories of the gallery. */
const CATEGORIES: readonly string[] = [
  "Debuggers",
  "Testing",
  "Visualization",
  "Other",
  "Linters",
  "Programming Languages",
];

/** Files that read a folder on disk and follow no link out of it. */
const FROM_DISK: readonly string[] = [
  "src/features/networks/import-networks.ts",
  "src/host/addresses/workspace-names.ts",
  "src/host/artifacts/artifact-worker.ts",
  "src/host/secrets/client-certificates.ts",
];
