import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@tds/provisioning';
import { listInstances, parseInstanceCounts, toProcessSpec } from './instances.ts';

describe('npm start -- --processes --instances', () => {
  it('starts as many of each service as it says, and one of all others', () => {
    const names = listInstances(parseInstanceCounts('transcript-fetcher=2,search=3,gateway=1')).map(
      ({ name }) => name,
    );
    const twice = ['transcript-fetcher-2', 'search-2', 'search-3'];
    expect(names.toSorted()).toEqual([...serviceNames.map((name) => `${name}-1`), ...twice].toSorted());
  });

  it('gives each process a name and a port of its own, whatever the shell says', () => {
    const shell = { HEALTH_PORT: '1', INSTANCE_ID: 'x', LOG_LEVEL: 'info' };
    const [first, second] = listInstances({ search: 2 })
      .filter(({ service }) => service === 'search')
      .map((instance, index) => toProcessSpec(instance, shell, 7_000 + index));
    expect(first).toMatchObject({ name: 'search-1', env: { HEALTH_PORT: '7000', INSTANCE_ID: 'search-1' } });
    expect(second).toMatchObject({ name: 'search-2', env: { HEALTH_PORT: '7001', INSTANCE_ID: 'search-2' } });
    expect(second?.env.LOG_LEVEL).toBe('info');
    expect(second?.args).toEqual(first?.args);
  });

  it.each([
    ['gateway=2', 'There is one gateway'],
    ['fetcher=2', 'Services: archiver, '],
    ['search', '"search" is not <service>=<count>'],
    ['search=', 'is not <service>=<count>'],
    ['search=two', 'is not <service>=<count>'],
    ['search=-1', 'is not <service>=<count>'],
    ['search=1.5', 'is not <service>=<count>'],
    ['search=2,', '"" is not <service>=<count>'],
    ['', 'is not <service>=<count>'],
    ['constructor=2', 'is not <service>=<count>'],
    ['search=0', 'from 1 to 8'],
    ['search=9', 'from 1 to 8'],
    ['search=99999999999999999999', 'from 1 to 8'],
    ['search=2,archiver=2,search=2', 'search is named twice'],
  ])('refuses %j with a sentence', (text, sentence) => {
    expect(() => parseInstanceCounts(text)).toThrow(sentence);
  });

  it.each([
    [['--processes', '--instances', 'gateway=2'], 'There is one gateway'],
    [['--instances', 'search=2'], '--instances goes with --processes'],
  ])('ends the command before anything is started if it is %j', (words, sentence) => {
    const start = path.join(import.meta.dirname, 'start.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, [start, ...words], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^\s+at |Starting/m);
  });
});
