import path from 'node:path';
import { ensureNats } from '../nats.ts';
import { ensurePostgres } from '../postgres.ts';
import { ensureRedis } from '../redis.ts';

/** Started as a process of its own, to be killed: starts every server in the folder and says their process ids. */
const [, , dir = ''] = process.argv;
const folder = (name: string) => ({ dir: path.join(dir, name), throwaway: true });
const servers = [
  await ensurePostgres(folder('postgres')),
  await ensureNats(folder('nats')),
  await ensureRedis({ ...folder('redis'), keeps: 'records' }),
];
process.stdout.write(`${JSON.stringify(servers.map(({ pid }) => pid))}\n`);
setInterval(() => {}, 60_000);
