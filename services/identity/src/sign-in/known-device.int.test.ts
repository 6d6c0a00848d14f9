import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSessionToken, digestSecret, identity, type KnownDevice } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { newSecrets } from '../test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running.stop());

const HOUR_MS = 3_600_000;
let networks = 0;
/** A new network each time. */
const elsewhere = () => {
  networks += 1;
  return `198.${18 + Math.floor(networks / 250)}.${networks % 250}.1`;
};
const wrongCodes = (right: string): string[] =>
  ['000000', '000001', '000002', '000003', '000004', '000005'].filter((code) => code !== right).slice(0, 5);

/** Signs in and returns the browser's proof. */
const signIn = async (email: string, device?: KnownDevice): Promise<KnownDevice> => {
  const code = await running.askForCode(email, device);
  const digest = digestSecret(createSessionToken());
  const { deviceProof } = await running.verify(email, code, newSecrets(), {
    device,
    newDeviceDigest: digest,
  });
  return { digest, proof: deviceProof };
};
const newOwner = async () => {
  const email = `${randomUUID()}@example.com`;
  return { email, device: await signIn(email) };
};
const ask = (email: string, device?: KnownDevice, clientAddress = elsewhere()): Promise<string> =>
  running.call(identity.requestCode, { email, clientAddress, device }, testContext()).then(
    () => 'sent',
    ({ code }) => code,
  );
const guess = (
  email: string,
  code: string,
  device?: KnownDevice,
  clientAddress = elsewhere(),
): Promise<string> =>
  running.verify(email, code, newSecrets(), { device, clientAddress }).then(
    () => 'signed in',
    (error) => error.code,
  );
const guessAll = async (email: string, codes: readonly string[], device?: KnownDevice) => {
  const answers: string[] = [];
  for (const code of codes) answers.push(await guess(email, code, device));
  return answers;
};
/** Strangers lock the address and use up its daily codes. */
const flood = async (email: string): Promise<void> => {
  let sent = 0;
  for (let hour = 0; hour < 4; hour += 1) {
    while ((await ask(email)) === 'sent') sent += 1;
    running.clock.advance(HOUR_MS);
  }
  // The owner's own first code is the tenth.
  expect(sent).toBe(9);
  expect(await ask(email)).toBe('signup_rate_limited');
  // A mail under way would be mistaken for the next one.
  await eventually(async () => {
    const { rows } = await running.kit().db.query(`SELECT FROM messaging.tasks WHERE state <> 'done'`);
    expect(rows).toEqual([]);
  });
};

