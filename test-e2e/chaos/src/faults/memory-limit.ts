import { existsSync } from 'node:fs';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const CGROUPS = '/sys/fs/cgroup';

/** Where the kernel's second version of control groups keeps its limit, and the first. */
const controllers = [
  { root: CGROUPS, limit: 'memory.max' },
  { root: path.join(CGROUPS, 'memory'), limit: 'memory.limit_in_bytes' },
] as const;

export type MemoryLimit = { remove(): Promise<void> };

/**
 * From now on the process may take `bytes` of memory beyond what it has; the kernel kills it (SIGKILL) when it wants more.
 * `remove` wants the process gone. Throws where there are no control groups or this process is not root.
 */
export const limitMemory = async (pid: number, bytes: number): Promise<MemoryLimit> => {
  const group = `tds-chaos-${pid}`;
  for (const { root, limit } of controllers) {
    const dir = path.join(root, group);
    if (!existsSync(root)) continue;
    await mkdir(dir);
    if (existsSync(path.join(dir, limit))) {
      await writeFile(path.join(dir, limit), String(bytes));
      await writeFile(path.join(dir, 'cgroup.procs'), String(pid));
      return { remove: () => rmdir(dir) };
    }
    await rmdir(dir);
  }
  throw new Error('no control groups for memory on this machine');
};
