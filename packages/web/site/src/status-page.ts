import type { Impairment, Incident, PartState, StatusDay, StatusHistory } from '@tds/contracts';
import { routes, type StatusBody } from '@tds/http-api';
import escapeHtml from 'escape-html';
import { layout } from './layout.ts';

/** Texts of the page, in its order. */
const headlines: Readonly<Record<StatusBody['status'], string>> = {
  operational: 'Operational',
  degraded: 'New transcripts are impaired',
  down: 'The service is down',
};

const explanations: Readonly<Record<StatusBody['status'], string>> = {
  operational: 'Cached transcripts are served, and new ones are fetched.',
  degraded: 'Cached transcripts are served. New ones fail, wait, or take longer.',
  down: 'Nothing behind the API answers. A few cached transcripts may still be served.',
};

const stateWords: Readonly<Record<PartState, string>> = {
  operational: 'operational',
  degraded: 'impaired',
  down: 'down',
  unknown: 'unknown',
};

const dayWords: Readonly<Record<StatusDay['state'], string>> = {
  operational: 'no trouble',
  impaired: 'impaired',
  outage: 'outage; a tenth of what was charged is given back',
  unknown: 'not observed',
};

const impairmentWords: Readonly<Record<Impairment, string>> = {
  relay: 'the video platform could not be reached',
  strategies: 'the video platform delivered no captions',
  capacity: "the day's fetches were used up",
  free_pool: "the day's fetches of free keys were used up",
  canary: 'known videos could not be fetched',
  credits: 'credits could not be held',
  accounts: 'keys could not be checked',
};

const BAR_WIDTH = 8;
const BAR_EVERY = 10;
const HEIGHT = 40;
const MINUTE_MS = 60_000;
const MINUTES_OF_HOUR = 60;

const minutesText = (minutes: number): string => {
  if (minutes < 2 * MINUTES_OF_HOUR) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return `${Math.round((10 * minutes) / MINUTES_OF_HOUR) / 10} hours`;
};

const formatTitle = ({ day, state, impairedMinutes }: StatusDay): string => {
  const trouble = impairedMinutes === 0 ? '' : ` (${minutesText(impairedMinutes)})`;
  return `${day}: ${dayWords[state]}${trouble}`;
};

const bar = (day: StatusDay, index: number): string =>
  `<rect class="${day.state}" x="${index * BAR_EVERY}" width="${BAR_WIDTH}" height="${HEIGHT}"><title>${formatTitle(day)}</title></rect>`;

const countDays = (days: readonly StatusDay[], state: StatusDay['state']): number =>
  days.filter((day) => day.state === state).length;

/** One bar per day; the legend says in words what the colours say. */
const bars = (days: readonly StatusDay[]): string => {
  const [operational, impaired, outages] = (['operational', 'impaired', 'outage'] as const).map((state) =>
    countDays(days, state),
  );
  return `<svg class="days" role="img" aria-label="One bar for each of the last ${days.length} days" viewBox="0 0 ${days.length * BAR_EVERY} ${HEIGHT}" preserveAspectRatio="none">
${days.map(bar).join('')}</svg>
<p class="scale"><span>${days.length} days ago</span><span>today</span></p>
<p class="legend"><span class="operational">no trouble: ${operational}</span> <span class="impaired">impaired: ${impaired}</span>
<span class="outage">outage: ${outages}</span> <span class="unknown">not observed: ${countDays(days, 'unknown')}</span></p>`;
};

const DAY_LENGTH = 'YYYY-MM-DD'.length;
const MINUTES_LENGTH = 'YYYY-MM-DDTHH:MM'.length;

/** Leaves the day out if it is the same as before. */
const shownTime = (at: string, before = ''): string => {
  const from = at.slice(0, DAY_LENGTH) === before.slice(0, DAY_LENGTH) ? DAY_LENGTH + 1 : 0;
  return `<time datetime="${at}">${at.slice(from, MINUTES_LENGTH).replace('T', ' ')}</time>`;
};

