import { watch } from 'node:fs';
import path from 'node:path';

const isMade = (file: string): boolean => /(^|[/])(node_modules|[.][^/]+|store[/]prisma)[/]/.test(file);

/** Editors save in several steps. */
const SETTLED_MS = 200;

/** Watches folders until the signal; `next` waits for a change since it was last called. */
export const watchSources = (folders: readonly string[], signal: AbortSignal) => {
  let changes = Promise.withResolvers<void>();
  for (const folder of folders) {
    watch(folder, { recursive: true, signal }, (_event, file) => {
      if (file && !isMade(path.join(folder, file))) changes.resolve();
    });
  }
  return {
    next: async (): Promise<void> => {
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      await Promise.race([changes.promise, aborted]);
      await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
      changes = Promise.withResolvers();
    },
  };
};
