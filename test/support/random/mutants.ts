import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A deliberate mistake: in the file whose path ends so, the text `from` becomes `to`. */
export interface Mutation {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Returns the URL of the module that replaces `specifier`. */
export type Substitute = (specifier: string, importer: string) => string | undefined;

interface Variant {
  readonly mutations: readonly Mutation[];
  readonly substitute: Substitute;
  /** True if the packages are loaded again as well, not only the extension. */
  readonly variesPackages: boolean;
}

const variants = new Map<string, Variant>();
let hooked = false;

/**
 * Imports a module with a mistake in it or in what it imports; everything else of the process keeps the right one.
 *
 * @throws {Error} the text to change is not there exactly once, so the mutation would prove nothing
 */
export async function importMutant<M>(path: string, mutation: Mutation): Promise<M> {
  return await importVariant<M>(path, [mutation]);
}

/**
 * Imports a module of its own with everything that it imports from the sources: with a mistake, with other modules in
 * the place of some.
 */
export async function importVariant<M>(
  path: string,
  mutations: readonly Mutation[],
  substitute: Substitute = () => undefined,
  variesPackages = mutations.length > 0,
): Promise<M> {
  if (!hooked) hook();
  hooked = true;
  const id = String(variants.size);
  variants.set(id, { mutations, substitute, variesPackages });
  return (await import(`${pathToFileURL(path).href}?mutant=${id}`)) as M;
}

function hook(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const id = mutantOf(context.parentURL);
      const instead = variants.get(id ?? "")?.substitute(specifier, new URL(context.parentURL ?? "file:///").pathname);
      if (instead !== undefined) return next(instead, context);
      const resolved = next(specifier, context);
      const own = id !== undefined && isVaried(resolved.url, id) && mutantOf(resolved.url) === undefined;
      return own ? { ...resolved, url: `${resolved.url}?mutant=${id}` } : resolved;
    },
    load: (url, context, next) => {
      const all = variants.get(mutantOf(url) ?? "")?.mutations ?? [];
      const loaded = next(url, context);
      const file = new URL(url).pathname;
      const here = all.filter((it) => file.endsWith(it.file));
      if (here.length === 0) return loaded;
      return { ...loaded, source: here.reduce(mutate, readFileSync(fileURLToPath(`file://${file}`), "utf8")) };
    },
  });
}

function isVaried(url: string, id: string): boolean {
  return url.includes("/src/") && (variants.get(id)?.variesPackages === true || !url.includes("/packages/"));
}

function mutantOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : /[?&]mutant=(\d+)/.exec(url)?.[1];
}

function mutate(source: string, { file, from, to }: Mutation): string {
  if (source.split(from).length !== 2) throw new Error(`"${from}" is not in ${file} exactly once.`);
  return source.replace(from, () => to);
}
