import type { ExitProblem } from '@tds/video-platform';
import { delivers, type ExitReport, type PairReport, type ProbeReport } from './report.ts';

/** TLS and signed addresses bear a little. */
const MAX_CLOCK_SECONDS = 120;

const named = (values: readonly string[]): string => [...new Set(values)].join(', ');
const listExits = (reports: readonly { readonly exit: string }[]): string =>
  named(reports.map(({ exit }) => exit));
const listStrategies = (pairs: readonly PairReport[]): string => named(pairs.map(({ strategy }) => strategy));

const problemAdvice: Readonly<Record<ExitProblem, (exits: string) => string>> = {
  password: (exits) => `The proxy of ${exits} refuses its user or password: correct PLATFORM_PROXY_URLS.`,
  proxy: (exits) =>
    `The proxy of ${exits} opens no tunnel to the platform: ask its seller, or take it out of PLATFORM_PROXY_URLS.`,
  certificate: (exits) =>
    `TLS through ${exits} is not trusted: set this machine's clock, or leave away a proxy that reads what passes.`,
  address: (exits) =>
    `This machine does not have the addresses of ${exits}: run ip route add local PREFIX dev lo, and sysctl net.ipv6.ip_nonlocal_bind=1, with the prefix of PLATFORM_SOURCE_ADDRESSES.`,
  unreachable: (exits) =>
    `The platform does not answer through ${exits}: check the network, the firewall and the address of the proxy.`,
};

const exitAdvice = (exits: readonly ExitReport[]): string[] =>
  (Object.keys(problemAdvice) as ExitProblem[]).flatMap((problem) => {
    const affected = exits.filter((exit) => exit.problem === problem);
    return affected.length === 0 ? [] : problemAdvice[problem](listExits(affected));
  });

const clockAdvice = (exits: readonly ExitReport[]): string[] => {
  const ahead = exits.flatMap(({ clockAheadSeconds }) => clockAheadSeconds ?? []);
  const [worst = 0] = ahead.toSorted((one, other) => Math.abs(other) - Math.abs(one));
  if (Math.abs(worst) <= MAX_CLOCK_SECONDS) return [];
  return [
    `This machine's clock is ${Math.abs(worst)} s ${worst > 0 ? 'ahead of' : 'behind'} the platform's: set it by NTP, or addresses count as expired.`,
  ];
};

const listOutcomes = ({ player, captions }: PairReport): string[] =>
  [player, captions].flatMap((request) => request?.outcome ?? []);

const isBlocked = ({ code }: PairReport): boolean => code === 'ip_blocked' || code === 'rate_limited';

const blockAdvice = (pairs: readonly PairReport[]): string[] => {
  // An exit that delivers for another client is not blocked: the client is.
  const workingExits = new Set(pairs.flatMap(({ code, exit }) => (code === null ? exit : [])));
  const blocked = pairs.filter((pair) => isBlocked(pair) && !workingExits.has(pair.exit));
  const clients = pairs.filter((pair) => isBlocked(pair) && workingExits.has(pair.exit));
  const rotating = blocked.filter(({ address }) => address === 'session');
  const fixed = blocked.filter(({ address }) => address !== 'session');
  return [
    ...(fixed.length === 0
      ? []
      : [
          `The platform blocks the address of ${listExits(fixed)}: use a residential proxy (PLATFORM_PROXY_URLS).`,
        ]),
    ...(rotating.length === 0
      ? []
      : [
          `The platform blocks the addresses of ${listExits(rotating)}: ask the seller for residential addresses, or use another one.`,
        ]),
    ...(clients.length === 0
      ? []
      : [
          `The platform refuses only ${listStrategies(clients)} through ${listExits(clients)}: ask again, and if it stays so, update the row (npm run -s probe-platform -- strategies, PLATFORM_STRATEGIES_FILE).`,
        ]),
  ];
};

const tokenAdvice = ({ pairs, tokenProvider, skipped }: ProbeReport): string[] => {
  const gated = pairs.filter(({ code }) => code === 'po_token_required');
  if (tokenProvider.state === 'silent')
    return ['The provider of tokens does not answer: start it, or correct PO_TOKEN_PROVIDER_URL.'];
  const unserved = pairs.filter(({ code, isGated, usedToken }) => code !== null && isGated && !usedToken);
  if (unserved.length > 0 && tokenProvider.state === 'answers')
    return [
      `The provider of tokens answers, but gave none for ${listStrategies(unserved)}: read its log; restart it, give it more processors, or take a version with the interface of bgutil.`,
    ];
  if (gated.length > 0 && tokenProvider.state === 'answers')
    return [
      `The provider gives no token that the platform accepts (${listStrategies(gated)}): update it, or let it ask through the exit (PO_TOKEN_PROVIDER_USES_PROXY=1).`,
    ];
  if (gated.length > 0)
    return [
      `The platform gives captions to ${listStrategies(gated)} for a token only: run a token provider (PO_TOKEN_PROVIDER_URL).`,
    ];
  return skipped.length > 0 ? [`Without a token provider ${named(skipped)} cannot be used.`] : [];
};

