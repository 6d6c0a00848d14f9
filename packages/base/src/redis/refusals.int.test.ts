import { afterEach, expect, it } from '@jest/globals';
import { eventually, startTestRedis, type TestRedis } from '@tds/test-kit';
import type { Redis } from 'ioredis';
import { createRedis, redisReady, watchRefusals } from './redis.ts';

const users = `user default off
user reader on >password %R~mine:* -@all +get +eval +info +client|setname
`;
let server: TestRedis;
let redis: Redis;
const logged: string[] = [];
const open = async (credentials: string): Promise<() => readonly string[]> => {
  logged.length = 0;
  server = await startTestRedis({ users });
  redis = createRedis(server.url.replace('://', `://${credentials}@`), { name: 'test' });
  return watchRefusals(redis, (refusal) => logged.push(refusal));
};
afterEach(async () => {
  redis.disconnect();
  await server.stop();
});

it('a command that the user may not send is reported once for each connection; a permitted one is not', async () => {
  const refusals = await open('reader:password');
  await redisReady(redis);
  await redis.get('mine:key');
  expect(refusals()).toEqual([]);
  for (let round = 0; round < 2; round += 1) {
    await expect(redis.set('mine:key', '1')).rejects.toThrow('NOPERM');
    await expect(redis.get('other:key')).rejects.toThrow('NOPERM');
    await expect(redis.eval(`return redis.call('GET', 'other:key')`, 0)).rejects.toThrow();
  }
  expect(refusals()).toEqual(logged);
  expect(logged.map((line) => /^redis refuses \w+/.exec(line)?.[0])).toEqual([
    'redis refuses set',
    'redis refuses get',
    'redis refuses eval',
  ]);
  redis.disconnect(true);
  await redisReady(redis);
  await eventually(() => expect(refusals()).toEqual([]));
});

it('a wrong password is reported and refused', async () => {
  const refusals = await open('reader:wrong');
  await expect(redisReady(redis, 500)).rejects.toThrow('did not answer');
  expect(refusals().join()).toContain('WRONGPASS');
});
