import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { CLIENT_ADDRESS } from '../test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running.stop());

const newEmail = () => `${randomUUID()}@example.com`;
const wrongCodes = (right: string, count: number): string[] =>
  Array.from({ length: count + 1 }, (_, index) => String(index).padStart(6, '0'))
    .filter((code) => code !== right)
    .slice(0, count);
const answerTo = async (email: string, code: string, clientAddress = CLIENT_ADDRESS): Promise<string> =>
  running.verify(email, code, undefined, { clientAddress }).then(
    () => 'signed in',
    (error) => error.code,
  );
const guessWrong = async (email: string, right: string, times: number): Promise<string[]> => {
  const answers: string[] = [];
  for (const code of wrongCodes(right, times)) answers.push(await answerTo(email, code));
  return answers;
};

describe('guessing a code', () => {
  it('50 times in parallel evaluates five guesses and locks the address for fifteen minutes', async () => {
    const email = newEmail();
    const right = await running.askForCode(email);
    const answers = await Promise.all(wrongCodes(right, 50).map((code) => answerTo(email, code)));
    expect(answers.filter((answer) => answer === 'invalid_code')).toHaveLength(5);
    expect(answers.filter((answer) => answer === 'code_locked')).toHaveLength(45);
    await expect(running.verify(email, right)).rejects.toMatchObject({
      code: 'code_locked',
      data: { retryAfterSeconds: 900 },
    });
    const asked = running.call(identity.requestCode, { email, clientAddress: CLIENT_ADDRESS }, testContext());
    await expect(asked).rejects.toMatchObject({ code: 'code_locked' });
  });

  it('with the right code among 50 in parallel never signs in after five wrong ones were evaluated', async () => {
    const email = newEmail();
    const right = await running.askForCode(email);
    const guesses = wrongCodes(right, 49);
    guesses.splice(25, 0, right);
    const answers = await Promise.all(guesses.map((code) => answerTo(email, code)));
    const signedIn = answers.filter((answer) => answer === 'signed in').length;
    expect(signedIn).toBeLessThanOrEqual(1);
    // A sign-in clears the count, and spends the remaining code.
    const evaluated = answers.filter((answer) => answer === 'invalid_code').length;
    expect(evaluated).toBeLessThanOrEqual(signedIn === 1 ? 9 : 5);
  });

  it('is possible again after the lock, and a new code has five guesses', async () => {
    const email = newEmail();
    const right = await running.askForCode(email);
    expect(await guessWrong(email, right, 6)).toEqual([...Array(5).fill('invalid_code'), 'code_locked']);
    running.clock.advance(15 * 60_000 - 1);
    expect(await answerTo(email, right)).toBe('code_locked');
    running.clock.advance(1);
    expect(await answerTo(email, right)).toBe('code_expired');
    const next = await running.askForCode(email);
    expect(await guessWrong(email, next, 4)).toEqual(Array(4).fill('invalid_code'));
    expect(await answerTo(email, next)).toBe('signed in');
  });

  it('right at the fifth attempt signs in and leaves no lock', async () => {
    const email = newEmail();
    const right = await running.askForCode(email);
    await guessWrong(email, right, 4);
    expect(await answerTo(email, right)).toBe('signed in');
    expect(await answerTo(email, right)).toBe('code_used');
    const next = await running.askForCode(email);
    expect(await guessWrong(email, next, 4)).toEqual(Array(4).fill('invalid_code'));
  });

  it('from anywhere cannot use up the day of the owner; only the right code reveals a lock from elsewhere', async () => {
    const email = newEmail();
    let network = 0;
    for (let round = 0; round < 8; round += 1) {
      const right = await running.askForCode(email);
      const elsewhere = `198.51.${++network}.1`;
      for (const code of wrongCodes(right, 5))
        expect(await answerTo(email, code, elsewhere)).toBe('invalid_code');
      expect(await answerTo(email, '999999' === right ? '999998' : '999999')).toBe('invalid_code');
      expect(await answerTo(email, right)).toBe('code_locked');
      running.clock.advance(61 * 60_000);
    }
    expect(await answerTo(email, await running.askForCode(email))).toBe('signed in');
  });

  it('at dead codes locks no one out', async () => {
    const email = newEmail();
    await running.askForCode(email);
    running.clock.advance(11 * 60_000);
    for (let index = 1; index <= 12; index += 1) await answerTo(email, '000000', `203.0.${index}.1`);
    expect(await answerTo(email, await running.askForCode(email))).toBe('signed in');
  });

  it('locks one address only', async () => {
    const [locked, other] = [newEmail(), newEmail()];
    const [right, otherCode] = [await running.askForCode(locked), await running.askForCode(other)];
    await guessWrong(locked, right, 5);
    expect(await answerTo(other, otherCode)).toBe('signed in');
  });

  it('wrong twenty times a day stops a network for the day, even with the right code', async () => {
    const email = newEmail();
    for (let code = 1; code <= 5; code += 1) {
      // Four wrong guesses lock nothing; a new code is available every twenty minutes.
      const right = await running.askForCode(email);
      await guessWrong(email, right, 4);
      running.clock.advance(21 * 60_000);
    }
    const right = await running.askForCode(email);
    await expect(running.verify(email, right)).rejects.toMatchObject({
      code: 'verify_rate_limited',
      data: { retryAfterSeconds: (24 * 60 - 5 * 21) * 60 },
    });
    running.clock.advance(24 * 3_600_000);
    expect(await answerTo(email, await running.askForCode(email))).toBe('signed in');
  });
});
