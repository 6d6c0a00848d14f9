import { CREDIT_BLOCKS, FREE_CREDITS_PER_MONTH, tierLimits } from '@tds/contracts';
import { recordedExamples, routes } from '@tds/http-api';
import escapeHtml from 'escape-html';
import { firstRequest, type Installation, number, VIDEO } from './facts.ts';
import { codeHtml } from './markdown.ts';
import { createPage, type SitePage } from './page.ts';

const TITLE = 'Transcript Delivery Service';
const PRICED_BLOCK: (typeof CREDIT_BLOCKS)[number] = 1_000;
const READING =
  'Without a program: open a video as a text in paragraphs that begin at their second, find what was said in everything that you have received, and copy a quote with its title, date and second.';
const LEAD = 'Transcripts of videos with one request. Cached ones are free.';

const { video, language } = recordedExamples.JsonTranscript as {
  readonly video: { readonly id: string; readonly duration: number };
  readonly language: { readonly delivered: string; readonly kind: string };
};
const { passages } = recordedExamples.JobFilePassages as {
  readonly passages: readonly { readonly start: number; readonly text: string; readonly url: string }[];
};
const MAX_SHOWN = 100;

/** Whole sentences of a recorded passage. */
const firstSentences = (text: string): string => text.slice(0, text.lastIndexOf('. ', MAX_SHOWN) + 1);

const inOneLine = (value: object): string => JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');

/** The recorded answer of the request, without what is the same in every answer. */
const answer = (): string => `{
  "ok": true,
  "video": ${inOneLine({ id: VIDEO, duration: video.duration })},
  "language": ${inOneLine({ delivered: language.delivered, kind: language.kind })},
  "passages": [
${passages
  .slice(0, 1)
  .map(({ start, text, url }) => {
    const passage = { start, text: firstSentences(text), url: url.replace(video.id, VIDEO) };
    return JSON.stringify(passage, null, 2).replaceAll(/^/gm, '    ');
  })
  .join(',\n')}
  ]
}`;

const jsonRequest = (publicUrl: string): string =>
  `curl -i -H "Authorization: Bearer $TRANSCRIPTS_API_KEY" \\
  "${publicUrl}${routes.getTranscript.path}?video_id=${VIDEO}&format=json&passages=true"`;

const steps: readonly (readonly [string, string])[] = [
  [
    'Get a key',
    `<a href="/signin">Sign in</a> with your email address. The page shows the key once; put it into <code>TRANSCRIPTS_API_KEY</code>.`,
  ],
  [
    'Send the request',
    `Copy it as it stands. It reads <code>${VIDEO}</code> and costs 1 credit, or 0 if it is cached.`,
  ],
  ['Send it again', 'The transcript is cached now: the header <code>X-Credits-Charged</code> says 0.'],
];

const features: readonly (readonly [string, string, string, string])[] = [
  [
    '/docs/jobs',
    'Whole channels',
    `A job fetches up to ${number(tierLimits.paid.videosPerJob)} videos and gives you one archive.`,
    '1 credit a new video',
  ],
  [
    '/docs/monitors',
    'New videos, and words in them',
    'A monitor watches a channel or a playlist, also for words that are said there, and mails you or calls your webhook.',
    'watching is free; words need each new video, 1 credit',
  ],
  ['/docs/webhooks', 'Signed events', 'Each delivery is signed and repeated until you answer.', '0 credits'],
  [
    '/docs/retries',
    'Errors that say what to do',
    'Each code has a remedy, and says whether a retry helps.',
    '0 credits',
  ],
  [
    '/docs/assistants',
    'Your assistant',
    'Give it one address. You choose on our page what it may do and spend: no key is copied.',
    'you set the cap',
  ],
  [
    '/docs',
    'Your programs',
    'Clients for TypeScript and Python, a command line, nodes for n8n, documents for LangChain.js, and a complete reference.',
    'free',
  ],
];

const featureHtml = ([href, title, text, price]: (typeof features)[number]): string =>
  `<li><a href="${href}"><h3>${title}</h3><p>${escapeHtml(text)}</p><p class="price">${escapeHtml(price)}</p></a></li>`;

const markdown = (publicUrl: string): string => `# ${TITLE}

${LEAD}

Get a key at ${publicUrl}/signin, then:

\`\`\`sh
${jsonRequest(publicUrl)}
\`\`\`

\`\`\`json
${answer()}
\`\`\`

As subtitles:

\`\`\`sh
${firstRequest(publicUrl)}
\`\`\`

${features.map(([href, title, text, price]) => `- [${title}](${href}): ${text} (${price})`).join('\n')}

${READING}

Each account has ${number(FREE_CREDITS_PER_MONTH)} free credits a month. Blocks of ${CREDIT_BLOCKS.map(number).join(', ')} credits are sold: [buy credits](/buy).
`;

/** A moment of a video, as players show it. */
const formatMoment = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, '0')}`;

const quoteHtml = ({ start, text, url }: (typeof passages)[number]): string =>
  `<figure class="quote card"><blockquote>${escapeHtml(firstSentences(text))}</blockquote>
<figcaption>From <a href="${escapeHtml(url.replace(video.id, VIDEO))}">${formatMoment(start)} of the video</a></figcaption></figure>`;

/** The page at /. */
export const landingPage = ({ publicUrl }: Installation): SitePage =>
  createPage({ path: '/', title: TITLE, description: LEAD }, () => ({
    markdown: markdown(publicUrl),
    kind: 'landing',
    body: `<section class="hero"><div><h1>Transcripts of videos, with one request</h1>
<p class="lead">A transcript that is cached costs nothing. A new one costs 1 credit, and a failure costs 0.</p>
<p class="actions"><a class="button first" href="/signin" data-get-key>Get a key</a><a class="button" href="/dashboard/read">Read a video</a><a class="button" href="/docs/curl">Quick start</a></p>
<p class="soft">${number(FREE_CREDITS_PER_MONTH)} free credits each month. No card.</p></div>
<div class="try">${codeHtml(jsonRequest(publicUrl), 'curl')}
${codeHtml(`HTTP/1.1 200 OK\nX-Cache: MISS\nX-Credits-Charged: 1\n\n${answer()}`, 'The answer, shortened')}</div></section>
<section class="split"><div><h2>Read, search, quote</h2><p>${READING}</p>
<p class="actions"><a class="button" href="/dashboard/read">Read a video</a><a class="button" href="/docs/reading">How</a></p></div>${passages.slice(-1).map(quoteHtml).join('')}</section>
<section><h2>Three steps</h2><ol class="steps">${steps
      .map(([title, text]) => `<li><h3>${title}</h3><p>${text}</p></li>`)
      .join('')}</ol>
<p>The same in <a href="/docs/typescript">TypeScript</a> and <a href="/docs/python">Python</a>.</p></section>
<section><h2>What else it does</h2><ul class="features">${features.map(featureHtml).join('')}</ul></section>
<section class="split"><div><h2>What it costs</h2><p>${number(FREE_CREDITS_PER_MONTH)} credits each month are free. After that you buy blocks, which never expire.</p>
<p hidden>A thousand new transcripts cost <b data-price="${PRICED_BLOCK}"></b>.</p>
<p class="actions"><a class="button" href="/docs/credits">Prices and limits</a><a class="button" href="/buy">Buy credits</a></p></div>
<dl class="figures"><div><dt>A cached transcript</dt><dd>0</dd></div><div><dt>A new transcript</dt><dd>1</dd></div><div><dt>A failure</dt><dd>0</dd></div></dl></section>`,
  }));
