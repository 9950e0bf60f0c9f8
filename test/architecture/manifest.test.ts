import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles, missingEntries } from "../../scripts/commands/generated.mjs";
import { type MenuItem, menuItems } from "../../src/features/status-menu/status-menu.view.ts";
import { commandIds, settingIds, viewIds } from "../../src/host/contributions.ts";

const root = join(import.meta.dirname, "..", "..");
const json = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));

interface Command {
  readonly command: string;
  readonly title: string;
  readonly category?: string;
}
interface Setting {
  readonly scope?: string;
  readonly order?: number;
  readonly tags?: readonly string[];
  readonly enum?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly markdownDescription?: string;
}
interface Section {
  readonly title: string;
  readonly order: number;
  readonly properties: Readonly<Record<string, Setting>>;
}
interface Step {
  readonly id: string;
  readonly description: string;
  readonly media: { readonly svg: string; readonly altText: string };
  readonly completionEvents: readonly string[];
}
interface View {
  readonly id: string;
  readonly name: string;
}

const manifestText = readFileSync(join(root, "package.json"), "utf8");
const manifest = JSON.parse(manifestText);
const texts: Record<string, string> = json("package.nls.json");

const known = Object.values(commandIds).flat();
const commands: readonly Command[] = manifest.contributes?.commands ?? [];
const views: readonly View[] = Object.values<View[]>(manifest.contributes?.views ?? {}).flat();
const settings: Readonly<Record<string, Setting>> = Object.assign(
  {},
  ...[manifest.contributes?.configuration ?? []].flat().map(({ properties }) => properties),
);

interface MenuEntry {
  readonly command?: string;
  readonly submenu?: string;
}

/** Commands in no menu, with the reason. */
const OUTSIDE_MENUS: Readonly<Record<string, string>> = {
  "finality.showMenu": "the status bar item runs it",
  "finality.removeSelected": "the Delete key runs it; Remove from List in the menu removes the selected rows too",
  "finality.showMoreTransactions": "the last row of a group with more than one page runs it",
  "finality.showTransaction": "links of pages and notifications run it; a click on a row shows the transaction",
};

/** Commands of VS Code in the menu of the status bar. */
const OF_THE_EDITOR = ["finality.transactions.focus", "workbench.action.openSettings"];

/** Returns the items of the menu of the status bar in every state. */
function everyMenu(): readonly MenuItem[] {
  const both = [true, false];
  return ["Nile", undefined].flatMap((network) =>
    both.flatMap((hasNetwork) =>
      both.flatMap((isLocalChainRunning) =>
        both.flatMap((canSend) =>
          menuItems({
            network,
            hasNetwork,
            isLocalChainRunning,
            isLocalStopped: false,
            isLocalDisconnected: false,
            canSend,
          }),
        ),
      ),
    ),
  );
}

const walkthroughs: readonly { readonly steps: readonly Step[] }[] = manifest.contributes?.walkthroughs ?? [];

const SMALL_WORDS = new Set([
  "a",
  "an",
  "and",
  "as",
  "at",
  "by",
  "for",
  "from",
  "in",
  "of",
  "per",
  "on",
  "or",
  "the",
  "to",
  "with",
]);
const PROTOCOL_WORDS = new Set(["txID"]);

const namesOf = (kind: string, events: readonly string[]): readonly string[] =>
  events.filter((it) => it.startsWith(kind)).map((it) => it.slice(kind.length));

