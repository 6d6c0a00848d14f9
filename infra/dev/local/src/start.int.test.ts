import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceNames } from '@tds/provisioning';
import { freePort, withClient } from '@tds/servers';
import { eventually } from '@tds/test-kit';
import { findListeningAddresses } from './test-support/listening.ts';

const START_WITHIN_MS = 900_000;
const NAMES = `SELECT DISTINCT application_name AS name FROM pg_stat_activity
  WHERE application_name ~ '^(archiver|search)/' ORDER BY 1`;
/** 127.0.0.1, as the kernel writes it. */
const LOOPBACK = '0100007F';

describe('npm start -- --processes --instances archiver=2', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'tds-start-'));
  let start: ChildProcess;
  let said = '';

  beforeAll(async () => {
    const words = ['--data', dir, '--processes', '--instances', 'archiver=2'];
    const env = { ...process.env, PORT: String(await freePort()), LOG_LEVEL: 'info' };
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'start.ts'), ...words], { env });
    start = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += chunk;
      });
    await eventually(() => expect(said).toContain('Ready in'), { withinMs: START_WITHIN_MS });
  }, START_WITHIN_MS);
  afterAll(() => {
    start.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });

  it('prints its steps and no record of a log until it is ready: they are in a file', () => {
    const [beforeReady = ''] = said.split('Ready in');
    expect(beforeReady).not.toContain('"level"');
    expect(readFileSync(path.join(dir, 'start.log'), 'utf8')).toContain('"msg":"ready"');
  });

  it('has two archivers and one of all others, each under a name of its own', async () => {
    const { postgres } = JSON.parse(readFileSync(path.join(dir, 'endpoints.json'), 'utf8'));
    const { rows } = await withClient(postgres, (client) => client.query(NAMES));
    const names = ['archiver/archiver-1', 'archiver/archiver-2', 'search/search-1'];
    expect(rows.map(({ name }) => name)).toEqual(names);
  });

  it("gives Prometheus the address of each process's metrics", async () => {
    const file = path.join(dir, 'scrape-targets.json');
    const groups: { targets: [string]; labels: { service: string } }[] = JSON.parse(readFileSync(file, 'utf8'));
    const scraped = groups.map(async ({ targets, labels: { service } }) => {
      const text = await (await fetch(`http://${targets[0]}/metrics`)).text();
      return text.includes(`service="${service}"`) ? service : `not ${service}`;
    });
    expect((await Promise.all(scraped)).toSorted()).toEqual([...serviceNames, 'archiver'].toSorted());
  });

  (process.platform === 'linux' ? it : it.skip)('is reached from this machine only, in all its parts', () => {
    const addresses = findListeningAddresses(Number(start.pid));
    // Four servers, the simulator, the mailbox for programs and for people, the gateway and a port for each process.
    expect(addresses.length).toBeGreaterThan(14);
    expect([...new Set(addresses)]).toEqual([LOOPBACK]);
  });

  it('ends with all that it has started', async () => {
    const ended = once(start, 'close');
    start.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(said).toContain('Stopped');
  });
});
