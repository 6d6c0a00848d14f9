import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { calledFunctions, countFunctions, withInlined } from './called-functions.ts';
import { connectInspector } from './inspector.ts';

const OF_THE_SERVICE = /^(?:services|packages\/(?:contracts|service-kit|transcript-format|video-platform))\//;
const GENERATED = '/store/prisma/';
/** The ledger is told of a delivery after it was answered. */
const TOLD_WITHIN_MS = 3_000;
/** What runs by itself within this time runs for no transcript. */
const IDLE_MS = 15_000;
/** An idle connection says by then which functions it has called. */
const COUNTED_WITHIN_MS = 12_000;

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

const addressOfPostgres = (data: string): string =>
  JSON.parse(readFileSync(path.join(data, 'endpoints.json'), 'utf8')).postgres;

/** The files of the checkout, relative to it, in which something ran only for one transcript that nobody had fetched before. */
export const coldPath = async (root: string): Promise<string[]> => {
  const data = mkdtempSync(path.join(tmpdir(), 'tds-shape-'));
  const [port, inspector] = [await freePort(), await freePort()];
  const inRoot = (file: string) => path.join(root, 'infra/local/src', file);
  const start = [`--inspect=127.0.0.1:${inspector}`, inRoot('start.ts'), '--data', data];
  const env = { ...process.env, PORT: String(port) };
  const system = spawn(process.execPath, start, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await untilReady(system);
    const makeKey = [inRoot('key.ts'), '--data', data, 'shape@example.com'];
    const key = execFileSync(process.execPath, makeKey, { cwd: root, encoding: 'utf8' }).trim();
    const read = async (videoId: string): Promise<void> => {
      const url = `http://127.0.0.1:${port}/v1/transcript?video_id=${videoId}&format=json`;
      const { status } = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      if (status !== 200) throw new Error(`${videoId} was answered with ${status}`);
      await sleep(TOLD_WITHIN_MS);
    };
    await read('manyLangs01');
    const session = await connectInspector(inspector);
    await session.startCoverage();
    const postgres = addressOfPostgres(data);
    await countFunctions(postgres);
    await session.takeCalledFiles();
    await sleep(IDLE_MS);
    const busyAnyway = new Set(await session.takeCalledFiles());
    const countedAnyway = new Set(await calledFunctions(root, postgres));
    await read('manualEn001');
    const called = await session.takeCalledFiles();
    session.close();
    await sleep(COUNTED_WITHIN_MS);
    const counted = (await calledFunctions(root, postgres)).filter((file) => !countedAnyway.has(file));
    const files = called
      .filter((url) => url.startsWith('file:') && !busyAnyway.has(url))
      .map((url) => path.relative(root, fileURLToPath(url)))
      .filter((file) => OF_THE_SERVICE.test(file) && !file.includes(GENERATED) && file.endsWith('.ts'));
    return [...files, ...withInlined(root, counted)];
  } finally {
    const ended = new Promise((resolve) => system.once('exit', resolve));
    if (system.exitCode === null) {
      system.kill('SIGTERM');
      await ended;
    }
    rmSync(data, { recursive: true, force: true });
  }
};
