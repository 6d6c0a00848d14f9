import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { isServing, printHealth, readHealth, samplesIn } from './health.ts';

const METRICS = `# HELP tds_circuit_open 1 while open
tds_circuit_open{strategy="android",exit="proxy-1",service="transcript-fetcher"} 1
tds_circuit_open{strategy="web",exit="proxy-1",service="transcript-fetcher"} 0
tds_circuit_failed_seconds{strategy="android",exit="proxy-1",service="transcript-fetcher"} 12.4
tds_canary_checks_total{outcome="passed",service="transcript-fetcher"} 7
tds_strategies_refused{service="transcript-fetcher"} 0
tds_outbox_unpublished{service="transcript-fetcher"} 3
`;

const server = createServer((_request, response) => response.end(METRICS)).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const { port } = server.address() as AddressInfo;
const folder = mkdtempSync(path.join(tmpdir(), 'health-'));
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});
const groups = (...services: readonly string[]) =>
  writeFileSync(
    path.join(folder, 'scrape-targets.json'),
    JSON.stringify(services.map((service) => ({ targets: [`127.0.0.1:${port}`], labels: { service } }))),
  );

describe('the health of a running system', () => {
  it('is what its services that ask the platform know', async () => {
    groups('gateway', 'transcript-fetcher', 'search');
    const instances = await readHealth(folder, []);
    expect(instances).toHaveLength(2);
    const text = printHealth(instances.slice(0, 1));
    expect(text).toMatch(/proxy-1 +android +given up +12 s ago/);
    expect(text).toMatch(/proxy-1 +web +used +never/);
    expect(text).toMatch(/tds_canary_checks_total +outcome=passed +7/);
    expect(text).not.toContain('outbox');
    expect(isServing(instances)).toBe(true);
  });

  it('is asked at addresses that are named', async () => {
    expect(await readHealth('/nowhere', [`http://127.0.0.1:${port}`])).toHaveLength(1);
  });

  it('is not there without a system, and the message says what to do', async () => {
    await expect(readHealth('/nowhere', [])).rejects.toThrow('Start the service first');
    await expect(readHealth('/nowhere', ['http://127.0.0.1:1'])).rejects.toThrow('does not answer');
  });

  it('is bad if all ways are given up', () => {
    const samples = samplesIn(METRICS.replaceAll(/^(tds_circuit_open.*) \d$/gm, '$1 1'));
    expect(isServing([{ instance: 'one', samples }])).toBe(false);
    expect(isServing([{ instance: 'one', samples: [] }])).toBe(true);
  });
});
