import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { crashPoints } from '@tds/messaging/internals';
import { workspaceRoot } from '@tds/servers';
import { beyondTheLoad, crashSpots } from './crash-plan.ts';
import { faultTable } from './fault-table.ts';
import { planFaults } from './schedule.ts';

const table = faultTable('processes');
const plan = (seed: number) =>
  planFaults(table, { seed, kills: 300, minutes: 30, quick: false }).map(({ atMs, fault, target, holdMs }) => [
    atMs,
    fault.name,
    target,
    holdMs,
  ]);

const namedIn = async (service: string): Promise<string[]> => {
  const dir = path.join(workspaceRoot, 'services', service, 'src');
  const files = (await readdir(dir, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const sources = await Promise.all(files.map((file) => readFile(path.join(dir, file), 'utf8')));
  return sources.flatMap((source) =>
    [...source.matchAll(/(?:crashPoint|shared)\(\s*'([a-z-]+)'/g)].map((match) => String(match[1])),
  );
};

describe('the plan of faults', () => {
  it('is the same for the same seed, and another one for another', () => {
    expect(plan(7)).toEqual(plan(7));
    expect(plan(7)).not.toEqual(plan(8));
  });

  it('does everything that it can at least once, and kills as often as requested', () => {
    const planned = planFaults(table, { seed: 3, kills: 300, minutes: 30, quick: false });
    const wanted = table.filter(({ hits }) => hits !== 0); // the others are made by hand only
    expect(new Set(planned.map(({ fault }) => fault.name))).toEqual(new Set(wanted.map(({ name }) => name)));
    const crashes = planned.filter(({ fault }) => fault.name === 'crash-point').map(({ target }) => target);
    expect(new Set(crashes).size).toBe(crashSpots.length);
    expect(planned.reduce((sum, { fault }) => sum + fault.kills, 0)).toBeGreaterThanOrEqual(300);
  });

  it('leads to every crash point of the kit', () => {
    const covered = new Set([...crashSpots.map(({ point }) => point), ...beyondTheLoad]);
    expect(crashPoints.filter((point) => !covered.has(point))).toEqual([]);
  });

  it.each([
    'credits-ledger',
    'identity',
    'transcript-fetcher',
    'search',
    'bulk-orchestrator',
    'archiver',
    'webhook-dispatcher',
    'gateway',
  ])('leads to every crash point of %s', async (service) => {
    const covered = crashSpots.filter((spot) => spot.service === service).map(({ point }) => point);
    const named = await namedIn(service);
    const led = [...covered, ...beyondTheLoad];
    expect(named.filter((point) => !led.includes(point))).toEqual([]);
  });
});
