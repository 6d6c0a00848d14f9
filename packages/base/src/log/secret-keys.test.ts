import { describe, expect, it } from '@jest/globals';
import { isSecretName, isSignInCode, redactText } from './redact.ts';

describe('the name of a field', () => {
  it.each([
    ...['authorization', 'Proxy-Authorization', 'cookie', 'Set-Cookie', 'set_cookie', 'passphrase', 'pepper'],
    ...['password', 'userPassword', 'new_password', 'clientSecret', 'refresh.token', 'API-Key', 'apiKey'],
    ...['private key', 'access_key', 'NKEY', 'seed', 'signature', 'accessTokens'],
  ])('%j is that of a secret, however it is written', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(['tokenCount', 'secretary', 'passwordLess', 'keyId', 'cookieless', 'compass', 'seeds', 'code'])(
    '%j is not: it is needed to find a fault',
    (name) => {
      expect(isSecretName(name)).toBe(false);
    },
  );
});

describe('a field named code', () => {
  it.each([
    ['code', '123456'],
    ['signInCode', 123_456],
    ['otp_code', 'AB12CD34'],
    ['code', '12 34 56'],
    ['login-code', 1_000],
  ])('%s holds a sign-in code: %j', (name, value) => {
    expect(isSignInCode(name, value)).toBe(true);
  });

  it.each([
    ['code', 'no_captions'],
    ['code', 'ECONNREFUSED'],
    ['code', '40001'],
    ['statusCode', 503],
    ['code', null],
    ['codec', '123456'],
    ['postcodes', '123456'],
  ])('%s holds none: %j', (name, value) => {
    expect(isSignInCode(name, value)).toBe(false);
  });
});

describe('a text', () => {
  it.each([
    ['redis://:hunter2@redis:6379', 'redis://[redacted]@redis:6379'],
    ['postgres://ledger:hun/ter2@db/ledger', 'postgres://[redacted]@db/ledger'],
    ['sent as Bearer hunter2, twice', 'sent as Bearer [redacted], twice'],
    ['{"password":"hunter2"}', '{"password":[redacted]}'],
    ['client_secret=hunter2&page=2', 'client_secret=[redacted]&page=2'],
    ['your code is 123456.', 'your code [redacted].'],
  ])('%j shows no secret, and all that stands around it', (text, shown) => {
    expect(redactText(text)).toBe(shown);
  });

  it.each(['http://localhost:8080/@handle', 'a@b', '12 tokens left', 'status code 503', 'basically fine'])(
    '%j has none and stays as it is',
    (text) => {
      expect(redactText(text)).toBe(text);
    },
  );

  it('is cut if it is too long, and says how long it was', () => {
    expect(redactText('x'.repeat(50), 10)).toBe('xxxxxxxxxx[... of 50 characters]');
    expect(redactText('x'.repeat(40_000))).toBe('[40000 characters]');
  });

  it('has no half of a character', () => {
    expect(redactText('\ud83d').isWellFormed()).toBe(true);
  });
});