describe('a known browser', () => {
  it('requests and uses a code whatever strangers request and guess', async () => {
    const { email, device } = await newOwner();
    await flood(email);
    const right = await running.askForCode(email, device);
    expect(await guessAll(email, wrongCodes(right))).toEqual(Array(5).fill('invalid_code'));
    expect(await guess(email, right)).toBe('code_locked');
    // The code that strangers locked is still valid for the known browser, and so is a new one.
    const next = await running.askForCode(email, device);
    expect(await guess(email, next)).toBe('code_locked');
    expect(await guess(email, next, device)).toBe('signed in');
  });

  it('signs in with a code that strangers have locked', async () => {
    const { email, device } = await newOwner();
    const right = await running.askForCode(email, device);
    await guessAll(email, wrongCodes(right));
    expect(await guess(email, right, device)).toBe('signed in');
  });

  it('gives strangers no further guesses at a locked address by requesting another code', async () => {
    const { email, device } = await newOwner();
    await guessAll(email, wrongCodes(await running.askForCode(email, device)));
    const next = await running.askForCode(email, device);
    expect(await guess(email, next)).toBe('code_locked');
    running.clock.advance(9 * 60_000);
    const last = await running.askForCode(email, device);
    running.clock.advance(6 * 60_000);
    // The lock is over; strangers may guess at this code five times.
    expect(await guessAll(email, wrongCodes(last))).toEqual(Array(5).fill('invalid_code'));
    expect(await guess(email, last)).toBe('code_locked');
  });

  it('has five wrong guesses of its own, even in parallel, which lock no one else out', async () => {
    const { email, device } = await newOwner();
    const right = await running.askForCode(email, device);
    const guesses = Array.from({ length: 20 }, () => guess(email, wrongCodes(right)[0] ?? '', device));
    const answers = await Promise.all(guesses);
    expect(answers.filter((answer) => answer === 'invalid_code')).toHaveLength(5);
    expect(answers.filter((answer) => answer === 'code_locked')).toHaveLength(15);
    expect(await guess(email, right, device)).toBe('code_locked');
    expect(await guess(email, right)).toBe('signed in');
  });

  it('shares the five guesses at a code with all other known browsers', async () => {
    const { email, device } = await newOwner();
    const other = await signIn(email, device);
    const right = await running.askForCode(email, device);
    const [first = '', ...others] = wrongCodes(right);
    expect(await guess(email, first, other)).toBe('invalid_code');
    expect(await guessAll(email, others, device)).toEqual(Array(4).fill('invalid_code'));
    expect(await guess(email, right, other)).toBe('code_locked');
    expect(await guess(email, await running.askForCode(email, device), other)).toBe('signed in');
  });

  it('has three codes an hour and ten a day; all browsers of an address share twenty', async () => {
    const { email, device } = await newOwner();
    const others = [await signIn(email, device), await signIn(email, device)];
    // The two sign-ins of the first one used two codes.
    expect([await ask(email, device), await ask(email, device)]).toEqual(['sent', 'signup_rate_limited']);
    running.clock.advance(24 * HOUR_MS);
    const sentOf = new Map<KnownDevice, number>();
    for (let hour = 0; hour < 5; hour += 1) {
      for (const one of [device, ...others])
        while ((await ask(email, one)) === 'sent') sentOf.set(one, (sentOf.get(one) ?? 0) + 1);
      running.clock.advance(HOUR_MS);
    }
    const sent = [...sentOf.values()];
    expect(Math.max(...sent)).toBeLessThanOrEqual(10);
    expect(sent.reduce((sum, one) => sum + one)).toBe(20);
    expect(await ask(email)).toBe('sent');
  });
});

describe('a new browser during an attack', () => {
  const waitFor = (email: string) =>
    running.call(identity.requestCode, { email, clientAddress: elsewhere() }, testContext()).then(
      () => 'sent',
      ({ code, data }) => `${code} ${data.retryAfterSeconds}`,
    );

  it('gets the longer wait of lock and used-up codes, and then a code', async () => {
    const email = `${randomUUID()}@example.com`;
    await guessAll(email, wrongCodes(await running.askForCode(email)));
    expect(await waitFor(email)).toBe('code_locked 900');
    // The rejected request did not count: two more of this hour are left.
    running.clock.advance(15 * 60_000);
    expect(await waitFor(email)).toBe('sent');
    await guessAll(email, wrongCodes(await running.askForCode(email)));
    expect(await waitFor(email)).toBe(`signup_rate_limited ${45 * 60}`);
    running.clock.advance(45 * 60_000);
    expect(await waitFor(email)).toBe('sent');
  });
});

describe('an invalid proof', () => {
  it('of another address, forged or cut, counts like no proof and gets the same answers', async () => {
    const { email, device } = await newOwner();
    const stranger = await newOwner();
    const forged = { ...device, digest: digestSecret(createSessionToken()) };
    const changed = {
      ...device,
      proof: `${device.proof.slice(0, -1)}${device.proof.endsWith('A') ? 'B' : 'A'}`,
    };
    await flood(email);
    const right = await running.askForCode(email, device);
    for (const one of [stranger.device, forged, changed])
      expect(await ask(email, one)).toBe('signup_rate_limited');
    await guessAll(email, wrongCodes(right));
    for (const one of [stranger.device, forged, changed]) {
      expect(await guess(email, wrongCodes(right)[0] ?? '', one)).toBe('invalid_code');
      expect(await guess(email, right, one)).toBe('code_locked');
    }
    expect(await guess(email, right, device)).toBe('signed in');
  });

  it('is one older than a year', async () => {
    const { email, device } = await newOwner();
    running.clock.advance(365 * 24 * HOUR_MS);
    const right = await running.askForCode(email, device);
    await guessAll(email, wrongCodes(right));
    expect(await guess(email, right, device)).toBe('code_locked');
  });
});
