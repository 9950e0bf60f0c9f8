import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { networkRow } from "../../src/features/networks/network.view.ts";
import { contextValue } from "../../src/features/tracking/transaction.view.ts";
import { commandIds, settingIds, viewIds } from "../../src/host/contributions.ts";
import { type Context, holds } from "../support/situations/when-clause.ts";
import { EVERY_HISTORY } from "../support/tracking/every-history.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const manifest = JSON.parse(read("package.json"));
const texts: Readonly<Record<string, string>> = JSON.parse(read("package.nls.json"));
const { contributes } = manifest;
const sources = globSync("{src,packages/*/src}/**/*.ts", { cwd: root }).map(read).join("\n");

interface Item {
  readonly command: string;
  readonly when: string;
  readonly group?: string;
}

interface Welcome {
  readonly view: string;
  readonly when: string;
  readonly contents: string;
}

/** Menu contexts of networks. */
const NETWORK_ROWS = [
  { local: true, jwt: true, baseUrl: "http://127.0.0.1:9" },
  { local: false, jwt: true, baseUrl: "https://shop.example" },
  { local: false, jwt: false, baseUrl: "http://127.0.0.1:9" },
].flatMap((it) =>
  ["Shop", undefined].map(
    (active) =>
      networkRow({ ...it, name: "Shop", fallbackUrls: [], apiKeyHeader: "KEY", production: false }, active)
        .contextValue,
  ),
);

/** Menu contexts of account and payment-watch rows. Those of transactions are computed from their history. */
const OTHER_ROWS = {
  "finality.accounts": /contextValue: "((?:localChain|account)[\w.+]*)"/g,
  "finality.transactions": /contextValue(?: =|:).*?"((?:incoming|events|group)\.[\w.]+)"/g,
};

describe("when clauses of the manifest", () => {
  it("20: use context keys that the extension sets", () => {
    const clauses = [...JSON.stringify(manifest).matchAll(/"(?:when|enablement)":"((?:[^"\\]|\\.)*)"/g)];
    const events = JSON.stringify(manifest).match(/onContext:[\w.]+/g) ?? [];
    const named = [...clauses.map(([, text = ""]) => text), ...events].flatMap(
      (text) => text.match(/\bfinality\.[\w.]+/g) ?? [],
    );
    const pages = [...sources.matchAll(/createWebviewPanel\(\s*"([\w.]+)"/g)].map(([, id = ""]) => id);
    const others = new Set<string>([...Object.values(commandIds).flat(), ...viewIds, ...settingIds, ...pages]);
    const keys = new Set(named.filter((it) => !others.has(it)));

    assert.ok(keys.size >= 12, `only ${[...keys].join(", ")}`);
    assert.deepEqual(
      [...keys].filter((key) => !isSet(key)),
      [],
    );
  });

  /** Returns true if `setContext` or a `StoredContextKey` sets the key. */
  function isSet(key: string): boolean {
    return new RegExp(`(?:setContext\\(|new StoredContextKey[^;]*?)[^;]*"${key.replaceAll(".", "\\.")}"`).test(sources);
  }

  it("34: show one or two welcome texts with a button in every empty view", () => {
    const welcomes: readonly Welcome[] = contributes.viewsWelcome;

    for (const { contents } of welcomes) {
      const lines = (texts[contents.slice(1, -1)] ?? "").split("\n");
      assert.equal(lines.filter((line) => /^\[[^\]]+\]\(command:[\w.]+\)$/.test(line)).length, 1, contents);
    }
    for (const view of viewIds)
      for (const context of everyWindow()) {
        const shown = welcomes.filter((it) => it.view === view && holds(it.when, context));
        assert.ok(shown.length === 1 || shown.length === 2, `${view} with ${JSON.stringify(context)}`);
      }
  });

  it("35: show at most three icons per row, and each in the menu of the row too", () => {
    const items: readonly Item[] = contributes.menus["view/item/context"];
    const inline = items.filter(({ group = "" }) => group.startsWith("inline"));
    const menu = items.filter(({ group = "" }) => !group.startsWith("inline"));
    const rows = [
      ...new Set(EVERY_HISTORY.map((it) => ["finality.transactions", contextValue(it)].join(" "))),
      ...Object.entries(OTHER_ROWS).flatMap(([view, named]) =>
        [...sources.matchAll(named)].map(([, row = ""]) => `${view} ${row}`),
      ),
      ...NETWORK_ROWS.map((row) => `finality.networks ${row}`),
      "finality.transactions filter",
      ...[...sources.matchAll(/menu: "([\w.]+)"/g)].map(([, row]) => `finality.accounts detail.${row}+signs`),
    ];

    assert.ok(rows.length > 20, `only ${rows.join(", ")}`);
    for (const row of rows) {
      const [view = "", viewItem = ""] = row.split(" ");
      for (const context of everyWindow()) {
        const icons = inline.filter(({ when }) => holds(when, { ...context, view, viewItem }));
        assert.ok(icons.length <= 3, `${row}: ${icons.map(({ command }) => command).join(", ")}`);
        const offered = menu.filter(({ when }) => holds(when, { ...context, view, viewItem }));
        for (const { command } of icons)
          assert.ok(
            offered.some((it) => it.command === command),
            `${row}: ${command}`,
          );
      }
    }
  });

  it("offer the keys and payments of an account on its own row only, not on its details", () => {
    const items: readonly Item[] = contributes.menus["view/item/context"];
    const details = [...sources.matchAll(/menu: "([\w.]+)"/g)].map(([, row]) => `detail.${row}+signs`);
    const shownOn = (viewItem: string): readonly string[] =>
      items
        .filter(({ when }) => holds(when, { "finality.hasNetwork": true, view: "finality.accounts", viewItem }))
        .map(({ command }) => command);
    const ofAccounts = ["finality.sendCoins", "finality.exportSigningKey", "finality.removeSigningKey"];

    assert.ok(details.length > 5);
    for (const detail of details)
      assert.deepEqual(
        shownOn(detail).filter((it) => ofAccounts.includes(it)),
        [],
        detail,
      );
    assert.ok(shownOn("account+signs+own").includes("finality.sendCoins"));
  });

  it("are evaluated by the test helper as VS Code evaluates them", () => {
    const context = { a: true, b: false, c: "x+y", "config.d": "on", f: 2 };
    const examples = [
      "a && b || a",
      "!a || b",
      "a && !(b || !a)",
      "c =~ /\\+y$/",
      "config.d == 'on' && c != x",
      "f > 1 && f <= 2",
      "e",
    ];

    assert.deepEqual(
      examples.map((clause) => holds(clause, context)),
      [true, false, true, true, true, true, false],
    );
    assert.throws(() => holds("a b", context));
  });
});

/** Returns the contexts with and without a network, the local chain, trust and a folder. */
function everyWindow(): readonly Context[] {
  const both = [true, false];
  return both.flatMap((hasNetwork) =>
    both.flatMap((localChainRunning) =>
      both.flatMap((isWorkspaceTrusted) =>
        [0, 1].map((workspaceFolderCount) => ({
          "finality.awake": true,
          "finality.hasNetwork": hasNetwork,
          "finality.localChainRunning": localChainRunning,
          isWorkspaceTrusted,
          workspaceFolderCount,
        })),
      ),
    ),
  );
}
