import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
};

const untilReady = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('Ready in')) resolve();
    });
    child.once('exit', () => reject(new Error('the service did not start')));
  });

export type RunningSystem = {
  /** The port of its inspector. */
  readonly inspector: number;
  readonly postgres: string;
  /** Reads a transcript as a customer does. */
  read(videoId: string): Promise<void>;
};

/** Runs the system of a checkout for as long as the work lasts, on data of its own. */
export const withSystem = async <T>(
  root: string,
  work: (system: RunningSystem) => Promise<T>,
): Promise<T> => {
  const data = mkdtempSync(path.join(tmpdir(), 'tds-shape-'));
  const [port, inspector] = [await freePort(), await freePort()];
  const inRoot = (file: string) => path.join(root, 'infra/local/src', file);
  const start = [`--inspect=127.0.0.1:${inspector}`, inRoot('start.ts'), '--data', data];
  // The canary reads transcripts by itself.
  const env = { ...process.env, PORT: String(port), CANARY_VIDEOS: '' };
  const system = spawn(process.execPath, start, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await untilReady(system);
    const makeKey = [inRoot('key.ts'), '--data', data, 'shape@example.com'];
    const key = execFileSync(process.execPath, makeKey, { cwd: root, encoding: 'utf8' }).trim();
    const { postgres } = JSON.parse(readFileSync(path.join(data, 'endpoints.json'), 'utf8'));
    const read = async (videoId: string): Promise<void> => {
      const url = `http://127.0.0.1:${port}/v1/transcript?video_id=${videoId}&format=json`;
      const { status } = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      if (status !== 200) throw new Error(`${videoId} was answered with ${status}`);
    };
    return await work({ inspector, postgres, read });
  } finally {
    const ended = new Promise((resolve) => system.once('exit', resolve));
    if (system.exitCode === null) {
      system.kill('SIGTERM');
      await ended;
    }
    rmSync(data, { recursive: true, force: true });
  }
};
