import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatFinding } from '@tds/audit';
import type { Figures } from './figures.ts';
import { runChaos } from './run-chaos.ts';

const SEED = 20_261_138;

let dir: string;
let figures: Figures;
const said: string[] = [];

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'tds-chaos-'));
  figures = await runChaos({
    system: 'processes',
    seed: SEED,
    kills: 14,
    minutes: 0.4,
    quick: true,
    throwaway: true,
    requestsPerSecond: 15,
    dir,
    say: (line) => said.push(line),
  });
}, 2_400_000);
// Servers that were killed may still write.
afterAll(() => rm(dir, { recursive: true, force: true, maxRetries: 20 }));

/** Jest shows what is compared: on a breach, the seed and the course of the run. */
const course = () => [`seed ${SEED}`, ...said].join('\n');

/**
 * Beside other tests Redis may be too slow for cached reads without identity, and processes may start for longer than half a minute; only
 * the long run asks for both. Before the books are checked, everything has come back by itself.
 */
const isAskedFor = ({ invariant, what }: Figures['findings'][number]) =>
  invariant !== 'cached reads' && what !== 'recovery by itself';

describe('a system whose processes and servers are killed, frozen, wiped and cut off', () => {
  it('keeps every promise', () => {
    const findings = figures.findings.filter(isAskedFor).map(formatFinding);
    expect(findings.length === 0 ? '' : [...findings, course()].join('\n')).toBe('');
  });

  it('was really hurt: every planned fault came about, and customers were there', () => {
    expect(figures.kills).toBeGreaterThanOrEqual(14);
    expect(figures.crashPoints.notReached).toEqual([]);
    expect(figures.faults.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        ...['kill-all', 'wipe-broker', 'restart-database', 'deliver-again', 'flush-redis'],
        ...['partition', 'slow-network', 'skew-clock', 'exhaust-descriptors'],
      ]),
    );
    expect(figures.calls.ok).toBeGreaterThan(100);
    expect(figures.acknowledged['stop 200']).toBeGreaterThan(0);
    expect(figures.seals).toBeGreaterThan(0);
    expect(figures.purchases).toBeGreaterThan(5);
    expect(figures.newVideos).toBeGreaterThan(5);
  });

  it('found the outcome of every call without an answer', () => {
    const resolved = Object.values(figures.resolvedTo).reduce((sum, count) => sum + count, 0);
    expect(resolved).toBe(figures.calls.unknown);
  });
});