const formatDuration = ({ beganAt, endedAt }: Incident): string =>
  endedAt === null
    ? 'not over yet'
    : `until ${shownTime(endedAt, beganAt)}, ${minutesText(Math.max(1, Math.ceil((Date.parse(endedAt) - Date.parse(beganAt)) / MINUTE_MS)))}`;

const incident = (one: Incident): string =>
  `<li class="${one.endedAt === null ? 'open' : 'over'}"><b>${shownTime(one.beganAt)}</b> ${formatDuration(one)}<br>
${escapeHtml(one.impaired.map((what) => impairmentWords[what]).join('; '))}</li>`;

const historyHtml = (history: StatusHistory | null): string =>
  history === null
    ? '<h2>Ninety days</h2><p>The history is not available just now.</p>'
    : `<h2>Ninety days</h2>
${bars(history.days)}
<h2>Incidents</h2>
${history.incidents.length === 0 ? '<p>None.</p>' : `<ul class="incidents">${history.incidents.map(incident).join('\n')}</ul>`}`;

const SECONDS_LENGTH = 'YYYY-MM-DDTHH:MM:SS'.length;

const row = (name: string, description: string, state: PartState): string =>
  `<tr><td>${escapeHtml(name)} <small>${escapeHtml(description)}</small></td><td class="state ${state}">${stateWords[state]}</td></tr>`;

const isImpaired = (state: PartState): boolean => state === 'degraded' || state === 'down';

/** New transcripts need every part but the translation, and one strategy of those that there are. */
const newTranscripts = (body: StatusBody): PartState => {
  const { relay, accounts, credits, capacity, canary, strategies } = body;
  if (!body.new_fetches) return 'down';
  if ([relay, accounts, credits, capacity, canary].some(({ status }) => isImpaired(status))) return 'degraded';
  const isDelivered = strategies.length === 0 || strategies.some(({ status }) => !isImpaired(status));
  return isDelivered ? relay.status : 'degraded';
};

const parts = (body: StatusBody): string =>
  [
    row('API and dashboard', 'keys and sessions are checked', body.accounts.status),
    row('Cached transcripts', 'are served', body.accounts.status),
    row('New transcripts', 'are fetched, also for jobs and monitors', newTranscripts(body)),
    row('Translations', 'by the video platform', body.translation.status),
    row('Credits', 'are reserved and charged', body.credits.status),
  ].join('\n');

const milliseconds = (bound: number | null): string =>
  bound === null ? '-' : bound < 1_000 ? `${bound} ms` : `${bound / 1_000} s`;

const latencyRow = (name: string, bounds: StatusBody['latency']['transcript_cold']): string =>
  `<tr><td>${name}</td><td class="number">${milliseconds(bounds.p50_ms)}</td><td class="number">${milliseconds(bounds.p95_ms)}</td></tr>`;

/** The status page: GET /v1/status and the history, without scripts. */
export const statusPageHtml = (body: StatusBody, history: StatusHistory | null): string => {
  const { status, latency } = body;
  return layout({
    path: '/status',
    title: 'Status',
    description: 'Whether transcripts are delivered now, and the last ninety days.',
    kind: 'prose',
    body: `<h1>Status</h1>
<div class="now ${status}"><h2>${headlines[status]}</h2><p>${explanations[status]}</p></div>
<div class="scroll" tabindex="0" role="group" aria-label="Parts"><table><tbody>${parts(body)}</tbody></table></div>
<h2>How long transcripts take</h2>
<div class="scroll" tabindex="0" role="group" aria-label="Times"><table><thead><tr><th>In the last 24 hours</th><th class="number">median</th><th class="number">p95</th></tr></thead>
<tbody>${latencyRow('Cached transcripts', latency.transcript_cache_hits)}${latencyRow('New transcripts', latency.transcript_cold)}</tbody></table></div>
${historyHtml(history)}
<p class="soft">Checked ${body.checked_at.slice(0, SECONDS_LENGTH).replace('T', ' ')} UTC (<a href="/status">check again</a>); all times are UTC. For programs:
<a href="${routes.getStatus.path}"><code>GET ${routes.getStatus.path}</code></a>. After a day with four hours without a way to fetch,
a tenth of what it cost is given back by itself.</p>`,
  });
};
