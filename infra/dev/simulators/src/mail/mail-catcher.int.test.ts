import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTransport } from 'nodemailer';
import type { CaughtMail } from './caught-mail.ts';
import { type MailCatcher, startMailCatcher } from './mail-catcher.ts';

describe('startMailCatcher', () => {
  let catcher: MailCatcher;
  beforeEach(async () => {
    catcher = await startMailCatcher();
  });
  afterEach(() => catcher.stop());

  const send = async (to: string, subject: string, text = 'Hello'): Promise<void> => {
    const transport = createTransport(catcher.smtpUrl);
    await transport.sendMail({ from: 'service@example.com', to, subject, text });
    transport.close();
  };
  const messages = async (query = ''): Promise<CaughtMail[]> => {
    const response = await fetch(`${catcher.url}/messages${query}`);
    return (await response.json()) as CaughtMail[];
  };

  it('shows a mail that was sent, with its text decoded', async () => {
    await send('you@example.com', 'Your sign-in code', 'Ihr Schlüssel: 123456');
    expect(await messages()).toEqual([
      expect.objectContaining({
        to: ['you@example.com'],
        subject: 'Your sign-in code',
        text: expect.stringContaining('Ihr Schlüssel: 123456'),
      }),
    ]);
  });

  it('lists the mails to one address, the newest first', async () => {
    await send('you@example.com', 'first');
    await send('other@example.com', 'not yours');
    await send('You@Example.com', 'second');
    const subjects = (await messages('?to=you@example.com')).map(({ subject }) => subject);
    expect(subjects).toEqual(['second', 'first']);
  });

  it('never lets a mail write into the page', async () => {
    await send('you@example.com', '<script>alert(1)</script>', '</pre><img src=x onerror=alert(1)>');
    const response = await fetch(catcher.url);
    const page = await response.text();
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toMatch(/<script|<img/);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('refuses requests under another host name', async () => {
    const status = await new Promise((resolve, reject) => {
      const call = request(`${catcher.url}/messages`, { headers: { host: 'evil.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.once('error', reject).end();
    });
    expect(status).toBe(403);
  });
});
