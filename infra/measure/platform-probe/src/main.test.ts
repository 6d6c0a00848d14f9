import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startPlatformSimulator } from '@tds/simulators/platform';

const simulator = await startPlatformSimulator();
afterAll(() => simulator.close());

const run = async (...words: readonly string[]) => {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), ...words], {
    env: { PATH: process.env.PATH, PLATFORM_ORIGIN: simulator.origin },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, out, errors };
};

describe('npm run probe-platform', () => {
  it.each(['', 'probe', 'strategies'])('%s answers --help', async (name) => {
    const { code, out } = await run(...(name === '' ? [] : [name]), '--help');
    expect(code).toBe(0);
    expect(out).toContain(`Usage: npm run probe-platform -- ${name}`);
  });

  it('prints strategies that a file may have', async () => {
    const { code, out } = await run('strategies');
    expect([code, JSON.parse(out)[0].name]).toEqual([0, 'android']);
  });

  it('ends with 0 if something is delivered, and with 1 if nothing is', async () => {
    const good = await run('probe', '--json');
    expect([good.code, JSON.parse(good.out).pairs.length]).toEqual([0, 4]);
    simulator.faults.add({ fault: 'block' });
    const bad = await run('probe', 'manualEn001');
    simulator.faults.clear();
    expect(bad.code).toBe(1);
    expect(bad.out).toContain('use a residential proxy');
  });
});
