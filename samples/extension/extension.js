// @ts-check
const vscode = require("vscode");

/** @typedef {import("@finality/api").FinalityApi} FinalityApi */

/** States in which a transaction can no longer change. */
const FINAL = ["solidified", "rejected", "proven-absent", "replaced"];

/**
 * Shows the number of transactions that are not final, and adds a command that explains the selection.
 *
 * @param {Pick<vscode.ExtensionContext, "subscriptions">} context
 */
async function activate(context) {
  const extension = vscode.extensions.getExtension("finality.finality");
  /** @type {FinalityApi | undefined} */
  const finality = await extension?.activate();
  if (finality === undefined) return undefined;
  const { transactions } = finality;
  const item = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  const show = () => {
    item.text = `$(sync) ${transactions.list().filter(({ state }) => !FINAL.includes(state.kind)).length} not final`;
    item.show();
  };
  show();
  const explain = async (/** @type {string | undefined} */ input) => {
    const editor = vscode.window.activeTextEditor;
    const { title, fix } = await finality.explain(input ?? editor?.document.getText(editor.selection) ?? "");
    item.tooltip = `${title}. ${fix}`;
    return item.tooltip;
  };
  context.subscriptions.push(
    item,
    transactions.onDidChange(show),
    vscode.commands.registerCommand("sampleExtension.explain", explain),
  );
  return { item };
}

module.exports = { activate };
