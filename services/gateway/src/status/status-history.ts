import type { Incident, StatusDay, StatusHistory } from '@tds/contracts';
import escapeHtml from 'escape-html';
import { dayWords, impairmentWords } from './status-words.ts';

const BAR_WIDTH = 8;
const BAR_EVERY = 10;
const HEIGHT = 40;
const MINUTE_MS = 60_000;
const MINUTES_OF_HOUR = 60;

const minutesText = (minutes: number): string => {
  if (minutes < 2 * MINUTES_OF_HOUR) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return `${Math.round((10 * minutes) / MINUTES_OF_HOUR) / 10} hours`;
};

const titleOf = ({ day, state, impairedMinutes }: StatusDay): string => {
  const trouble = impairedMinutes === 0 ? '' : ` (${minutesText(impairedMinutes)})`;
  return `${day}: ${dayWords[state]}${trouble}`;
};

const bar = (day: StatusDay, index: number): string =>
  `<rect class="${day.state}" x="${index * BAR_EVERY}" width="${BAR_WIDTH}" height="${HEIGHT}"><title>${titleOf(day)}</title></rect>`;

const counted = (days: readonly StatusDay[], state: StatusDay['state']): number =>
  days.filter((day) => day.state === state).length;

/** One bar a day; what their colours say stands below in words. */
const bars = (days: readonly StatusDay[]): string => {
  const [good, impaired, outages] = (['operational', 'impaired', 'outage'] as const).map((state) =>
    counted(days, state),
  );
  return `<svg role="img" aria-label="One bar for each of the last ${days.length} days" viewBox="0 0 ${days.length * BAR_EVERY} ${HEIGHT}" preserveAspectRatio="none">
${days.map(bar).join('')}</svg>
<p class="scale"><span>${days.length} days ago</span><span>today</span></p>
<p class="legend"><span class="operational">no trouble: ${good}</span> <span class="impaired">impaired: ${impaired}</span>
<span class="outage">outage: ${outages}</span> <span class="unknown">not observed: ${counted(days, 'unknown')}</span></p>`;
};

const DAY_LENGTH = 'YYYY-MM-DD'.length;
const TIME_LENGTH = 'YYYY-MM-DDTHH:MM'.length;

/** Without its day where that is the same as before. */
const shownTime = (at: string, before = ''): string => {
  const from = at.slice(0, DAY_LENGTH) === before.slice(0, DAY_LENGTH) ? DAY_LENGTH + 1 : 0;
  return `<time datetime="${at}">${at.slice(from, TIME_LENGTH).replace('T', ' ')}</time>`;
};

const lasted = ({ beganAt, endedAt }: Incident): string =>
  endedAt === null
    ? 'not over yet'
    : `until ${shownTime(endedAt, beganAt)}, ${minutesText(Math.max(1, Math.ceil((Date.parse(endedAt) - Date.parse(beganAt)) / MINUTE_MS)))}`;

const incident = (one: Incident): string =>
  `<li class="${one.endedAt === null ? 'open' : 'over'}"><b>${shownTime(one.beganAt)}</b> ${lasted(one)}<br>
${escapeHtml(one.impaired.map((what) => impairmentWords[what]).join('; '))}</li>`;

/** The last ninety days, and their incidents. */
export const historyHtml = (history: StatusHistory | null): string =>
  history === null
    ? '<h2>Ninety days</h2><p>What was before cannot be shown just now.</p>'
    : `<h2>Ninety days</h2>
${bars(history.days)}
<h2>Incidents</h2>
${history.incidents.length === 0 ? '<p>None.</p>' : `<ul class="incidents">${history.incidents.map(incident).join('\n')}</ul>`}`;
