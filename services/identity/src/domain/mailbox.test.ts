import { describe, expect, it } from '@jest/globals';
import { mailboxOf } from './email-address.ts';

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
    ['a@one.ex.com', 'a@ex.com'],
    ['a@two.deep.ex.co.uk', 'a@ex.co.uk'],
    ['a@one.github.io', 'a@one.github.io'],
  ])('%s is delivered to %s', (email, mailbox) => {
    expect(mailboxOf(email)).toBe(mailbox);
  });
});
