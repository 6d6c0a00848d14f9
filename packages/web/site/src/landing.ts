import { CREDIT_BLOCKS, FREE_CREDITS_PER_MONTH, tierLimits } from '@tds/contracts';
import { recordedExamples, routes } from '@tds/http-api';
import escapeHtml from 'escape-html';
import { exampleVideo, firstRequest, type Installation, number } from './facts.ts';
import { codeHtml } from './markdown.ts';
import { createPage, type SitePage } from './page.ts';

const TITLE = 'Transcript Delivery Service';
const LEAD = 'Transcripts of videos with one request. Cached ones are free.';

type Recorded = {
  readonly video: { readonly id: string; readonly duration: number };
  readonly language: { readonly delivered: string; readonly kind: string };
  readonly cues: readonly object[];
};

const inOneLine = (value: object): string => JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');

/** The recorded answer of the request, without what is the same in every answer. */
const answer = (publicUrl: string): string => {
  const { language, video, cues } = recordedExamples.JsonTranscript as Recorded;
  return `{
  "ok": true,
  "video": ${inOneLine({ id: exampleVideo(publicUrl), duration: video.duration })},
  "language": ${inOneLine({ delivered: language.delivered, kind: language.kind })},
  "cues": [
${cues.map((cue) => `    ${inOneLine(cue)}`).join(',\n')}
  ]
}`;
};

const jsonRequest = (publicUrl: string): string =>
  `curl -i -H "Authorization: Bearer $TRANSCRIPTS_API_KEY" \\
  "${publicUrl}${routes.getTranscript.path}?video_id=${exampleVideo(publicUrl)}&format=json"`;

const steps = (publicUrl: string): readonly (readonly [string, string, string])[] => [
  [
    '1',
    'Get a key',
    `<a href="/signin">Sign in</a> with your email address. The page shows the key once; put it into <code>TRANSCRIPTS_API_KEY</code>.`,
  ],
  [
    '2',
    'Send the request',
    `Copy it as it stands. It reads <code>${exampleVideo(publicUrl)}</code> and costs 1 credit, or 0 if it is cached.`,
  ],
  ['3', 'Send it again', 'The transcript is cached now: the header <code>X-Credits-Charged</code> says 0.'],
];

const features: readonly (readonly [string, string, string, string])[] = [
  [
    '/docs/jobs',
    'Whole channels',
    `A job fetches up to ${number(tierLimits.paid.videosPerJob)} videos and answers one archive.`,
    '1 credit a new video',
  ],
  [
    '/docs/monitors',
    'New videos',
    'A monitor watches a channel or a playlist and calls your webhook.',
    '0 credits',
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
    'For agents',
    'Ten tools over the Model Context Protocol, pages in Markdown, and keys that stop at a daily cap.',
    'you set the cap',
  ],
  [
    '/reference',
    'A complete reference',
    'Each operation with samples in curl, TypeScript and Python.',
    'read it',
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
${answer(publicUrl)}
\`\`\`

As subtitles:

\`\`\`sh
${firstRequest(publicUrl)}
\`\`\`

${features.map(([href, title, text, price]) => `- [${title}](${href}): ${text} (${price})`).join('\n')}

Each account has ${number(FREE_CREDITS_PER_MONTH)} free credits a month. Blocks of ${CREDIT_BLOCKS.map(number).join(', ')} credits are sold: [buy credits](/buy).
`;

/** The page at /. */
export const landingPage = ({ publicUrl }: Installation): SitePage =>
  createPage({
    path: '/',
    title: TITLE,
    description: LEAD,
    markdown: markdown(publicUrl),
    kind: 'landing',
    body: `<section class="hero"><div><h1>Transcripts of videos, with one request</h1>
<p class="lead">A transcript that is cached costs nothing. A new one costs 1 credit, and a failure costs 0.</p>
<p class="actions"><a class="button first" href="/signin" data-get-key>Get a key</a><a class="button" href="/docs/curl">Quick start</a></p>
<p class="soft">${number(FREE_CREDITS_PER_MONTH)} free credits each month. No card.</p></div>
<div class="try">${codeHtml(jsonRequest(publicUrl), 'curl')}
${codeHtml(`HTTP/1.1 200 OK\nX-Cache: MISS\nX-Credits-Charged: 1\n\n${answer(publicUrl)}`, 'The answer, shortened')}</div></section>
<section><h2>Three steps</h2><ol class="steps">${steps(publicUrl)
      .map(([, title, text]) => `<li><h3>${title}</h3><p>${text}</p></li>`)
      .join('')}</ol>
<p>The same in <a href="/docs/typescript">TypeScript</a> and <a href="/docs/python">Python</a>.</p></section>
<section><h2>What else it does</h2><ul class="features">${features.map(featureHtml).join('')}</ul></section>
<section class="split"><div><h2>What it costs</h2><p>${number(FREE_CREDITS_PER_MONTH)} credits each month are free. After that you buy blocks, which do not end.</p>
<p class="actions"><a class="button" href="/docs/credits">Prices and limits</a><a class="button" href="/buy">Buy credits</a></p></div>
<dl class="figures"><div><dt>A cached transcript</dt><dd>0</dd></div><div><dt>A new transcript</dt><dd>1</dd></div><div><dt>A failure</dt><dd>0</dd></div></dl></section>`,
  });
