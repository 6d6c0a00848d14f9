import { CODE_LIFE_MS } from './guess-rules.ts';
import { MINUTE_MS } from './time.ts';

const minutes = CODE_LIFE_MS / MINUTE_MS;

/**
 * The words of the mail. The code stands on a line of its own and is the only number of six digits. It is not in the
 * subject: subjects end up in the logs of mail servers and on locked screens.
 */
export const codeMail = (code: string): { subject: string; text: string; html: string } => ({
  subject: 'Your sign-in code',
  text: [
    'Your sign-in code:',
    code,
    `It is valid for ${minutes} minutes and works once. A newer code replaces it.`,
    'If you did not ask for it, ignore this mail: without the code nobody gets in. Never pass it on.',
  ].join('\n\n'),
  html: [
    '<!doctype html><html lang="en"><body style="font-family:sans-serif">',
    '<p>Your sign-in code:</p>',
    `<p style="font-size:2em;letter-spacing:.2em"><strong>${code}</strong></p>`,
    `<p>It is valid for ${minutes} minutes and works once. A newer code replaces it.</p>`,
    '<p>If you did not ask for it, ignore this mail: without the code nobody gets in. Never pass it on.</p>',
    '</body></html>',
  ].join('\n'),
});
