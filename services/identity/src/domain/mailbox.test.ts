import { describe, expect, it } from '@jest/globals';
import { countedDomainOf, freeMailboxOf, hostsOf, mailboxOf } from './email-address.ts';

describe('mailboxOf', () => {
  it.each([
    ['a@ex.com', 'a@ex.com'],
    ['a+one@ex.com', 'a@ex.com'],
    ['a+one+two@ex.com', 'a@ex.com'],
    ['a.b@ex.com', 'a.b@ex.com'],
    ['a.b+c@gmail.com', 'ab@gmail.com'],
    ['ab@googlemail.com', 'ab@gmail.com'],
    ['+tag@ex.com', '+tag@ex.com'],
    ['a-b@ex.com', 'a-b@ex.com'],
    ['base-shop@yahoo.com', 'base@yahoo.com'],
    ['base-bank+x@yahoo.co.uk', 'base@yahoo.co.uk'],
    ['base-shop@ymail.com', 'base@ymail.com'],
    ['a+1@one.ex.com', 'a@one.ex.com'],
  ])('%s is delivered to %s', (email, mailbox) => {
    expect(mailboxOf(email)).toBe(mailbox);
  });
});

describe('the mailbox of free accounts', () => {
  it.each([
    ['a+1@ex.com', 'a@ex.com'],
    ['a@one.ex.com', 'a@ex.com'],
    ['a@two.deep.ex.co.uk', 'a@ex.co.uk'],
    ['a@one.github.io', 'a@one.github.io'],
    ['a.b@googlemail.com', 'ab@gmail.com'],
  ])('of %s is %s', (email, mailbox) => {
    expect(freeMailboxOf(email)).toBe(mailbox);
  });
});

it('the hosts of one provider are the same', () => {
  expect(hostsOf('a@gmail.com')).toEqual(hostsOf('a@googlemail.com'));
  expect(hostsOf('a@one.ex.com')).toEqual(['one.ex.com']);
});

describe('the domain whose accounts are counted', () => {
  const providers = new Set(['gmail.com', 'mail.ex.com']);
  it.each([
    ['a@gmail.com', null],
    ['a@mail.ex.com', null],
    ['a@other.ex.com', 'ex.com'],
    // Whoever owns a host below a provider's name is not the provider.
    ['a@x.gmail.com', 'gmail.com'],
    ['a@one.github.io', 'one.github.io'],
  ])('of %s is %s', (email, domain) => {
    expect(countedDomainOf(email, providers)).toBe(domain);
  });
});
