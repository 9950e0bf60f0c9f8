import assert from "node:assert/strict";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import {
  asFile,
  englishBundle,
  faultsOf,
  languages,
  manifestFaults,
  pairsOf,
  read,
  staleIn,
  withCommandTitles,
} from "../../scripts/words/bundles.mjs";
import { forgottenIn } from "../../scripts/words/forgotten.mjs";
import { spokenPictures, unusedInPictures } from "../../scripts/words/pictures.mjs";
import { pseudo } from "../../scripts/words/pseudo.mjs";
import { spokenSchema } from "../../scripts/words/schema.mjs";
import { NO_TEXTS } from "./no-texts.ts";

const root = join(import.meta.dirname, "..", "..");
/** The chain speaks as nodes do; types and the interface for programs say nothing. */
const SPEAKS_TO_NOBODY = /^packages\/local-chain\/|^src\/(types|public)\/|\/gen\//;
/** Names of the sources of explanations: `documented-sources.ts` has the words that are shown for them. */
const SOURCE =
  /^(gateway document|protocol reference|node behaviour|the words of|the node's validation|what is read|Solidity,)(?!\w)/;

/** Each text, and the function that it is given to. */
function callsWithTexts(path: string): { text: string; call: string | undefined }[] {
  const tree = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const found: { text: string; call: string | undefined }[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && ts.isNoSubstitutionTemplateLiteral(node.template)) {
      const call = ts.isCallExpression(node.parent) ? node.parent.expression.getText(tree) : undefined;
      found.push({ text: node.template.text, call });
    }
    ts.forEachChild(node, look);
  };
  look(tree);
  return found;
}

