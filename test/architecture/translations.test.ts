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
import { UNTRANSLATED_STRINGS } from "./untranslated-strings.ts";

const root = join(import.meta.dirname, "..", "..");
/** Files without translated texts: the local chain answers as nodes do, the command line is English, types have none. */
const WITHOUT_TEXTS = /^packages\/(local-chain|cli|agent-tools|postgres)\/|^src\/(types|public)\/|\/gen\//;
/** Names of the sources of explanations. `documented-sources.ts` has the texts that are shown for them. */
const SOURCE =
  /^(gateway document|protocol reference|node behaviour|the words of|the node's validation|what is read|Solidity,)(?!\w)/;

/** Returns each tagged text with the function that it is passed to. */
function callsWithTexts(path: string): { text: string; call: string | undefined }[] {
  const tree = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const found: { text: string; call: string | undefined }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && ts.isNoSubstitutionTemplateLiteral(node.template)) {
      const call = ts.isCallExpression(node.parent) ? node.parent.expression.getText(tree) : undefined;
      found.push({ text: node.template.text, call });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

describe("translated texts", () => {
  it("are tagged in every source", () => {
    const files = globSync("{src,packages/*/src,media}/**/*.ts", { cwd: root }).filter(
      (file) => !WITHOUT_TEXTS.test(file),
    );

    const forgotten = files.flatMap((file) =>
      forgottenIn(join(root, file))
        .filter((text) => !SOURCE.test(text))
        .map((text) => `${file}: ${text}`),
    );

    const excepted = Object.entries(UNTRANSLATED_STRINGS).flatMap(([file, texts]) =>
      texts.map((text) => `${file}: ${text}`),
    );
    assert.ok(files.length > 200);
    assert.deepEqual([...new Set(forgotten)].sort(), excepted.sort());
  });

  it("are found when they are not tagged", () => {
    const folder = mkdtempSync(join(tmpdir(), "finality-words-"));
    const file = join(folder, "forgotten.ts");
    const forms = [`\`from \${x}\``, '"a transaction"', '"2 bytes"', 'new Error("It is gone.")', '["x"].join(" and ")'];
    writeFileSync(file, forms.map((form, index) => `const it${index} = ${form};`).join("\n"));

    const found = forgottenIn(file);

    rmSync(folder, { recursive: true });
    assert.deepEqual(found, ["from \uFFFC", "a transaction", "2 bytes", "It is gone.", " and "]);
  });

  it("are translated by t only, never by vscode.l10n", () => {
    const files = globSync("{src,packages/*/src}/**/*.ts", { cwd: root });

    assert.deepEqual(
      files.filter((file) => /\bl10n\.t\(/.test(readFileSync(join(root, file), "utf8"))),
      [],
    );
  });

  it("are all in the English bundle", () => {
    assert.equal(asFile(read(root, "l10n/bundle.l10n.json")), englishBundle(root));
  });

  it("are complete in each language, with all placeholders", () => {
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

  it("are up to date in the walkthrough images", () => {
    for (const { language } of languages(root))
      for (const [file, picture] of Object.entries(spokenPictures(root, language)))
        assert.equal(readFileSync(join(root, file), "utf8"), picture, file);
  });

  it("are up to date in the schema of call files", () => {
    for (const { language } of languages(root)) {
      const { file, text } = spokenSchema(root, language);
      assert.equal(readFileSync(join(root, file), "utf8"), text, file);
    }
  });

  it("are reported when missing, empty, unused or with other placeholders", () => {
    const english = { "{0} of {1}": "{0} of {1}", Send: "Send", Stop: "Stop" };

    assert.deepEqual(faultsOf(english, { "{0} of {1}": "{0}", Send: " ", Old: "Old" }), [
      "not translated: Send",
      "not translated: Stop",
      "no text any more: Old",
      "fills in something else: {0} of {1} → {0}",
    ]);
    assert.deepEqual(faultsOf(english, { "{0} of {1}": "{1} 中的 {0}", Send: "发送", Stop: "停止" }), []);
  });

  it("are reported when a link, setting, code or icon is lost", () => {
    const texts = ["See `#finality.confirm#`.", "[Read](command:x)", "`null` is none", "$(zap) Energy"];
    const english = Object.fromEntries(texts.map((text) => [text, text]));
    const lost = Object.fromEntries(texts.map((text) => [text, "看"]));

    assert.equal(faultsOf(english, lost).length, texts.length);
  });

  it("of the manifest are reported when the English source changes", () => {
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

  it("of command titles come from the bundle", () => {
    const english = { "view.name": "Transactions", "command.stop": "Stop", "command.new": "New" };
    const pairs = { "view.name": { english: "Transactions", translation: "交易" } };
    const manifest = { "view.name": "交易", "command.stop": "停", "command.old": "旧" };
    const words = { Stop: "停止", Old: "旧" };

    assert.deepEqual(withCommandTitles(english, manifest, words), { "view.name": "交易", "command.stop": "停止" });
    assert.deepEqual(manifestFaults(english, { words, manifest, pairs }), [
      "command titles are out of date: npm run words -- --write",
    ]);
  });

  it("that begin with a Chinese measure word are used only after a number", () => {
    const words = read(root, "l10n/bundle.l10n.zh-cn.json");
    const measured = Object.keys(words).filter((text) => /^(?:个|笔|位(?!于))/.test(words[text] ?? ""));
    const sources = globSync("{src,packages/*/src,media}/**/*.ts", { cwd: root }).filter((file) => {
      const source = readFileSync(join(root, file), "utf8");
      return measured.some((text) => source.includes(`t\`${text}\``));
    });

    const alone = sources.flatMap((file) =>
      callsWithTexts(join(root, file))
        .filter(({ text, call }) => measured.includes(text) && call !== "counted" && call !== "needed")
        .map(({ text }) => `${file}: ${text}`),
    );

    assert.ok(sources.length > 5, sources.join());
    assert.deepEqual(alone, []);
  });

  it("include a valid locale for times", () => {
    for (const { words } of languages(root)) assert.ok(Intl.getCanonicalLocales(words["en-US"]));
  });

  it("have marked letters in the pseudo-locale, except names, code and placeholders", () => {
    assert.equal(
      pseudo("Send {0} to `x` [it](command:y) $(zap) fee_limit, SIGERROR of Finality"),
      "Šéñđ {0} ţö `x` [îţ](command:y) $(zap) fee_limit, SIGERROR öƒ Finality",
    );
  });
});
