import { CREDIT_BLOCKS, FREE_CREDITS_PER_MONTH, type TierLimits, tierLimits } from '@tds/contracts';
import { htmlPage, type Route } from '@tds/http-api';
import escapeHtml from 'escape-html';

/** A video of the platform, and one of the simulator in a local run. */
const EXAMPLES = { platform: 'dQw4w9WgXcQ', local: 'manualEn001' };

const firstSteps = (publicUrl: string, videoId: string): string => `# 1. A code is mailed to you.
curl -X POST -H "Content-Type: application/json" -d '{"email": "you@example.com"}' \\
  "${publicUrl}/v1/auth/code"

# 2. The code opens your account. The answer holds your first key, shown this once: svc_live_...
curl -X POST -H "Content-Type: application/json" \\
  -d '{"email": "you@example.com", "code": "123456", "accept_terms": true}' \\
  "${publicUrl}/v1/auth/verify"

# 3. A transcript, as subtitles.
curl -i -H "Authorization: Bearer svc_live_..." \\
  "${publicUrl}/v1/transcript?video_id=${videoId}&format=srt&raw=1"`;

const limits: readonly (readonly [string, keyof TierLimits])[] = [
  ['Requests a minute and key', 'requestsPerMinute'],
  ['Cold transcripts a day and key', 'coldFetchesPerDay'],
  ['Cached transcripts a day and key', 'cacheReadsPerDay'],
  ['Search pages a day and key', 'searchPagesPerDay'],
  ['Videos of a job', 'videosPerJob'],
  ['Jobs at a time', 'activeJobs'],
  ['Monitors', 'monitors'],
  ['Keys', 'liveKeys'],
];
const limitRow = ([name, limit]: (typeof limits)[number]): string =>
  `<tr><td>${name}</td><td>${tierLimits.free[limit]}</td><td>${tierLimits.paid[limit]}</td></tr>`;

const routeRow = ({ method, path, summary }: Route): string =>
  `<tr><td><code>${method} ${escapeHtml(path)}</code></td><td>${escapeHtml(summary)}</td></tr>`;

const isLocal = (publicUrl: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(publicUrl).hostname);

/** The page at / and /docs: first steps, prices and limits, routes. */
export const startPageHtml = (table: readonly Route[], publicUrl: string): string =>
  htmlPage(
    'API',
    `<p>Transcripts of videos, cache-first. A cache hit costs 0 credits, a delivery 1, a failure 0.</p>
<ul><li><a href="/v1/openapi.json">API description (OpenAPI 3.1)</a></li>
<li><a href="/docs/errors">Errors reference</a></li>
<li><a href="/docs/changes">Changes of the API</a></li>
<li><a href="/status">Status of the service</a></li></ul>
<h2 id="start">First steps</h2>
<pre>${escapeHtml(firstSteps(publicUrl, isLocal(publicUrl) ? EXAMPLES.local : EXAMPLES.platform))}</pre>
<h2 id="credits">Credits and limits</h2>
<p>Every account has ${FREE_CREDITS_PER_MONTH} credits a month. <code>POST /v1/checkout</code> with
<code>{"block": ${CREDIT_BLOCKS[0]}}</code> answers the page on which a block of credits is bought
(${CREDIT_BLOCKS.join(', ')}), with its price. An account that has bought credits has the limits of the last column.</p>
<table><thead><tr><th>Limit</th><th>Free</th><th>Paid</th></tr></thead><tbody>
${limits.map(limitRow).join('\n')}
</tbody></table>
<h2 id="routes">Routes</h2>
<table><thead><tr><th>Route</th><th>What it does</th></tr></thead><tbody>
${table.map(routeRow).join('\n')}
</tbody></table>`,
  );
