import { htmlPage } from '@tds/api-docs';
import type { Route } from '@tds/contracts';
import escapeHtml from 'escape-html';

const FIRST_REQUEST = `curl -i -H "Authorization: Bearer svc_live_..." \\
  "{origin}/v1/transcript?video_id=dQw4w9WgXcQ&format=srt&raw=1"`;

const rowOf = ({ method, path, summary }: Route): string =>
  `<tr><td><code>${method} ${escapeHtml(path)}</code></td><td>${escapeHtml(summary)}</td></tr>`;

/** What a browser is shown at / and /docs: where everything is described, and the routes at a glance. */
export const startPageHtml = (table: readonly Route[], publicUrl: string): string =>
  htmlPage(
    'API',
    `<p>Transcripts of videos, cache-first. A cache hit costs 0 credits, a delivery 1, a failure 0.</p>
<ul><li><a href="/v1/openapi.json">API description (OpenAPI 3.1)</a></li>
<li><a href="/docs/errors">Errors reference</a></li>
<li><a href="/docs/changes">Changes of the API</a></li>
<li><a href="/status">Status of the service</a></li></ul>
<pre>${escapeHtml(FIRST_REQUEST.replace('{origin}', publicUrl))}</pre>
<table><thead><tr><th>Route</th><th>What it does</th></tr></thead><tbody>
${table.map(rowOf).join('\n')}
</tbody></table>`,
  );
