import { readFileSync, rmSync } from 'node:fs';
import { endProcess, isAlive, parentOf, worksIn } from './processes.ts';
import { type ServerState, stateFileOf } from './server-process.ts';

const readState = (dir: string): ServerState | undefined => {
  try {
    return JSON.parse(readFileSync(stateFileOf(dir), 'utf8')) as ServerState;
  } catch {
    return undefined; // never started, or stopped in order
  }
};

/**
 * Ends the server that an earlier run left behind in this folder. Throws if that run still lives: two servers
 * on one folder would destroy each other's data.
 */
export const endStaleServer = async (name: string, dir: string, signal: NodeJS.Signals): Promise<void> => {
  const state = readState(dir);
  if (!state) return;
  if (isAlive(state.pid) && worksIn(state.pid, dir)) {
    if (parentOf(state.pid) === state.parentPid) {
      throw new Error(`${name} already runs for process ${state.parentPid} on ${dir}: stop that one first`);
    }
    await endProcess(state.pid, signal);
  }
  rmSync(stateFileOf(dir), { force: true });
};
