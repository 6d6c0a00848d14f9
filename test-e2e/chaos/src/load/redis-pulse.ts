import { connect } from 'node:net';
import { sleep, until } from '#support';
import type { History } from '../history.ts';

const EVERY_MS = 50;
/** Half of what the gateway waits for. */
const LATE_MS = 25;
const GIVE_UP_MS = 1_000;

/** Where the server is, and the line that says who asks. */
export const redisOf = (url: string) => {
  const { hostname, port, username, password } = new URL(url);
  return {
    host: hostname,
    port: Number(port),
    auth: `AUTH ${username} "${decodeURIComponent(password)}"\r\n`,
  };
};

/** What the server says to a name and a password, before it answers. */
const WELCOME = '+OK\r\n';

/** Sends one command, as the user of the address, and resolves to its answer, or to nothing when there will be none. */
const ask = async (url: string, command: string): Promise<string> => {
  const { auth, ...place } = redisOf(url);
  const socket = connect(place);
  let isOver = false;
  let said = '';
  const end = () => {
    isOver = true;
  };
  socket
    .on('data', (data) => {
      said += data.toString();
      if (said.length > WELCOME.length) end();
    })
    .once('error', end)
    .once('close', end);
  socket.write(`${auth}${command}\r\n`);
  await until(() => isOver, { withinMs: GIVE_UP_MS, everyMs: 1 });
  socket.destroy();
  return said.startsWith(WELCOME) ? said.slice(WELCOME.length) : '';
};

/** How many members a sorted set has; throws where Redis does not say. */
export const countIn = async (url: string, key: string): Promise<number> => {
  const answer = await ask(url, `ZCARD ${key}`);
  if (!answer.startsWith(':')) throw new Error(`Redis does not say how many are in ${key}`);
  return Number.parseInt(answer.slice(1), 10);
};

/** What a small string holds, null where there is none; throws where Redis does not say. */
export const readText = async (url: string, key: string): Promise<string | null> => {
  const answer = await ask(url, `GET ${key}`);
  if (!answer.startsWith('$')) throw new Error(`Redis does not say what ${key} is`);
  return answer.startsWith('$-1') ? null : answer.slice(answer.indexOf('\r\n') + 2, -2);
};

/**
 * Asks Redis all the time, over the same network as the services, and writes down when it was late: on a machine that is
 * too busy to answer in time, a gateway goes on without Redis, and that is no fault of the gateway.
 */
export const feelPulse = (url: string, history: History): { end(): Promise<void> } => {
  let ended = false;
  const run = async (): Promise<void> => {
    while (!ended) {
      const at = history.now();
      await ask(url, 'PING');
      const ms = history.now() - at;
      if (ms > LATE_MS) history.add({ type: 'late-redis', at, ms });
      await sleep(EVERY_MS);
    }
  };
  const running = run();
  return {
    end: () => {
      ended = true;
      return running;
    },
  };
};
