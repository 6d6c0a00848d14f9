import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { letters, plantedSecret, recognisable } from './test-support/planted-secrets.ts';
import { writeLog } from './test-support/written-line.ts';

describe('the log', () => {
  it('never writes a secret from anywhere in its fields', () => {
    fc.assert(
      fc.property(plantedSecret, fc.anything(), letters('abcxyz_', 1, 8), ({ hidden, value }, noise, name) => {
        const line = writeLog('something happened', { noise, [name]: value });
        expect(line).not.toContain(hidden);
        expect(line.trimEnd().split('\n')).toHaveLength(1);
        expect(JSON.parse(line)).toMatchObject({ level: 'info', service: 'test' });
      }),
      { numRuns: 2_000 },
    );
  });

  it('never writes a secret from the text of a message', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(recognisable, text, text, ({ hidden, value }, before, after) => {
        expect(writeLog(`${before} ${String(value)} ${after}`, {})).not.toContain(hidden);
      }),
      { numRuns: 1_000 },
    );
  });

  it('never writes a sign-in code from a field named code', () => {
    const sixDigits = fc.integer({ min: 100_000, max: 999_999 });
    const codeName = fc.constantFrom('code', 'signInCode', 'sign_in_code', 'otp_code');
    fc.assert(
      fc.property(sixDigits, fc.boolean(), codeName, (code, asText, name) => {
        const line = writeLog('x', { [name]: asText ? String(code) : code, note: `Your code is ${code}.` });
        expect(JSON.parse(line)).toMatchObject({ [name]: '[redacted]', note: 'Your code [redacted].' });
      }),
    );
  });

  it('hides a secret even if a long text is cut in its middle', () => {
    fc.assert(
      fc.property(recognisable, fc.integer({ min: 3_900, max: 4_200 }), ({ hidden, value }, position) => {
        const line = writeLog('x', {
          text: `${'word '.repeat(1_000).slice(0, position)} ${String(value)} tail`,
        });
        expect(line).not.toContain(hidden.slice(0, 8));
      }),
    );
  });

  it('keeps what is needed to find a fault: error codes, states, statuses, handles', () => {
    const fields = {
      code: 'no_captions',
      sqlState: { code: '40001' },
      network: { code: 'ECONNREFUSED' },
      status: { code: 402 },
      page: 'https://www.youtube.com/@handle/videos',
      address: 'http://localhost:8080/v1/@handle',
      file: 'node_modules/.pnpm/@opentelemetry+core@3.1.0_@opentelemetry+api@1.10.0/index.mjs',
      prefix: 'svc_live_Ab3',
      at: new Date(0),
    };
    expect(JSON.parse(writeLog('x', fields))).toMatchObject({ ...fields, at: '1970-01-01T00:00:00.000Z' });
  });

  it('keeps the type, the stack and the causes of an error', () => {
    const root = Object.assign(new RangeError('too far'), {
      code: '22003',
      detail: 'Failing row contains (hidden)',
    });
    const line = writeLog('x', { error: new Error('could not save', { cause: root }) });
    expect(JSON.parse(line).error).toMatchObject({
      type: 'Error',
      message: 'could not save',
      stack: expect.stringContaining('redact.test.ts'),
      cause: { type: 'RangeError', message: 'too far', code: '22003', stack: expect.any(String) },
    });
    expect(line).not.toContain('hidden');
  });

  it('gives each address a short mark of its own, the same each time', () => {
    const mark = (email: string) => JSON.parse(writeLog('x', { email })).email;
    expect(mark('Ann@Example.com')).toMatch(/^\[email [0-9a-f]{8}\]$/);
    expect(mark('ann@example.com')).toBe(mark('Ann@Example.com'));
    expect(mark('bob@example.com')).not.toBe(mark('ann@example.com'));
  });
});
