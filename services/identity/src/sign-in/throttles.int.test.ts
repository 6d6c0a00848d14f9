import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity({ environment: { SIGNUP_PER_NETWORK_PER_HOUR: '20' } });
});
afterAll(() => running.stop());

const HOUR_MS = 3_600_000;
const newEmail = () => `${randomUUID()}@example.com`;
const counter = (): (() => number) => {
  let last = 0;
  return () => {
    last += 1;
    return last;
  };
};
const nextNetwork = counter();
const newNetwork = () => `198.51.${nextNetwork()}.1`;
const ask = async (email: string, clientAddress: string): Promise<string> =>
  running.call(identity.requestCode, { email, clientAddress }, testContext()).then(
    () => 'sent',
    ({ code, data }) => `${code} ${data.retryAfterSeconds}`,
  );
const askTimes = async (times: number, email: () => string, network: () => string): Promise<string[]> => {
  const answers: string[] = [];
  for (let index = 0; index < times; index += 1) answers.push(await ask(email(), network()));
  return answers;
};

describe('asking for codes', () => {
  it('is allowed three times an hour per address, whatever its spelling and network', async () => {
    const email = newEmail();
    const turn = counter();
    const spellings = [email, email.toUpperCase(), ` ${email}`];
    const next = () => spellings[turn() % spellings.length] ?? email;
    expect(await askTimes(3, next, newNetwork)).toEqual(['sent', 'sent', 'sent']);
    running.clock.advance(HOUR_MS - 60_000);
    expect(await ask(email, newNetwork())).toBe('signup_rate_limited 60');
    running.clock.advance(60_000);
    expect(await ask(email, newNetwork())).toBe('sent');
  });

  it('is allowed ten times a day per address, and rejected requests do not count', async () => {
    const email = newEmail();
    let sent = 0;
    for (let hour = 0; hour < 5; hour += 1) {
      const answers = await askTimes(5, () => email, newNetwork);
      sent += answers.filter((answer) => answer === 'sent').length;
      running.clock.advance(HOUR_MS);
    }
    expect(sent).toBe(10);
    expect(await ask(email, newNetwork())).toBe(`signup_rate_limited ${19 * 3_600}`);
    running.clock.advance(19 * HOUR_MS);
    expect(await ask(email, newNetwork())).toBe('sent');
  });

  it('is allowed twenty times a day per mailbox, whatever its tags', async () => {
    const name = randomUUID();
    const tag = counter();
    const answers = await askTimes(21, () => `${name}+${tag()}@example.com`, newNetwork);
    expect(answers).toEqual([...Array(20).fill('sent'), 'signup_rate_limited 86400']);
  });

  it('is limited per network, not per client', async () => {
    const network = newNetwork().slice(0, -1);
    const client = counter();
    const nextClient = () => `${network}${client()}`;
    const answers = await askTimes(21, newEmail, nextClient);
    expect(answers.slice(0, 20)).toEqual(Array(20).fill('sent'));
    expect(answers[20]).toBe('signup_rate_limited 3600');
    expect(await ask(newEmail(), newNetwork())).toBe('sent');
  });

  it('in parallel does not pass the limit', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(email, newNetwork())));
    expect(answers.filter((answer) => answer === 'sent')).toHaveLength(3);
  });
});

describe('guessing codes', () => {
  it('is limited per network over all addresses, and right guesses are free', async () => {
    const network = newNetwork();
    const verify = (email: string, code: string, clientAddress: string) =>
      running.verify(email, code, undefined, { clientAddress }).then(
        () => 'signed in',
        ({ code: refusal }) => refusal as string,
      );
    const email = newEmail();
    expect(await verify(email, await running.askForCode(email), network)).toBe('signed in');
    const answers: string[] = [];
    for (let index = 0; index < 21; index += 1) answers.push(await verify(newEmail(), '000000', network));
    expect(answers).toEqual([...Array<string>(20).fill('invalid_code'), 'verify_rate_limited']);
    expect(await verify(newEmail(), '000000', newNetwork())).toBe('invalid_code');
  });
});
