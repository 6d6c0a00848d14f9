import { expect, it } from '@jest/globals';
import { defineContract, defineSurface } from '@tds/contracts';
import { z } from 'zod';
import { redisUsers } from './redis-users.ts';

const value = z.string();
const search = defineContract('search', {
  projections: {
    page: { keyParts: ['id'], value, ttlSeconds: 60 },
    body: { keyParts: ['id'], value, ttlSeconds: 60, keptIn: 'cache' },
  },
});
const surfaces = [
  defineSurface(search),
  defineSurface(defineContract('gateway', {}), { reads: [search.page], redis: ['incr'] }),
  defineSurface(defineContract('archiver', {})),
];
const users = redisUsers(surfaces, (name) => `the ${name}`);
const withoutDigests = (text: string) =>
  text
    .replace(/#[0-9a-f]{64}/g, '#')
    .trimEnd()
    .split('\n');

it('a service writes what it projects and counts, reads what it says, and does nothing else; a client without a name has no rights', () => {
  expect(withoutDigests(users.fileOf('records'))).toEqual([
    'user default off',
    'user search on # resetchannels ~search:page:* -@all +client|setname +eval +evalsha +get +info +ping +set +unlink',
    'user gateway on # resetchannels ~gateway:* %R~search:page:* -@all +client|setname +get +incr +info +mget +ping',
    'user archiver on # resetchannels -@all +client|setname +info +ping',
    'user operator on # ~* &* +@all',
  ]);
  expect(withoutDigests(users.fileOf('cache'))[1]).toBe(
    'user search on # resetchannels ~search:body:* -@all +client|setname +info +ping +set',
  );
});

it('the file has digests of passwords, and addresses the passwords', () => {
  expect(users.fileOf('records')).not.toContain('the redis password');
  expect(users.urlOf('search', 'redis://127.0.0.1:7')).toBe(
    'redis://search:the%20redis%20password%20of%20search@127.0.0.1:7',
  );
});