/** Answers in which the platform refuses the client, or says what this version cannot read. */
const CLIENT_OUTCOMES =
  /^(?:client_refused|http_status|http_not_found|html_page|no_playability_status|unknown_status|garbage|unreadable_tracks|refused_in_new_words|refused_without_words|login_required)$/;

const isRefused = (pair: PairReport): boolean =>
  listOutcomes(pair).some((outcome) => CLIENT_OUTCOMES.test(outcome));

/** Exits by which every client is refused and no list is read: not all clients age at once, and lists do not depend on them. */
const findDeadExits = ({ exits, pairs, findings }: ProbeReport): ReadonlySet<string> => {
  const isDead = ({ exit }: ExitReport): boolean => {
    const lists = findings.filter((one) => one.exit === exit);
    const exitPairs = pairs.filter((one) => one.exit === exit);
    return (
      lists.length > 0 &&
      exitPairs.every(isRefused) &&
      [...exitPairs, ...lists].every(({ code }) => code !== null)
    );
  };
  return new Set(exits.filter(isDead).map(({ exit }) => exit));
};

const deadAdvice = (dead: ReadonlySet<string>): string[] =>
  dead.size === 0
    ? []
    : [
        `Through ${named([...dead])} something else answers in the platform's place, or the platform refuses whatever comes: change the exit.`,
      ];

const BROKEN = /^(?:network|timeout|certificate|damaged_compression)$/;

const tunnelAdvice = (pairs: readonly PairReport[]): string[] => {
  const broken = pairs.filter(
    (pair) => pair.code !== null && listOutcomes(pair).some((outcome) => BROKEN.test(outcome)),
  );
  if (broken.length === 0) return [];
  return [
    `Answers through ${listExits(broken)} break off, come too late or by an untrusted certificate: ask the seller of the exit, or use another one.`,
  ];
};

const clientAdvice = (pairs: readonly PairReport[]): string[] => {
  const refused = pairs.filter(isRefused);
  if (refused.length === 0) return [];
  return [
    `The platform refuses the client of ${listStrategies(refused)}: update its row (npm run -s probe-platform -- strategies, PLATFORM_STRATEGIES_FILE).`,
  ];
};

const consentAdvice = (pairs: readonly PairReport[]): string[] => {
  const consentPairs = pairs.filter(
    (pair) => pair.code !== null && listOutcomes(pair).some((outcome) => outcome.startsWith('consent_')),
  );
  return consentPairs.length === 0
    ? []
    : [
        `The platform shows its consent page at ${listExits(consentPairs)} whatever is answered: use an exit in another country.`,
      ];
};

const OF_VIDEOS = new Set(['video_unavailable', 'no_captions', 'transcript_not_ready', 'language_unavailable']);

const videoAdvice = (report: ProbeReport): string[] => {
  const unavailable = report.pairs.filter(({ code }) => code !== null && OF_VIDEOS.has(code));
  if (unavailable.length === 0 || delivers(report)) return [];
  return [
    `The platform gives no captions of ${named(unavailable.map(({ video }) => video))}: probe with another video.`,
  ];
};

/** An exit that is blocked for videos is so for lists, too. */
const findingAdvice = ({ pairs, findings }: ProbeReport): string[] => {
  const blocked = new Set(pairs.filter(isBlocked).map(({ exit }) => exit));
  const failed = findings.filter(
    ({ code, kind, exit }) =>
      code !== null && (code !== 'ip_blocked' || (kind !== 'feed' && !blocked.has(exit))),
  );
  if (failed.length === 0) return [];
  const failures = named(failed.map(({ kind, code }) => `${kind} (${code})`));
  return [
    `Some lists cannot be read through ${listExits(failed)}: ${failures}; docs/runbooks/unreadable-entries.md says more.`,
  ];
};

/** A sentence for each thing that the report shows, what keeps most from being delivered first. */
export const adviceFor = (report: ProbeReport): readonly string[] => {
  const dead = findDeadExits(report);
  const isAlive = ({ exit }: { readonly exit: string }): boolean => !dead.has(exit);
  const pairs = report.pairs.filter(isAlive);
  const advice = [
    ...exitAdvice(report.exits),
    ...clockAdvice(report.exits),
    ...deadAdvice(dead),
    ...blockAdvice(pairs),
    ...consentAdvice(pairs),
    ...tokenAdvice(report),
    ...tunnelAdvice(pairs),
    ...clientAdvice(pairs),
    ...videoAdvice(report),
    ...findingAdvice({ ...report, findings: report.findings.filter(isAlive) }),
  ];
  if (advice.length > 0) return advice;
  if (delivers(report)) return ['Everything that was asked is delivered.'];
  return ['No captions came, for a reason that is not known: repeat it, and look at the outcomes above.'];
};
