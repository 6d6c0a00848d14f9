import { spawn } from 'node:child_process';
import { environment } from './environment.mjs';
import { inRoot } from './places.mjs';

const endGroup = (child) => {
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // It has just ended.
  }
};

/**
 * Runs a program to its end; resolves to what it said, rejects with that where it fails. In a group of its own it does
 * not get the terminal's Ctrl-C, and is ended when this process has decided to.
 */
export const run = (command, args, { signal, env } = {}) =>
  new Promise((resolve, reject) => {
    const own = { cwd: inRoot(), env: { ...environment(), ...env }, detached: true };
    const child = spawn(command, args, { ...own, stdio: ['ignore', 'pipe', 'pipe'] });
    const onAbort = () => endGroup(child);
    signal?.addEventListener('abort', onAbort);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const end = (failure) => {
      signal?.removeEventListener('abort', onAbort);
      if (!failure) resolve(output);
      else reject(Object.assign(new Error(`${command} failed (${failure}):\n${output}`), { output }));
    };
    child.once('error', ({ message }) => end(message));
    child.once('close', (code, by) => end(code === 0 ? undefined : (by ?? `exit code ${code}`)));
  });

/** Says what is being done, and how long it took; without a terminal on a line each. */
export const step = async (title, work) => {
  const isTerminal = process.stderr.isTTY;
  const start = performance.now();
  process.stderr.write(`  … ${title}${isTerminal ? '' : '\n'}`);
  await work().catch((error) => {
    if (isTerminal) process.stderr.write('\n');
    throw error;
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stderr.write(`${isTerminal ? '\r' : ''}  ✓ ${title} (${seconds} s)\n`);
};
