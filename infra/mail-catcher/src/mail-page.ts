import { listPage } from '@tds/local-http';
import escapeHtml from 'escape-html';
import type { CaughtMail } from './caught-mail.ts';

const article = ({ subject, to, receivedAt, text }: CaughtMail): string => `
<article>
<h2>${escapeHtml(subject || '(no subject)')}</h2>
<p>to ${escapeHtml(to.join(', '))}, <time>${escapeHtml(receivedAt)}</time></p>
<pre>${escapeHtml(text)}</pre>
</article>`;

/** The caught mails for people: as text only, because a mail's own HTML may do anything. */
export const mailPage = (mails: readonly CaughtMail[]): string =>
  listPage('Caught mails', '', mails.map(article));
