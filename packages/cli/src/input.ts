import { basename } from "node:path";
import { type AbiCandidate, type AbiIndex, candidateFromJson, createAbiIndex, readArtifact } from "@finality/tron/abi";
import { CliError, isCliError } from "./cli-error.ts";
import type { Invocation } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** Returns the text of `--text`, of the file, or of standard input. @throws {CliError} */
export async function inputText(invocation: Invocation, terminal: Terminal): Promise<string> {
  const text = invocation.text("text");
  const [file] = invocation.positionals;
  if (text !== undefined && file === undefined) return text;
  if (text === undefined) {
    return await terminal.read(file ?? "-").catch((error: unknown) => {
      if (!isCliError(error)) throw error;
      const next = "Check the path. To pass the text itself, use --text TEXT.";
      throw new CliError(error.code, { cause: error.message, next });
    });
  }
  throw new CliError("USAGE", { cause: "Use either FILE or --text, not both." });
}

/** Returns the names of the files of `--abi`; undefined without any. @throws {CliError} */
export async function readAbi(invocation: Invocation, terminal: Terminal): Promise<AbiIndex | undefined> {
  return invocation.texts("abi").length === 0 ? undefined : createAbiIndex(await readCandidates(invocation, terminal));
}

/** Returns the errors, functions and events of the files of `--abi`. @throws {CliError} */
export async function readCandidates(invocation: Invocation, terminal: Terminal): Promise<readonly AbiCandidate[]> {
  const candidates = await Promise.all(
    invocation.texts("abi").map(async (file) => {
      const artifact = readArtifact(await terminal.read(file), file.replaceAll("\\", "/"));
      if (artifact.kind !== "artifact" || artifact.contents.contracts.length === 0) {
        const reason = artifact.kind === "broken" ? artifact.reason : "it contains no ABI";
        const next = "Use an artifact of Hardhat, Foundry, TronBox or solc, or a list of ABI entries.";
        throw new CliError("INPUT_UNREADABLE", { cause: `${file}: ${reason}.`, next });
      }
      return artifact.contents.contracts.flatMap(({ name, abi }) =>
        abi.flatMap((entry) => candidateFromJson(entry, `${name} (${basename(file)})`) ?? []),
      );
    }),
  );
  return candidates.flat();
}
