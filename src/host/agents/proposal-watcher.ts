import { type FSWatcher, mkdirSync, watch } from "node:fs";

/** Time in which several changes of the folder count as one, ms. */
const TOGETHER_MS = 100;

/** Calls the listener when files of a folder change. The folder is created if it is missing. */
export function watchFolder(folder: string, changed: () => void): { dispose(): void } {
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    watcher = watch(folder, () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        changed();
      }, TOGETHER_MS);
    });
    watcher.on("error", () => watcher?.close());
  } catch {
    // The rows are read again whenever the view becomes visible.
  }
  return {
    dispose: () => {
      watcher?.close();
      clearTimeout(timer);
    },
  };
}
