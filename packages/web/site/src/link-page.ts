import type { LanguageDelivery, VideoDetails } from '@tds/contracts';
import escapeHtml from 'escape-html';
import { assets } from './assets.ts';
import { SERVICE_NAME } from './layout.ts';

type LinkPage = {
  readonly video: VideoDetails;
  /** The address of the video. */
  readonly source: string;
  readonly language: LanguageDelivery;
  /** The HTML of its text, with the quote marked. */
  readonly text: string;
  /** For previews in chats. */
  readonly sentence: string;
  readonly isQuote: boolean;
  readonly accountName: string | null;
  readonly endsAt: string;
  readonly supportEmail: string;
};

const DAY_LENGTH = 'YYYY-MM-DD'.length;
const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** In English, if the tag has a name there. */
const nameLanguage = (tag: string): string => {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
};

const nameRequested = (requested: string): string =>
  requested
    .split(',')
    .map((tag) => (tag === 'orig' ? 'the spoken language' : nameLanguage(tag)))
    .join(' or ');

/** Which language it is in, how that came about, and what was asked for if it is another one. */
const languageSentence = ({ requested, delivered, kind, fallback, translation }: LanguageDelivery): string => {
  const how =
    translation === 'served' ? ', translated by machine' : kind === 'asr' ? ', recognised speech' : '';
  const asked = fallback ? `; ${nameRequested(requested)} was asked for` : '';
  return `${nameLanguage(delivered)}${how}${asked}`;
};

/** A page without scripts for who has a link, and not for search engines. */
const document = (title: string, head: readonly string[], body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="robots" content="noindex">
${head.join('\n')}
<link rel="stylesheet" href="${assets.style.path}">
<link rel="icon" href="${assets.icon.path}"></head>
<body class="handed">
${body}
</body></html>
`;

const preview = (name: string, content: string): string =>
  `<meta property="og:${name}" content="${escapeHtml(content)}">`;

/** Each fact has a direction of its own, so that no title turns a date around. */
const fact = (text: string): string => `<bdi>${escapeHtml(text)}</bdi>`;

/** A transcript, or a quote of it, as its readers see it. All that is not ours is escaped. */
export const linkPageHtml = (page: LinkPage): string => {
  const { video, source, language, text, sentence, isQuote, accountName, endsAt, supportEmail } = page;
  const title = video.title ?? video.id;
  const description = isQuote ? `“${sentence}”` : sentence;
  const facts = [video.channel_title, video.published_at, languageSentence(language)].flatMap((one) =>
    one === null ? [] : [fact(one)],
  );
  const by = accountName === null ? 'Handed on' : `Handed on by ${fact(accountName)}`;
  const head = [
    `<meta name="description" content="${escapeHtml(description)}">`,
    preview('title', title),
    preview('description', description),
    preview('type', 'article'),
    preview('site_name', SERVICE_NAME),
    '<meta name="twitter:card" content="summary">',
  ];
  return document(
    title,
    head,
    `<main id="main">
<header><h1 dir="auto">${escapeHtml(title)}</h1>
<p class="soft">${facts.join(' · ')} · <a href="${source}" rel="noreferrer">${escapeHtml(source)}</a></p>
<p class="soft">${by} with <a href="/">${SERVICE_NAME}</a>. This page ends on <time datetime="${endsAt}">${endsAt.slice(0, DAY_LENGTH)}</time>.${isQuote ? ' <a href="#quote">To the quote</a>' : ''}</p></header>
<article lang="${escapeHtml(language.delivered)}" aria-label="Transcript">
${text}
</article>
<footer class="soft"><p>These are the captions of the video; who handed them on has not written them. <a href="mailto:${escapeHtml(supportEmail)}">Report this page</a></p></footer>
</main>`,
  );
};

/** Unknown, over, taken back, of a frozen or closed account: a reader is told no difference. */
export const missingLinkHtml = (): string => {
  const title = 'This link leads nowhere';
  return document(
    title,
    [],
    `<main id="main"><h1>${title}</h1><p>It has ended, was taken back, or its address is mistyped. Ask who handed it on for another one.</p></main>`,
  );
};
