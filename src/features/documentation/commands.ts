import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Commands } from "../../host/commands/commands.ts";
import { searchPick } from "../../host/prompts/quick-input.ts";
import { findSections, inOrder, type Match, type Section, sectionsOf } from "./sections.view.ts";

interface DocumentationItem extends vscode.QuickPickItem {
  readonly section: Section;
}

const MOST_ROWS = 200;
/** Command of VS Code's Markdown preview, which may be disabled. */
const PREVIEW_EXTENSION = "vscode.markdown-language-features";

/** Finds pages of the packaged documentation and opens them in the Markdown preview. */
export function createDocumentation(folder: vscode.Uri): { readonly commands: Commands<"documentation"> } {
  return {
    commands: {
      "finality.openDocumentation": async ({ page, heading }) => {
        const sections = await readSections(folder);
        const chosen = page === undefined ? await choose(sections) : sectionAt(sections, page, heading);
        if (chosen === undefined) return undefined;
        await open(folder, chosen);
        return { page: chosen.page, heading: chosen.heading };
      },
    },
  };
}

async function readSections(folder: vscode.Uri): Promise<readonly Section[]> {
  const { fs } = vscode.workspace;
  const names = (await fs.readDirectory(folder)).flatMap(([name]) => (name.endsWith(".md") ? [name] : []));
  const pages = names.map(async (name) => {
    const bytes = await fs.readFile(vscode.Uri.joinPath(folder, name));
    return { name: name.slice(0, -".md".length), markdown: new TextDecoder().decode(bytes) };
  });
  return inOrder(await Promise.all(pages)).flatMap(sectionsOf);
}

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` if there is no such page or heading */
function sectionAt(sections: readonly Section[], page: string, heading?: string): Section {
  const onPage = sections.filter((it) => it.page === page);
  const [first] = onPage;
  if (first === undefined) {
    const pages = [...new Set(sections.map((it) => it.page))].join(", ");
    throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "page", reason: t`there are only ${pages}` });
  }
  if (heading === undefined) return first;
  const found = onPage.find((it) => it.heading === heading || it.anchor === heading);
  if (found !== undefined) return found;
  const reason = t`the page ${page} has no heading ${JSON.stringify(heading)}`;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "heading", reason });
}

async function choose(sections: readonly Section[]): Promise<Section | undefined> {
  const find = (typed: string): readonly DocumentationItem[] =>
    findSections(sections, typed).slice(0, MOST_ROWS).map(rowOf);
  return (
    await searchPick(find, {
      title: t`Documentation`,
      placeholder: t`Search for a page, a setting, a command or an error`,
      none: t`$(info) No page contains all these words. Try fewer or different words`,
    })
  )?.section;
}

function rowOf({ section, excerpt }: Match): DocumentationItem {
  const { heading, pageTitle, anchor } = section;
  return { label: heading, ...(anchor === "" ? {} : { description: pageTitle }), detail: excerpt, section };
}

/** Opens in the active group, because tables need its width. Opens as text if the preview is disabled. */
async function open(folder: vscode.Uri, { page, anchor }: Section): Promise<void> {
  const uri = vscode.Uri.joinPath(folder, `${page}.md`).with({ fragment: anchor });
  const canPreview = vscode.extensions.getExtension(PREVIEW_EXTENSION) !== undefined;
  await vscode.commands.executeCommand(canPreview ? "markdown.showPreview" : "vscode.open", uri);
}
