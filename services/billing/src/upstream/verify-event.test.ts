import { describe, expect, it } from '@jest/globals';
import { secret } from '@tds/base';
import { signatureOf } from '@tds/simulators/payment';
import { codeOf } from '@tds/test-kit';
import { verifyEvent } from './verify-event.ts';

const NOW = new Date('2026-01-15T12:00:00.000Z');
const SECONDS = NOW.getTime() / 1_000;
const [NEW, OLD] = ['whsec_new_0123456789', 'whsec_old_0123456789'];
const config = { webhookSecrets: [NEW, OLD].map((text) => secret().parse(text)), isLive: false };

const event = { id: 'evt_1', type: 'a.b', livemode: false, created: SECONDS, data: { object: { id: 'x' } } };
const toBody = (changed: object = {}) => JSON.stringify({ ...event, ...changed });

/** The result, and whether the clock was read. */
const verify = async (body: string, signature: string, settings = config) => {
  let looks = 0;
  const now = async () => {
    looks += 1;
    return NOW;
  };
  const code = await codeOf(verifyEvent(settings, { body, signature }, now));
  return { code, looks };
};
const signed = (body: string, { by = NEW, at = SECONDS } = {}) => signatureOf(body, by, at);

describe('a signed event', () => {
  it.each([NEW, OLD])('is accepted with any of the secrets: %s', async (by) => {
    const body = toBody();
    expect(await verifyEvent(config, { body, signature: signed(body, { by }) }, async () => NOW)).toEqual(
      event,
    );
  });

  it.each<[number, string]>([
    [0, 'answered'],
    [-300, 'answered'],
    [300, 'answered'],
    [-301, 'payment_event_invalid'],
    [301, 'payment_event_invalid'],
    [-86_400, 'payment_event_invalid'],
  ])('of %d seconds from the time of the database is %s', async (away, code) => {
    const body = toBody();
    expect((await verify(body, signed(body, { at: SECONDS + away }))).code).toBe(code);
  });

  it.each<[string, object]>([
    ['of live mode', { livemode: true }],
    ['without an id', { id: '' }],
    ['with a NUL in its id', { id: 'evt_\u0000' }],
    ['with half a character in its id', { id: 'evt_\ud800' }],
    ['with a name of 256 characters', { id: 'e'.repeat(256) }],
    ['with a line break in its kind', { type: 'a\nb' }],
    ['of a time after the year 2100', { created: 5_000_000_000 }],
    ['of a time that is no whole second', { created: SECONDS + 0.5 }],
    ['of a time before all others', { created: -1 }],
    ['without an object', { data: {} }],
  ])('%s is rejected', async (_what, changed) => {
    const body = toBody(changed);
    expect((await verify(body, signed(body))).code).toBe('payment_event_invalid');
  });

  it.each(['{', '', 'null', '[]', '"evt_1"'])('with the body %j is rejected', async (body) => {
    expect((await verify(body, signed(body))).code).toBe('payment_event_invalid');
  });
});

describe('an unsigned event', () => {
  const body = toBody();
  it.each<[string, string]>([
    ['no signature', ''],
    ['a signature of another secret', signed(body, { by: 'whsec_else_0123456789' })],
    ['a signature of another body', signed(toBody({ id: 'evt_2' }))],
    ['a time without a signature', `t=${SECONDS}`],
    ['a signature without a time', `v1=${'0'.repeat(64)}`],
    ['two times', `${signed(body)},t=${SECONDS}`],
    ['a signature of an old kind', signed(body).replace('v1=', 'v0=')],
    ['a time that was changed', signed(body).replace(String(SECONDS), String(SECONDS + 1))],
  ])('with %s is rejected without a query of the database', async (_what, signature) => {
    expect(await verify(body, signature)).toEqual({ code: 'payment_event_invalid', looks: 0 });
  });
});

it('an event of live mode is accepted in live mode only', async () => {
  const live = { ...config, isLive: true };
  for (const [livemode, code] of [
    [true, 'answered'],
    [false, 'payment_event_invalid'],
  ] as const) {
    const body = toBody({ livemode });
    expect((await verify(body, signed(body), live)).code).toBe(code);
  }
});
