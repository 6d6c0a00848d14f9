import { spawn } from 'node:child_process';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs a command to its end. Resolves to its output; rejects with the output's tail if it fails. */
export const runCommand = ({ command, args, signal, ...options }: Command): Promise<string> =>
  new Promise((resolve, reject) => {
    // In a group of its own it does not get the terminal's Ctrl-C.
    const own = { ...options, detached: true, ...(signal ? { signal } : {}) };
    const child = spawn(command, args, { ...own, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ended with ${signal ?? code}: ${output.slice(-2000).trim()}`));
    });
  });
