import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A deliberate mistake: in the file whose path ends so, the text `from` becomes `to`. */
export interface Mutation {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const mutations = new Map<string, Mutation>();
let hooked = false;

/**
 * Imports a module with a mistake in it or in what it imports; everything else of the process keeps the right one.
 *
 * @throws {Error} the text to change is not there exactly once, so the mutation would prove nothing
 */
export async function importMutant<M>(path: string, mutation: Mutation): Promise<M> {
  if (!hooked) hook();
  hooked = true;
  const id = String(mutations.size);
  mutations.set(id, mutation);
  return (await import(`${pathToFileURL(path).href}?mutant=${id}`)) as M;
}

function hook(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const id = mutantOf(context.parentURL);
      const resolved = next(specifier, context);
      const own = id !== undefined && resolved.url.includes("/src/") && mutantOf(resolved.url) === undefined;
      return own ? { ...resolved, url: `${resolved.url}?mutant=${id}` } : resolved;
    },
    load: (url, context, next) => {
      const mutation = mutations.get(mutantOf(url) ?? "");
      const loaded = next(url, context);
      const file = new URL(url).pathname;
      if (mutation === undefined || !file.endsWith(mutation.file)) return loaded;
      return { ...loaded, source: mutate(readFileSync(fileURLToPath(`file://${file}`), "utf8"), mutation) };
    },
  });
}

function mutantOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : /[?&]mutant=(\d+)/.exec(url)?.[1];
}

function mutate(source: string, { file, from, to }: Mutation): string {
  if (source.split(from).length !== 2) throw new Error(`"${from}" is not in ${file} exactly once.`);
  return source.replace(from, () => to);
}
