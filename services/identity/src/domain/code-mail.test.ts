import { describe, expect, it } from '@jest/globals';
import { codeMail } from './mails.ts';

describe('codeMail', () => {
  const mail = codeMail('012345');

  it('has the code on a line of its own and no other number of six digits', () => {
    expect(mail.text.split('\n')).toContain('012345');
    expect(mail.text.match(/\b\d{6}\b/g)).toEqual(['012345']);
    expect(mail.html.match(/\b\d{6}\b/g)).toEqual(['012345']);
  });

  it('does not have the code in the subject', () => {
    expect(mail.subject).not.toMatch(/\d/);
  });
});