/** "Send Same Bytes Again", "Copy txID", "Set API Key…" */
function isTitleCase(title: string): boolean {
  const words = title.replace(/…$/, "").split(" ");
  return words.every(
    (word, at) => PROTOCOL_WORDS.has(word) || /^[A-Z0-9(]/.test(word) || (at > 0 && SMALL_WORDS.has(word)),
  );
}

const text = (value: string | undefined): string => texts[/^%(.+)%$/.exec(value ?? "")?.[1] ?? ""] ?? "";

/** Commands that sign or send. The handlers refuse in Restricted Mode as well. */
const SENDING = [
  "sendCoins",
  "deployContract",
  "callContract",
  "transferTokens",
  "approveTokens",
  "sendCallOfFile",
  "sendSigned",
  "sendSameBytesAgain",
  "sendToAnotherNode",
  "createReplacement",
];

/** Settings that an untrusted workspace may set, and the reason why each is harmless. */
const HARMLESS_SETTINGS: Readonly<Record<string, string>> = {
  "finality.decode.hoverIn": "selects where texts are explained, offline",
  "finality.decode.terminalLinks": "switches terminal links, offline",
  "finality.decode.diagnosticsIn": "selects where problems are shown, offline",
  "finality.energy.display": "selects the display of existing estimates",
};

describe("Restricted Mode", () => {
  it("M6: ignores workspace values of every setting that has an effect", () => {
    const restricted: readonly string[] = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;

    const open = Object.keys(settings).filter((it) => !restricted.includes(it));

    assert.deepEqual(open.sort(), Object.keys(HARMLESS_SETTINGS).sort());
    assert.deepEqual(
      restricted.filter((it) => !(it in settings)),
      [],
    );
  });

  it("H5: disables commands that sign or send", () => {
    const enabled = (name: string): string =>
      manifest.contributes.commands.find((it: Command) => it.command === `finality.${name}`)?.enablement ?? "";

    assert.deepEqual(
      SENDING.filter((it) => !enabled(it).includes("isWorkspaceTrusted")),
      [],
    );
  });
});

describe("manifest", () => {
  it("declares the commands, views and settings of contributions.ts", () => {
    assert.ok(known.length > 0 && viewIds.length > 0 && settingIds.length > 0);
    assert.deepEqual(commands.map(({ command }) => command).sort(), [...known].sort());
    assert.deepEqual(views.map(({ id }) => id).sort(), [...viewIds].sort());
    assert.deepEqual(Object.keys(settings).sort(), [...settingIds].sort());
  });

  for (const [file, text] of Object.entries(generatedFiles(root))) {
    it(`H7: has an up-to-date ${file} (npm run commands)`, () => {
      assert.equal(readFileSync(join(root, file), "utf8"), text);
    });
  }

  it("has every entry that npm run commands does not write", () => {
    assert.deepEqual(missingEntries(root), []);
  });

  it("documents argument and result of every command in docs/commands.md", () => {
    const sections = readFileSync(join(root, "docs", "commands.md"), "utf8").split("## Called by others")[0] ?? "";
    const described = [...sections.matchAll(/^\| `(finality\.\w+)` \|/gm)].map(([, id]) => id);

    assert.deepEqual(described.sort(), [...known].sort());
  });

  it("gives every command the category Finality and a title in title case without the category", () => {
    const category = (value: string | undefined) => (value?.startsWith("%") === true ? text(value) : value);

    assert.deepEqual(
      commands.filter((command) => category(command.category) !== "Finality"),
      [],
    );
    assert.deepEqual(
      commands.map(({ title }) => text(title)).filter((title) => !isTitleCase(title) || title.includes("Finality")),
      [],
    );
  });

  it("uses package.nls.json for titles of commands and views", () => {
    const literal = [...commands.map(({ title }) => title), ...views.map(({ name }) => name)].filter(
      (title) => text(title) === "",
    );

    assert.deepEqual(literal, []);
  });

  it("uses every text of package.nls.json, and no missing one", () => {
    const used = new Set([...manifestText.matchAll(/"%([\w.-]+)%"/g)].map(([, key = ""]) => key));

    assert.deepEqual([...used].sort(), Object.keys(texts).sort());
  });

  it("has a walkthrough of six steps, each with an image and a completion event", () => {
    const steps = walkthroughs.flatMap((it) => it.steps);
    const links = steps.flatMap(({ description }) => [
      ...text(description).matchAll(/\(command:([\w.]+)(?:\?[^)]*)?\)/g),
    ]);
    const events = steps.flatMap(({ completionEvents }) => completionEvents);

    assert.deepEqual([walkthroughs.length, steps.length], [1, 6]);
    for (const { media } of steps) {
      assert.ok(existsSync(join(root, text(media.svg))), media.svg);
      assert.notEqual(text(media.altText), "");
    }
    assert.deepEqual(
      links
        .map(([, command]) => command)
        .filter((it) => it !== "finality.transactions.focus" && !known.some((id) => id === it)),
      [],
    );
    // U22: a context key counts work before the walkthrough was opened, and no mere click.
    for (const { id, completionEvents } of steps) {
      assert.ok(completionEvents.length > 0, id);
      const keys = completionEvents.map((it) => it.replace("onContext:", ""));
      assert.deepEqual(
        completionEvents,
        keys.map((key) => `onContext:${key}`),
        id,
      );
      assert.equal(keys.at(-1), `${keys.at(-2)} && finality.walkthroughOpened`, id);
    }
    const keys = readFileSync(join(root, "src/host/contributions.ts"), "utf8");
    for (const key of namesOf("onContext:", events).flatMap((it) => it.split(" && ")))
      assert.ok(keys.includes(`"${key}"`), `no code sets ${key}`);
  });

  it("gives every setting a scope and a description", () => {
    const bare = Object.entries(settings)
      .filter(([, { scope, markdownDescription }]) => scope === undefined || text(markdownDescription) === "")
      .map(([id]) => id);

    assert.deepEqual(bare, []);
  });

  it("orders the sections and their settings, and describes every enum value", () => {
    const sections: readonly Section[] = manifest.contributes.configuration;
    const orders = sections.map(({ properties }) => Object.values(properties).map(({ order }) => order));
    const undescribed = Object.entries(settings).filter(
      ([, it]) =>
        (it.markdownEnumDescriptions ?? []).filter((words) => text(words) !== "").length !== (it.enum ?? []).length,
    );

    const numbered = (list: readonly unknown[]) => list.map((_, at) => at + 1);
    assert.deepEqual(orders, orders.map(numbered));
    assert.deepEqual(
      sections.map(({ order }) => order),
      numbered(sections),
    );
    assert.deepEqual(
      sections.filter(({ title }) => text(title) === ""),
      [],
    );
    assert.deepEqual(undescribed, []);
  });

  it("links only existing settings and commands, and tags settings that use online services", () => {
    const words = Object.values(settings).map(({ markdownDescription }) => text(markdownDescription));
    const linked = words.flatMap((it) => [...it.matchAll(/`#([\w.]+)#`/g)].map(([, id]) => id));
    const called = words.flatMap((it) => [...it.matchAll(/\(command:([\w.]+)\)/g)].map(([, id]) => id));
    const online = Object.entries(settings).filter(([, { tags = [] }]) => tags.includes("usesOnlineServices"));

    assert.ok(linked.length >= 6);
    assert.deepEqual(
      linked.filter((id) => !settingIds.some((it) => it === id)),
      [],
    );
    assert.deepEqual(called, ["finality.switchNetwork", "finality.agentTools"], "a list, and a question");
    assert.deepEqual(
      online.map(([id]) => id),
      ["finality.networks", "finality.activeNetwork", "finality.energy.autoRefresh"],
    );
  });

  it("hides no command behind a context key before activation", () => {
    const ASLEEP = "!finality.awake && config.finality.networks =~ /baseUrl/";
    const clauses: readonly string[] = [
      ...manifest.contributes.commands.map(({ enablement = "" }) => enablement),
      ...manifest.contributes.menus.commandPalette.map(({ when = "" }) => when),
    ];
    // Commands of the local chain may depend on its context key, and settings are known before.
    const conditions = clauses.map((it) =>
      it.replaceAll(/!?finality\.localChainRunning|config\.finality\.agents\.enabled/g, ""),
    );
    const known = /\((?:(?!\|\| !)[^()])+\|\| (!finality\.awake[^()]+)\)/g;

    assert.deepEqual(
      conditions.filter((it) => it.replaceAll(known, "").includes("finality.")),
      [],
    );
    const asleep = conditions.flatMap((it) => [...it.matchAll(known)].map(([, clause]) => clause));
    assert.ok(asleep.length > 70);
    assert.deepEqual(
      asleep.filter((it) => it !== ASLEEP),
      [],
    );
  });

  it("reaches every command by mouse: a menu, a view title, a button of a view, or the menu of the status bar", () => {
    const menus = Object.entries<readonly MenuEntry[]>(manifest.contributes.menus)
      .filter(([menu]) => menu !== "commandPalette")
      .flatMap(([, entries]) => entries);
    const buttons = Object.values(texts).flatMap((it) => [...it.matchAll(/\(command:([\w.]+)/g)].map(([, id]) => id));
    const status = everyMenu().flatMap((it) => (it.kind === "action" ? [it.command] : []));
    assert.deepEqual(
      status.filter((id) => !known.some((it) => it === id) && !OF_THE_EDITOR.includes(id)),
      [],
    );
    const reached = new Set([...menus.map(({ command }) => command), ...buttons, ...status]);

    assert.deepEqual(known.filter((id) => !reached.has(id)).sort(), Object.keys(OUTSIDE_MENUS).sort());
  });

  it("contributes each submenu with a label, entries and a place", () => {
    const submenus: readonly { readonly id: string; readonly label: string }[] = manifest.contributes.submenus;
    const menus: Readonly<Record<string, readonly MenuEntry[]>> = manifest.contributes.menus;
    const placed = new Set(Object.values(menus).flatMap((entries) => entries.map(({ submenu }) => submenu)));

    assert.ok(submenus.length > 0);
    for (const { id, label } of submenus) {
      assert.notEqual(text(label), "", id);
      assert.ok((menus[id] ?? []).length > 0, id);
      assert.ok(placed.has(id), id);
    }
  });

  it("does not activate on *", () => {
    assert.equal(manifest.activationEvents.includes("*"), false);
  });
});
