import { describe, expect, it } from '@jest/globals';
import { type ErrorCodeDefinition, errorClasses } from './error-classes.ts';
import { errorCodes } from './error-codes.ts';

const speaksOfWaiting = /\b(?:retry|wait|waits|later|until)\b/i;
const unclear = /\b(?:whoever|(?:no|some)body|told|tells?)\b/i;
const MAX_REMEDY_LENGTH = 120;

describe.each(Object.entries<ErrorCodeDefinition>(errorCodes))('the remedy of %s', (_code, definition) => {
  const { message, remedy, waitingHelps, retryable } = definition;

  it('is one plain sentence of an action', () => {
    expect(remedy).toMatch(/^[A-Z][^.]+(?:\.{3}[^.]+)?\.$/);
    expect(remedy.length).toBeLessThanOrEqual(MAX_REMEDY_LENGTH);
    expect(remedy).not.toMatch(unclear);
    expect(remedy).not.toBe(message);
  });

  it('speaks of waiting exactly if waiting helps', () => {
    expect(speaksOfWaiting.test(remedy)).toBe(waitingHelps);
    if (retryable) expect(waitingHelps).toBe(true);
    if (/00:00 UTC/.test(message)) expect(waitingHelps).toBe(true);
  });
});

it('a limit that only its owner can make room in is not waited for, although its answer has retry_after', () => {
  for (const code of ['key_limit', 'monitor_limit', 'new_account_purchase_limit'] as const)
    expect(errorCodes[code]).toMatchObject({ status: 429, waitingHelps: false });
});

it('every class has an exit code between 2 and 9 for the command line', () => {
  expect(
    Object.fromEntries(Object.entries(errorClasses).map(([name, { exitCode }]) => [name, exitCode])),
  ).toEqual({
    ...{ InvalidInput: 2, TurnstileFailed: 3, Forbidden: 3, AccountFrozen: 3, InsufficientCredits: 4 },
    ...{ NoCaptions: 5, Unavailable: 6, NotFound: 6, QuotaExceeded: 7 },
    ...{ IpBlocked: 8, RateLimited: 8, UpstreamError: 8, RelayUnavailable: 8, BudgetExhausted: 8 },
    ...{ PoTokenRequired: 9, ConfigurationError: 9 },
  });
});
