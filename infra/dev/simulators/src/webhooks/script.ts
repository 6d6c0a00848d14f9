import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const OK = 200;
const REDIRECT = 301;
const SLOW_MS = 1_000;
const LONG_MS = 6_000;
const LATE_MS = 11_000;
const DRIP_EVERY_MS = 200;
const CHUNK = Buffer.alloc(64 * 1_024, 'x');

/**
 * What a receiver does with one request: a status; `slow` (200 after a second), `long` (the same after six), `late` (after the deadline), `reset` (no answer), `redirect`, `drip` (an answer
 * that never ends, slowly), `huge` (the same, fast), `cut` (2xx, and then a reset), `never` (nothing at all).
 */
export type Behaviour =
  | number
  | 'slow'
  | 'long'
  | 'late'
  | 'reset'
  | 'redirect'
  | 'drip'
  | 'huge'
  | 'cut'
  | 'never';

type Act = (response: ServerResponse) => void | Promise<void>;

/** Node's streams do not end where the reader is gone: then nothing more is written. */
const isOpen = ({ destroyed }: ServerResponse): boolean => !destroyed;

const after =
  (ms: number): Act =>
  async (response) => {
    await delay(ms, undefined, { ref: false });
    response.writeHead(OK).end('at last');
  };

const acts: Readonly<Record<Exclude<Behaviour, number>, Act>> = {
  never: () => {},
  reset: (response) => void response.socket?.resetAndDestroy(),
  redirect: (response) => void response.writeHead(REDIRECT, { location: 'http://169.254.169.254/' }).end(),
  slow: after(SLOW_MS),
  long: after(LONG_MS),
  late: after(LATE_MS),
  drip: async (response) => {
    response.writeHead(OK);
    for (; isOpen(response); await delay(DRIP_EVERY_MS, undefined, { ref: false })) response.write('.');
  },
  huge: (response) => {
    response.writeHead(OK);
    const fill = () => {
      while (isOpen(response) && response.write(CHUNK));
    };
    response.on('drain', fill);
    fill();
  },
  cut: async (response) => {
    response.writeHead(OK, { 'content-length': 1_000 });
    response.write('half of');
    await delay(20);
    response.socket?.resetAndDestroy();
  },
};

export const act = async (behaviour: Behaviour, response: ServerResponse): Promise<void> => {
  if (typeof behaviour === 'number') response.writeHead(behaviour).end(`answered ${behaviour}`);
  else await acts[behaviour](response);
};

const isBehaviour = (word: string): word is Exclude<Behaviour, number> => Object.hasOwn(acts, word);

/** `500,reset,200` as it stands in the address of a hook; what is none is answered with 200. */
export const readScript = (text: string): Behaviour[] =>
  text.split(',').map((word) => {
    if (isBehaviour(word)) return word;
    return /^[2-5]\d\d$/.test(word) ? Number(word) : OK;
  });
