import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

/** Starts and ends servers of its own, and prints whether their addresses are there meanwhile and after. */
const script = `
const { startSharedServers, stopSharedServers } = await import('@tds/servers/testing');
const addresses = () => Object.keys(process.env).filter((name) => /^TDS_TEST_.*(URL|SERVERS)$/.test(name)).length;
await startSharedServers();
const meanwhile = addresses();
await stopSharedServers();
console.log(JSON.stringify([meanwhile, addresses()]));`;

it('whoever starts after the servers have ended, as a repeat of a failed file, is not sent to servers that are gone', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    env: { ...process.env, TDS_TEST_POSTGRES_URL: '' },
  });
  expect(JSON.parse(stdout)).toEqual([4, 0]);
});