describe("the words of the product", () => {
  it("are all tagged for translation", () => {
    const files = globSync("{src,packages/*/src,media}/**/*.ts", { cwd: root }).filter(
      (file) => !SPEAKS_TO_NOBODY.test(file),
    );

    const forgotten = files.flatMap((file) =>
      forgottenIn(join(root, file))
        .filter((text) => !SOURCE.test(text))
        .map((text) => `${file}: ${text}`),
    );

    const excepted = Object.entries(NO_TEXTS).flatMap(([file, texts]) => texts.map((text) => `${file}: ${text}`));
    assert.ok(files.length > 200);
    assert.deepEqual([...new Set(forgotten)].sort(), excepted.sort());
  });

  it("are found if they are not tagged, in any form", () => {
    const folder = mkdtempSync(join(tmpdir(), "finality-words-"));
    const file = join(folder, "forgotten.ts");
    const forms = [`\`from \${x}\``, '"a transaction"', '"2 bytes"', 'new Error("It is gone.")', '["x"].join(" and ")'];
    writeFileSync(file, forms.map((form, index) => `const it${index} = ${form};`).join("\n"));

    const found = forgottenIn(file);

    rmSync(folder, { recursive: true });
    assert.deepEqual(found, ["from \uFFFC", "a transaction", "2 bytes", "It is gone.", " and "]);
  });

  it("are translated in one place: nothing asks the editor for a second time", () => {
    const files = globSync("{src,packages/*/src}/**/*.ts", { cwd: root });

    assert.deepEqual(
      files.filter((file) => /\bl10n\.t\(/.test(readFileSync(join(root, file), "utf8"))),
      [],
    );
  });

  it("stand in the English bundle, which translators begin with", () => {
    assert.equal(asFile(read(root, "l10n/bundle.l10n.json")), englishBundle(root));
  });

  it("are all said in each language, with everything that is filled in", () => {
    const english = read(root, "l10n/bundle.l10n.json");
    const manifest = read(root, "package.nls.json");

    const faults = languages(root).map(({ language, ...translation }) => [
      language,
      ...faultsOf(english, translation.words),
      ...manifestFaults(manifest, translation),
      ...unusedInPictures(root, language),
      ...spokenSchema(root, language).faults,
    ]);

    assert.deepEqual(faults, [["zh-cn"]]);
  });

  it("stand in the pictures of the walkthrough, too", () => {
    for (const { language } of languages(root))
      for (const [file, picture] of Object.entries(spokenPictures(root, language)))
        assert.equal(readFileSync(join(root, file), "utf8"), picture, file);
  });

  it("stand in the schema of call files, too, which the editor shows in hovers and proposals", () => {
    for (const { language } of languages(root)) {
      const { file, text } = spokenSchema(root, language);
      assert.equal(readFileSync(join(root, file), "utf8"), text, file);
    }
  });

  it("lack nothing unnoticed: a text that is missing, empty, too much, or fills in something else is a fault", () => {
    const english = { "{0} of {1}": "{0} of {1}", Send: "Send", Stop: "Stop" };

    assert.deepEqual(faultsOf(english, { "{0} of {1}": "{0}", Send: " ", Old: "Old" }), [
      "not translated: Send",
      "not translated: Stop",
      "no text any more: Old",
      "fills in something else: {0} of {1} → {0}",
    ]);
    assert.deepEqual(faultsOf(english, { "{0} of {1}": "{1} 中的 {0}", Send: "发送", Stop: "停止" }), []);
  });

  it("lead where the English ones lead: a link, a setting, code or an icon that is lost is a fault", () => {
    const texts = ["See `#finality.confirm#`.", "[Read](command:x)", "`null` is none", "$(zap) Energy"];
    const english = Object.fromEntries(texts.map((text) => [text, text]));
    const lost = Object.fromEntries(texts.map((text) => [text, "看"]));

    assert.equal(faultsOf(english, lost).length, texts.length);
  });

  it("of the manifest are stored with their English source: its change is a fault until the translation is checked", () => {
    const pairs = {
      confirm: { english: "Asks", translation: "询问" },
      display: { english: "Shows", translation: "显示" },
    };
    const shown = { confirm: "询问", display: "始终显示", title: "标题" };
    const english = { confirm: "Asks twice", display: "Always shows", title: "Title" };

    assert.deepEqual(staleIn(english, shown, pairs), [
      "not recorded: display (npm run words -- --write)",
      "not recorded: title (npm run words -- --write)",
      'translate confirm again: its English text was "Asks" (if the translation is still right, remove confirm from l10n/manifest.LANGUAGE.json)',
    ]);
    const taken = pairsOf(english, shown, pairs);
    assert.deepEqual(taken, {
      confirm: pairs.confirm,
      display: { english: "Always shows", translation: "始终显示" },
      title: { english: "Title", translation: "标题" },
    });
    assert.equal(staleIn(english, shown, taken).length, 1);
  });

  it("of command titles come from the bundle, so that each is translated once", () => {
    const english = { "view.name": "Transactions", "command.stop": "Stop", "command.new": "New" };
    const pairs = { "view.name": { english: "Transactions", translation: "交易" } };
    const manifest = { "view.name": "交易", "command.stop": "停", "command.old": "旧" };
    const words = { Stop: "停止", Old: "旧" };

    assert.deepEqual(withCommandTitles(english, manifest, words), { "view.name": "交易", "command.stop": "停止" });
    assert.deepEqual(manifestFaults(english, { words, manifest, pairs }), [
      "command titles are out of date: npm run words -- --write",
    ]);
  });

  it("that a number stands before say so: a noun that brings its measure word along is used with a number alone", () => {
    const words = read(root, "l10n/bundle.l10n.zh-cn.json");
    const measured = (text: string) => /^(?:个|笔|位(?!于))/.test(words[text] ?? "");

    const alone = globSync("{src,packages/*/src,media}/**/*.ts", { cwd: root }).flatMap((file) =>
      callsWithTexts(join(root, file))
        .filter(({ text, call }) => measured(text) && call !== "counted" && call !== "needed")
        .map(({ text }) => `${file}: ${text}`),
    );

    assert.deepEqual(alone, []);
  });

  it("name a locale by which times are written", () => {
    for (const { words } of languages(root)) assert.ok(Intl.getCanonicalLocales(words["en-US"]));
  });

  it("have marks on every letter in the pseudo-locale, but for names, code and what is filled in", () => {
    assert.equal(
      pseudo("Send {0} to `x` [it](command:y) $(zap) fee_limit, SIGERROR of Finality"),
      "Šéñđ {0} ţö `x` [îţ](command:y) $(zap) fee_limit, SIGERROR öƒ Finality",
    );
  });
});
