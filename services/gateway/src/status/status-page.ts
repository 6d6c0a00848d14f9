import { htmlPage } from '@tds/api-docs';
import { type PartState, routes } from '@tds/contracts';
import escapeHtml from 'escape-html';
import type { KnownStatus } from './known-status.ts';
import { type StatusBody, toStatusBody } from './status-body.ts';
import { historyHtml } from './status-history.ts';
import { explanations, headlines, stateWords } from './status-words.ts';

const REFRESH_SECONDS = 30;
const TIME_LENGTH = 'YYYY-MM-DDTHH:MM:SS'.length;

const style = `<meta http-equiv="refresh" content="${REFRESH_SECONDS}"><style>
:root{--good:#1a7f4b;--fair:#b45f06;--bad:#b3261e;--none:#8a8f98}
.now{border-left:.5rem solid;padding:.6rem 1rem;margin:1.5rem 0;background:#f6f7f9}.now h2{margin:0}.now p{margin:.2rem 0 0}
.now.operational{border-color:var(--good)}.now.degraded{border-color:var(--fair)}.now.down{border-color:var(--bad)}
small{color:#555;margin-left:.4rem}td.state{white-space:nowrap;width:6.5rem}td.state::before,.legend span::before{content:"";display:inline-block;width:.7em;height:.7em;border-radius:50%;margin-right:.45em;background:var(--none)}
td.operational::before,.legend .operational::before{background:var(--good)}
td.degraded::before,.legend .impaired::before{background:var(--fair)}td.down::before,.legend .outage::before{background:var(--bad)}
td.number{text-align:right;white-space:nowrap}th.number{text-align:right}
svg{display:block;width:100%;height:2.5rem}rect{fill:var(--none);opacity:.45}
rect.operational{fill:var(--good);opacity:1}rect.impaired{fill:var(--fair);opacity:1}rect.outage{fill:var(--bad);opacity:1}
.scale{display:flex;justify-content:space-between;margin:.2rem 0;color:#555;font-size:.85rem}.legend span{display:inline-block;margin-right:1rem}
.incidents{list-style:none;padding:0}.incidents li{border-left:.25rem solid var(--none);padding:.1rem .8rem;margin:.8rem 0}.incidents li.open{border-color:var(--fair)}
footer{color:#555;font-size:.9rem;margin-top:2rem}
</style>`;

const row = (name: string, what: string, state: PartState): string =>
  `<tr><td>${escapeHtml(name)} <small>${escapeHtml(what)}</small></td><td class="state ${state}">${stateWords[state]}</td></tr>`;

const parts = (body: StatusBody): string =>
  [
    row('Keys', 'are checked', body.accounts.status),
    row('Credits', 'are held and charged', body.credits.status),
    row('Relay', 'fetches from the video platform', body.relay.status),
    ...body.strategies.map(({ name, status }) => row(name, 'a strategy; one is enough', status)),
    row('Translation', 'by the video platform', body.translation.status),
    row('Capacity', 'of the day, for all', body.capacity.status),
    row('Canary', 'known videos, fetched twice a minute', body.canary.status),
  ].join('\n');

const milliseconds = (bound: number | null): string =>
  bound === null ? '-' : bound < 1_000 ? `${bound} ms` : `${bound / 1_000} s`;

const latencyRow = (name: string, bounds: StatusBody['latency']['transcript_cold']): string =>
  `<tr><td>${name}</td><td class="number">${milliseconds(bounds.p50_ms)}</td><td class="number">${milliseconds(bounds.p95_ms)}</td></tr>`;

/** What GET /v1/status says, and what was before: written on the server, without scripts. */
export const statusPageHtml = (known: KnownStatus): string => {
  const body = toStatusBody(known);
  const { status, latency } = body;
  return htmlPage(
    'Status',
    `<div class="now ${status}"><h2>${headlines[status]}</h2><p>${explanations[status]}</p></div>
<table><tbody>${parts(body)}</tbody></table>
<h2>How long transcripts take</h2>
<table><thead><tr><th>In the last 24 hours</th><th class="number">half below</th><th class="number">95 % below</th></tr></thead>
<tbody>${latencyRow('cached', latency.transcript_cache_hits)}${latencyRow('new', latency.transcript_cold)}</tbody></table>
${historyHtml(known.history)}
<footer><p>Looked at ${body.checked_at.slice(0, TIME_LENGTH).replace('T', ' ')} UTC; all times are UTC. For programs:
<a href="${routes.getStatus.path}"><code>GET ${routes.getStatus.path}</code></a>. After a day with four hours without a way to fetch,
a tenth of what it cost is given back by itself.</p></footer>`,
    style,
  );
};
