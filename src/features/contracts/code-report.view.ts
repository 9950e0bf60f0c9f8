import {
  type CodeMatch,
  type CodeReport,
  type DifferenceCause,
  type FirstDifference,
  optimizerOf,
  settingsOf,
} from "@finality/client/contracts";
import { argumentLines } from "@finality/client/reviews";
import { type AbiInput, decodeAbi } from "@finality/tron/abi";
import { grouped, inlineCode, markdownLine, markdownTable, type NameOf } from "@finality/tron/format";
import { type Address, hexToBytes, type JsonObject, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Comparison with the build that it used. */
export interface ComparedSource {
  readonly report: CodeReport;
  /** Undefined if the workspace does not have the settings of the compiler. */
  readonly source:
    | {
        readonly build: { readonly compiler: string | undefined };
        readonly input: JsonObject;
        readonly changed: readonly string[];
        readonly compiler: { readonly path: string; readonly release: string } | undefined;
      }
    | undefined;
  /** First error of the compiler, if it failed. */
  readonly failure?: string;
}

/** Everything that the report shows. */
export interface CodeReportContent extends ComparedSource {
  readonly network: string;
  readonly address: Address;
  readonly name: string;
  readonly nameOf: NameOf;
}

/** Returns the result in two words. */
export function verdictOf({ kind }: CodeMatch): "equal" | "equal-but-metadata" | "different" {
  return kind === "same-instructions" ? "equal-but-metadata" : kind;
}

/** Formats a comparison as Markdown. Text of files and of the chain is code, so it cannot become a link. */
export function codeReportText(content: CodeReportContent): string {
  const { report, source, failure, name } = content;
  const { match, cause, isProven } = report;
  const parts = [
    `# ${t`Comparison of ${markdownLine(name)} with its source`}`,
    `**${verdictText(match)}**`,
    ...(cause === undefined ? [] : causeTexts(cause, isProven)),
    ...(match.first === undefined ? [] : [differenceText(match.first)]),
    ...notes(content),
    markdownTable(rows(content).map(([label, value]) => [markdownLine(label), value])),
    ...(source === undefined || failure === undefined ? [] : [t`The compiler reported: ${inlineCode(failure)}`]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function verdictText({ kind }: CodeMatch): string {
  switch (kind) {
    case "equal":
      return t`Equal: according to this gateway, the chain has the code of this source.`;
    case "same-instructions":
      return t`Equal except for metadata: all instructions are those of this source. Only the data that the compiler appends differs.`;
    case "different":
      return t`Different: the chain does not have the code of this source.`;
  }
}

/** Returns the cause, and what to do. */
function causeTexts(cause: DifferenceCause, isProven: boolean): readonly string[] {
  const [what, next] = causeText(cause);
  const heading = isProven ? t`Cause` : t`Likely cause`;
  return [`${heading}: ${what}`, `${t`Next step`}: ${next}`];
}

const RECOMPILE = t`Set this in the configuration of your compiler, compile and compare again.`;

function causeText(cause: DifferenceCause): readonly [string, string] {
  switch (cause.kind) {
    case "metadata":
      return metadataText(cause);
    case "immutables":
      return [
        t`only values of immutable variables differ, which the constructor writes into the code.`,
        t`Compile with build information to see that they are the only difference.`,
      ];
    case "libraries":
      return [
        t`other addresses of libraries: ${cause.linked.map(libraryText).join(t`, `)}.`,
        t`Enter these addresses as libraries in the settings of the compiler, or in the form of the explorer.`,
      ];
    case "constructor-arguments":
      return [
        t`the arguments behind the creation code are not those that the constructor expects.`,
        t`Compare the arguments of the deployment with the table below, and enter those of the chain in the form of the explorer.`,
      ];
    case "optimizer":
      return [
        cause.enabled
          ? t`the optimizer: the deployed code was compiled with it, for ${grouped(cause.runs)} runs.`
          : t`the optimizer: the deployed code was compiled without it.`,
        RECOMPILE,
      ];
    case "evm-version":
      return [t`the EVM version: the deployed code was compiled for ${inlineCode(cause.version)}.`, RECOMPILE];
    case "via-ir":
      return [
        cause.enabled
          ? t`the pipeline of the compiler: the deployed code was compiled with viaIR.`
          : t`the pipeline of the compiler: the deployed code was compiled without viaIR.`,
        RECOMPILE,
      ];
    case "settings":
      return [t`several settings of the compiler: ${inlineCode(JSON.stringify(cause.settings))}.`, RECOMPILE];
    case "compiler-version":
      return [
        t`the version of the compiler: the deployed code is of ${cause.there}, this build of ${cause.here ?? t`another version`}.`,
        t`Compile with ${cause.there} and compare again.`,
      ];
    case "source":
      return sourceText(cause);
    case "unknown":
      return [
        t`other settings of the compiler, or another source. Without a compiler this is not known.`,
        t`Install the release of the compiler in this workspace, such as the npm package solc, and compare again.`,
      ];
  }
}

function metadataText({ there, here }: DifferenceCause & { kind: "metadata" }): readonly [string, string] {
  if (there === here)
    return [
      t`the metadata has the hash of other sources: comments, names of variables or files, or settings without effect on the code.`,
      t`Explorers may call this a partial match. Use the files of the deployed version for a full one.`,
    ];
  return [
    there === undefined
      ? t`the deployed code has no hash of its sources (bytecodeHash or appendCBOR of the settings).`
      : t`the deployed code has a hash of its sources, and this build has none or another kind (bytecodeHash of the settings).`,
    RECOMPILE,
  ];
}

function sourceText({ changed, functions }: DifferenceCause & { kind: "source" }): readonly [string, string] {
  if (changed.length > 0)
    return [
      t`the source changed since it was built: ${changed
        .slice(0, MOST_SHOWN)
        .map((it) => inlineCode(it))
        .join(t`, `)}.`,
      t`Use the files of the deployed version.`,
    ];
  const there = functions.onlyThere.slice(0, MOST_SHOWN).map((it) => inlineCode(`0x${it}`));
  const here = functions.onlyHere.slice(0, MOST_SHOWN).map((it) => inlineCode(`0x${it}`));
  return [
    [
      t`another source, or a setting that was not tried.`,
      ...(there.length > 0 ? [t`Selectors that only the chain's code has: ${there.join(t`, `)}.`] : []),
      ...(here.length > 0 ? [t`Selectors that only this source has: ${here.join(t`, `)}.`] : []),
    ].join(" "),
    t`Use the files and the packages of the deployed version.`,
  ];
}

const MOST_SHOWN = 8;

function libraryText({ name, there, here }: { name: string; there: string; here: string | undefined }): string {
  return here === undefined
    ? t`${inlineCode(name)} at ${inlineCode(addressText(there))}`
    : t`${inlineCode(name)} at ${inlineCode(addressText(there))}, not at ${inlineCode(addressText(here))}`;
}

/** @param digits - 20 bytes, hex */
function addressText(digits: string): string {
  return /^[0-9a-f]{40}$/.test(digits) ? toBase58(`41${digits}` as Address) : digits;
}

function differenceText({ of, at, chain, compiled }: FirstDifference): string {
  const names = { runtime: t`the runtime code`, creation: t`the creation code`, arguments: t`the arguments` };
  const bytes = (digits: string): string => (digits === "" ? t`its end` : inlineCode(`0x${digits}`));
  return t`First difference: byte ${grouped(at)} of ${names[of]}. The chain has ${bytes(chain)}, this source ${bytes(compiled)}.`;
}

function notes({ source, failure }: CodeReportContent): readonly string[] {
  if (source === undefined)
    return [
      t`The workspace does not have the settings of the compiler, so only the code of the artifact was compared.`,
    ];
  const { build, compiler, changed } = source;
  const isChanged = changed.length > 0;
  return [
    ...(compiler === undefined
      ? [
          t`This computer does not have the compiler ${build.compiler ?? t`of this build`}, so only the code of the artifact was compared. Nothing was downloaded.`,
        ]
      : failure === undefined
        ? []
        : [t`The source does not compile, so only the code of the artifact was compared.`]),
    ...(isChanged
      ? [
          t`Changed since the last build: ${changed
            .slice(0, MOST_SHOWN)
            .map((it) => inlineCode(it))
            .join(t`, `)}.`,
        ]
      : []),
  ];
}

function rows({ report, source, network, address, nameOf }: CodeReportContent): readonly (readonly [string, string])[] {
  const { match, compiled, compilations } = report;
  const settings = source === undefined ? undefined : settingsOf(source.input);
  const { enabled, runs } = optimizerOf(settings ?? {});
  return [
    [t`Network`, markdownLine(network)],
    [t`Address`, inlineCode(toBase58(address))],
    [t`Source`, inlineCode(`${compiled.path}:${compiled.name}`)],
    ...(source?.compiler === undefined ? [] : ([[t`Compiler`, inlineCode(compilerText(source))]] as const)),
    ...(settings === undefined
      ? []
      : ([
          [t`Optimizer`, enabled ? t`${grouped(runs)} runs` : t`off`],
          [t`EVM version`, typeof settings.evmVersion === "string" ? inlineCode(settings.evmVersion) : t`default`],
          ["viaIR", settings.viaIR === true ? t`on` : t`off`],
        ] as const)),
    ...match.libraries.map(({ name, address: at }) => [t`Library ${name}`, inlineCode(addressText(at))] as const),
    ...match.immutables.map((value) => [t`Immutable value`, inlineCode(`0x${value}`)] as const),
    ...argumentRows(report, nameOf),
    ...(compilations > 1 ? ([[t`Compilations`, String(compilations)]] as const) : []),
  ];
}

function compilerText({ build, compiler }: NonNullable<CodeReportContent["source"]>): string {
  return `${build.compiler ?? compiler?.release ?? ""} (${compiler?.path ?? ""})`;
}

function argumentRows({ match, compiled }: CodeReport, nameOf: NameOf): readonly (readonly [string, string])[] {
  const encoded = match.arguments;
  const { constructorParameters: parameters } = compiled;
  if (encoded === undefined || encoded === "") return [];
  if (match.cause === "constructor-arguments") return [[t`Arguments on the chain`, inlineCode(`0x${encoded}`)]];
  const values = decodeAbi(parameters, hexToBytes(encoded)) as readonly AbiInput[];
  return [
    [
      t`Arguments`,
      argumentLines(parameters, values, nameOf)
        .map((it) => markdownLine(it))
        .join("; "),
    ],
    [t`Arguments, encoded`, inlineCode(encoded)],
  ];
}
