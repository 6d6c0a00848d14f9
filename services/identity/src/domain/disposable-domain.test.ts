import { describe, expect, it } from '@jest/globals';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { isDisposableDomain } from './disposable-domain.ts';
import { domainOf, normalizeEmail } from './email-address.ts';

const listed = disposableEmailBlocklistSet();
const isRefused = (text: string) => isDisposableDomain(domainOf(normalizeEmail(text) ?? ''), listed);

describe('isDisposableDomain', () => {
  it.each(['a@mailinator.com', 'a@MAILINATOR.com', 'a@x.y.mailinator.com', 'a@ｍａｉｌｉｎａｔｏｒ．ｃｏｍ'])(
    'refuses %s',
    (email) => {
      expect(isRefused(email)).toBe(true);
    },
  );

  it.each(['a@gmail.com', 'a@maillinator-fans.example', 'a@mailinator.com.example.org', 'a@com.example'])(
    'lets %s pass',
    (email) => {
      expect(isRefused(email)).toBe(false);
    },
  );
});
