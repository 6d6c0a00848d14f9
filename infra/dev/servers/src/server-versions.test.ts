import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { releases } from './releases.ts';
import { describeRequirement, findSuitable, type ServerBinary, type ServerName } from './server-versions.ts';
import { temporaryDir } from './test-support/temporary-dir.ts';

const folder = temporaryDir();
afterAll(() => folder.remove());

const redis = (version: string) => `Redis server v=${version} sha=00000000:0 malloc=jemalloc-5.3.0 bits=64`;
const nats = (version: string) => `nats-server: v${version}`;

/** A program that says this when it is asked for its version. */
const program = (says: string, mode = 0o755): ServerBinary => {
  const command = path.join(folder.dir, randomUUID());
  writeFileSync(command, `#!/bin/sh\n[ "$1" = --version ] && echo '${says}'\n`, { mode });
  return { command, env: {} };
};
const isTaken = async (name: ServerName, says: string) =>
  (await findSuitable(name, [program(says)])).binary !== undefined;

describe('a server that is found on the machine', () => {
  it.each([
    ['redis-server', redis('6.2.14'), false],
    ['redis-server', redis('7.0.0'), true],
    ['redis-server', redis('10.0.1'), true],
    ['nats-server', nats('1.12.0'), false],
    ['nats-server', nats('2.8.4'), false],
    ['nats-server', nats('2.9.0'), true],
    ['nats-server', nats('2.10.27'), true],
    ['nats-server', nats('2.12.0-preview.1'), true],
    ['prometheus', 'prometheus, version 2.42.0+ds (branch: debian/sid, revision: 2.42.0+ds-5)', false],
    ['prometheus', 'prometheus, version 3.5.3+ds1 (branch: debian/sid, revision: 3.5.3+ds1-6)', true],
  ] as const)('is used if it is new enough: %s, %s', async (name, says, taken) => {
    expect(await isTaken(name, says)).toBe(taken);
  });

  it('is the one of the line that installations run, if there is one, and else the first that works', async () => {
    const [old, other, newest] = [
      program(nats('2.9.10')),
      program(nats('2.10.27')),
      program(nats(releases.nats)),
    ];
    expect(await findSuitable('nats-server', [old, newest])).toMatchObject({
      binary: newest,
      isPreferred: true,
    });
    expect(await findSuitable('nats-server', [old, other])).toMatchObject({
      binary: old,
      isPreferred: false,
    });
  });

  it('is ignored if it prints no version, may not be run, or is missing', async () => {
    const none = { command: path.join(folder.dir, 'none'), env: {} };
    const candidates = [program('hello'), program(redis('7.4.0'), 0o644), none];
    expect(await findSuitable('redis-server', candidates)).toMatchObject({ binary: undefined, tooOld: [] });
  });

  it('is ignored for a newer one, and named with its version if there is none', async () => {
    const [old, older, good] = [program(redis('6.0.16')), program(redis('5.0')), program(redis('7.2.4'))];
    expect((await findSuitable('redis-server', [old, good])).binary).toBe(good);
    const { tooOld } = await findSuitable('redis-server', [old, older, old]);
    expect(describeRequirement('redis-server', tooOld)).toBe(
      `redis-server 7.0 or newer (${old.command} is 6.0.16, ${older.command} is 5.0)`,
    );
    expect(describeRequirement('nats-server')).toBe('nats-server 2.9 or newer');
  });
});
