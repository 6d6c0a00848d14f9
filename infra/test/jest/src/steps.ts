import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Counts what works of a module do: blocks of code that run, of packages, too, and characters or items that methods of the language pass
 * over in their own loops. The count of a work depends on its input alone, and not on the machine. The module exports
 * `works: Record<string, (input) => unknown>`; it is loaded in a thread of its own. Inputs are cloned.
 */
export const createStepCounter = <Input>(module: URL) => {
  const workerData = { module: module.href };
  const thread = new Worker(new URL('steps-thread.ts', import.meta.url), { workerData });
  thread.unref();
  return {
    count: async (name: string, input: Input): Promise<number> => {
      thread.postMessage({ name, input });
      const [steps] = await once(thread, 'message');
      return steps as number;
    },
    stop: async (): Promise<void> => void (await thread.terminate()),
  };
};
