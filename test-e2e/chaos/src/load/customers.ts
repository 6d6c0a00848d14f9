import { setTimeout as delay } from 'node:timers/promises';
import { newAccountLimits, tierLimits } from '@tds/contracts';
import { newestCode } from '@tds/simulators/mail';
import type { Random } from '#support';
import type { History } from '../history.ts';
import { makeCall } from './http-call.ts';

/** Free keys may ask 60 times a minute and wait for two cold fetches at once; callers stay below. */
const REQUESTS_PER_SECOND = 0.9;
const BURST = 8;
const COLD_AT_ONCE = 2;
const FREE_CREDITS = 100;
const CREDITS_LEFT_ALONE = 5;
const IN_USE = 60;
const MAX_VIDEOS_PER_JOB = 4;

export type Customer = {
  readonly email: string;
  readonly key: string;
  readonly accountId: string;
  readonly keyId: string;
  /** Of the session in which the account was opened. */
  readonly cookie: string;
  readonly since: number;
  spent: number;
  /** What calls that have not been answered may cost. */
  creditsUnderWay: number;
  coldUnderWay: number;
  /** Cold fetches that may have been begun: new accounts have few on a day. */
  coldAsked: number;
  /** Pages of searches that may have been begun. */
  searchesAsked: number;
  /** Of the last time that the gateway served this customer from what it and Redis know. */
  hotIn: number;
  revoked: boolean;
};

/** What a call needs of its customer. */
export type Wanted = 'cold' | 'search' | 'cached' | 'job';

export type Customers = {
  readonly all: readonly Customer[];
  /** Everything that must never be seen in a log or on the bus. */
  readonly secrets: Set<string>;
  /** Null where the sign-up failed on the way. */
  signUp(): Promise<Customer | null>;
  /** Someone who may ask now; counts it. */
  take(random: Random, what: Wanted): Customer | undefined;
};

export type CustomersOptions = {
  readonly gateway: string;
  readonly mailbox: string;
  readonly history: History;
  /** Distinguishes the addresses of runs over the same data. */
  readonly run: string;
};

const MAIL_WITHIN_MS = 20_000;

const readCode = async (mailbox: string, email: string): Promise<string | null> => {
  const deadline = performance.now() + MAIL_WITHIN_MS;
  while (performance.now() < deadline) {
    // An idle connection may end just as it is used again.
    const code = await newestCode(mailbox, email).catch(() => null);
    if (code) return code;
    await delay(50);
  }
  return null;
};

/** Keeps every customer below the limit of a free key. */
const createAllowance = (history: Pick<History, 'now'>): ((customer: Customer) => boolean) => {
  const allowance = new Map<Customer, { tokens: number; at: number }>();
  return (customer) => {
    const now = history.now();
    const last = allowance.get(customer) ?? { tokens: BURST, at: now };
    const tokens = Math.min(BURST, last.tokens + ((now - last.at) / 1_000) * REQUESTS_PER_SECOND);
    allowance.set(customer, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    return tokens >= 1;
  };
};

const hasCredits = ({ spent, creditsUnderWay }: Customer): boolean =>
  spent + creditsUnderWay < FREE_CREDITS - CREDITS_LEFT_ALONE;

const may: Readonly<Record<Wanted, (customer: Customer) => boolean>> = {
  cached: () => true,
  cold: (customer) =>
    hasCredits(customer) &&
    customer.coldUnderWay < COLD_AT_ONCE &&
    customer.coldAsked < newAccountLimits.coldFetchesPerDay,
  job: (customer) =>
    hasCredits(customer) && customer.coldAsked + MAX_VIDEOS_PER_JOB < newAccountLimits.coldFetchesPerDay,
  search: (customer) => hasCredits(customer) && customer.searchesAsked < tierLimits.free.searchPagesPerDay,
};

type Verified = { account: { id: string }; key: { id: string; secret: string } | null };

export const createCustomers = ({ gateway, mailbox, history, run }: CustomersOptions): Customers => {
  const all: Customer[] = [];
  const secrets = new Set<string>();
  const mayAsk = createAllowance(history);
  let asked = 0;

  return {
    all,
    secrets,
    signUp: async () => {
      asked += 1;
      const email = `customer-${run}-${asked}@example.com`;
      const url = `${gateway}/v1/auth`;
      const sent = await makeCall(history, {
        kind: 'code',
        url: `${url}/code`,
        about: email,
        body: { email },
      });
      if (sent.record.outcome === 'failed') return null;
      const code = await readCode(mailbox, email);
      if (code === null) return null;
      const body = { email, code, accept_terms: true };
      const verified = await makeCall(history, { kind: 'verify', url: `${url}/verify`, about: email, body });
      if (verified.record.outcome !== 'ok') return null;
      const { account, key } = verified.json as unknown as Verified;
      const cookie = verified.headers.get('set-cookie')?.split(';')[0] ?? '';
      const session = cookie.split('=')[1];
      if (session) secrets.add(session);
      if (!key) return null;
      secrets.add(key.secret);
      history.add({ type: 'account', accountId: account.id, keyId: key.id, email });
      const customer: Customer = {
        email,
        key: key.secret,
        accountId: account.id,
        ...{ keyId: key.id, cookie },
        since: history.now(),
        ...{ spent: 0, creditsUnderWay: 0, coldUnderWay: 0, coldAsked: 0, searchesAsked: 0 },
        ...{ hotIn: -1, revoked: false },
      };
      all.push(customer);
      return customer;
    },
    take: (random, what) => {
      const usable = all.slice(-IN_USE).filter((one) => !one.revoked && may[what](one));
      return random.shuffled(usable).find(mayAsk);
    },
  };
};
