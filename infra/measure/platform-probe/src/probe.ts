import { ServiceError } from '@tds/errors';
import {
  checkExit,
  chooseTrack,
  createDiscovery,
  createPoTokens,
  createVideoPlatform,
  type PlatformSettings,
  type PoTokens,
  readCues,
  type Strategy,
  type VideoPlatformOptions,
} from '@tds/video-platform';
import type {
  ExitReport,
  FindingKind,
  FindingReport,
  PairReport,
  ProbeReport,
  RequestReport,
} from './report.ts';
import { classifyAddress, type ProbeSettings } from './settings.ts';

type Exit = PlatformSettings['exits'][number];
type Attempt = Parameters<NonNullable<VideoPlatformOptions['onAttempt']>>[0];
type TokenRequest = Parameters<PoTokens['tokenFor']>[0];

const ASKED_LANGUAGE = 'en';
/** Of a rotating exit one address may be down. */
const SESSIONS_TRIED = 3;

const toCode = (error: unknown): string => {
  if (error instanceof ServiceError) return error.code;
  throw error;
};

const requestIn = (attempts: readonly Attempt[], isCaptions: boolean): RequestReport | null => {
  const matching = attempts.filter(({ endpoint }) => (endpoint === 'timedtext') === isCaptions);
  const last = matching.at(-1);
  if (last === undefined) return null;
  return {
    status: last.httpStatus,
    ms: last.durationMs,
    bytes: matching.reduce((sum, { bytes }) => sum + bytes, 0),
    requests: matching.length,
    outcome: last.outcome,
    reason: last.reason,
  };
};

/** Says whether a token was asked for and given; without a provider there is none. */
const trackTokens = (tokens: PoTokens | null) => {
  const seen = { asked: false, given: false };
  const poToken = {
    async tokenFor(request: TokenRequest) {
      seen.asked = true;
      const token = (await tokens?.tokenFor(request)) ?? null;
      seen.given ||= token !== null;
      return token;
    },
    discard: (...args: Parameters<PoTokens['discard']>) => tokens?.discard(...args),
  };
  return { seen, poToken };
};

type Pair = { readonly exit: Exit; readonly strategy: Strategy; readonly video: string };
type ProbeResult = {
  readonly report: PairReport;
  readonly channelId: string | null;
  readonly title: string | null;
};

const probePair = async (
  { platform: settings }: ProbeSettings,
  tokens: PoTokens | null,
  { exit, strategy, video }: Pair,
): Promise<ProbeResult> => {
  const attempts: Attempt[] = [];
  const { seen, poToken } = trackTokens(tokens);
  const platform = createVideoPlatform({
    origin: settings.origin,
    limits: settings.limits,
    exits: [exit],
    strategies: [strategy],
    poToken,
    onAttempt: (attempt) => attempts.push(attempt),
  });
  let code: string | null = null;
  let tracks: number | null = null;
  let channelId: string | null = null;
  let title: string | null = null;
  try {
    const inspection = await platform.inspectVideo(video, { language: ASKED_LANGUAGE }, {});
    tracks = inspection.tracks.length;
    ({ channel_id: channelId, title } = inspection.video);
    const choice = chooseTrack(inspection, { language: ASKED_LANGUAGE, fallback: true });
    // A translation would say something about translations.
    await platform.fetchTrack(inspection, choice.fallbackChoice ?? choice, {}, readCues);
  } catch (error) {
    code = toCode(error);
  } finally {
    await platform.close();
  }
  const report = {
    exit: exit.name,
    address: classifyAddress(exit),
    strategy: strategy.name,
    video,
    code,
    player: requestIn(attempts, false),
    tracks,
    captions: requestIn(attempts, true),
    isGated: seen.asked && strategy.needs === 'nothing',
    usedToken: seen.given,
  };
  return { report, channelId, title };
};

const probeExit = async (origin: string, exit: Exit): Promise<ExitReport> => {
  const address = classifyAddress(exit);
  let check = await checkExit(origin, exit);
  for (let tried = 1; address === 'session' && check.problem !== null && tried < SESSIONS_TRIED; tried += 1)
    check = await checkExit(origin, exit);
  return { exit: exit.name, address, ...check };
};

/** The feed and the uploads of a channel, and a search for a title. */
const probeFindings = async (
  { platform: settings, strategies }: ProbeSettings,
  exit: Exit,
  { channelId, title }: { readonly channelId: string; readonly title: string },
): Promise<FindingReport[]> => {
  const { origin, limits } = settings;
  const discovery = createDiscovery({ origin, limits, exits: [exit], strategies });
  const feed = async () => {
    const result = await discovery.readFeed(channelId, {});
    if (result.outcome === 'failed') throw result.error;
    return result.outcome === 'read' ? result.feed.entries.length : 0;
  };
  const listing = async () => (await discovery.listPage(`UU${channelId.slice(2)}`, null, {})).items.length;
  const searchRequest = { query: title, type: 'video', channelId: null } as const;
  const search = async () => (await discovery.search(searchRequest, null, {})).items.length;
  const reports: FindingReport[] = [];
  const kinds: readonly (readonly [FindingKind, () => Promise<number>])[] = [
    ['feed', feed],
    ['listing', listing],
    ['search', search],
  ];
  try {
    for (const [kind, read] of kinds) {
      const result = await read().then(
        (items) => ({ code: null, items }),
        (error: unknown) => ({ code: toCode(error), items: 0 }),
      );
      reports.push({ exit: exit.name, kind, ...result });
    }
  } finally {
    await discovery.close();
  }
  return reports;
};

/** A channel that stands in when no video of the probe says its own. */
const DEFAULT_CHANNEL = { channelId: 'UC4QobU6STFB0P71PMvOGN5A', title: 'me at the zoo' };

/** Asks each strategy through each exit for each video; then a feed, a listing and a search through each exit. */
export const probe = async (settings: ProbeSettings, videos: readonly string[]): Promise<ProbeReport> => {
  const { platform, strategies, poTokens } = settings;
  const { origin, exits } = platform;
  const tokens = poTokens === null ? null : createPoTokens({ ...poTokens, exits });
  try {
    const version = tokens === null ? null : await tokens.ping();
    const checked = await Promise.all(exits.map((exit) => probeExit(origin, exit)));
    const open = exits.filter(({ name }) => checked.find(({ exit }) => exit === name)?.problem === null);
    const usable = strategies.filter(({ needs }) => needs === 'nothing' || tokens !== null);
    const results: ProbeResult[] = [];
    const findings: FindingReport[] = [];
    // One at a time: several at once would look like what the platform blocks.
    for (const exit of open) {
      for (const video of videos)
        for (const strategy of usable)
          results.push(await probePair(settings, tokens, { exit, strategy, video }));
      const identified = results.find(({ channelId, title }) => channelId !== null && title !== null);
      const target = {
        channelId: identified?.channelId ?? DEFAULT_CHANNEL.channelId,
        title: identified?.title ?? DEFAULT_CHANNEL.title,
      };
      findings.push(...(await probeFindings(settings, exit, target)));
    }
    return {
      origin,
      exits: checked,
      pairs: results.map(({ report }) => report),
      findings,
      skipped: strategies.filter((row) => !usable.includes(row)).map(({ name }) => name),
      tokenProvider: {
        state: tokens === null ? 'none' : version === null ? 'silent' : 'answers',
        version,
      },
    };
  } finally {
    await tokens?.close();
  }
};
