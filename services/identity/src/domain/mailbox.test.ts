import { describe, expect, it } from '@jest/globals';
import { mailboxOf } from './mailbox.ts';

describe('mailboxOf', () => {
  it.each([
    ['a@ex.com', 'a@ex.com'],
    ['a+one@ex.com', 'a@ex.com'],
    ['a+one+two@ex.com', 'a@ex.com'],
    ['a.b@ex.com', 'a.b@ex.com'],
    ['a.b+c@gmail.com', 'ab@gmail.com'],
    ['ab@googlemail.com', 'ab@gmail.com'],
    ['+tag@ex.com', '+tag@ex.com'],
  ])('%s is delivered to %s', (email, mailbox) => {
    expect(mailboxOf(email)).toBe(mailbox);
  });
});
