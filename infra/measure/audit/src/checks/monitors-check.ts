import { askAll, type BookCheck, type Breach, type Evidence, type Question } from './evidence.ts';

const LIMIT = 50;
/** Longer than a lease, and the take-over after a death. */
const OVERDUE = `interval '3 minutes'`;
/** The outbox keeps seven days. */
const YOUNG = `m.created_at > now() - interval '6 days'`;
/** As `decidePauseReason` has it. */
const GOES_ON = `NOT m.key_revoked AND NOT (m.uses_webhook AND NOT coalesce(a.has_webhook, false)) AND f.failures < 6 AND NOT m.lacks_credits
  AND m.emitted_pause IS DISTINCT FROM 'tier_limit'`;
const MONITORS = `monitors AS m JOIN feeds AS f ON f.id = m.feed_id LEFT JOIN accounts AS a ON a.id = m.account_id`;

const questions: readonly Question[] = [
  {
    service: 'monitor-scheduler',
    what: 'numbers of the new videos of a feed',
    expected: '1 to its last one, each once',
    sql: `SELECT f.id, format('%s up to %s, last %s', count(v.number), max(v.number), f.last_number) AS found
      FROM feeds AS f LEFT JOIN videos AS v ON v.feed_id = f.id AND v.number IS NOT NULL
      WHERE f.watchers > 0 GROUP BY f.id
      HAVING count(v.number) <> f.last_number OR coalesce(max(v.number), 0) <> f.last_number LIMIT ${LIMIT}`,
  },
  {
    service: 'monitor-scheduler',
    what: 'those who watch a feed',
    expected: 'its monitors',
    sql: `SELECT f.id, format('%s of %s', f.watchers, count(m.id)) AS found
      FROM feeds AS f LEFT JOIN monitors AS m ON m.feed_id = f.id
      GROUP BY f.id HAVING f.watchers <> count(m.id) LIMIT ${LIMIT}`,
  },
  {
    service: 'monitor-scheduler',
    what: 'the next look at a feed that is watched',
    expected: 'within a day, and not missed',
    sql: `SELECT id, format('due %s, held until %s', due_at, lease_until) AS found FROM feeds
      WHERE watchers > 0 AND (greatest(due_at, lease_until) < now() - ${OVERDUE} OR due_at > now() + interval '27 hours')
      LIMIT ${LIMIT}`,
  },
  {
    service: 'monitor-scheduler',
    what: 'videos that are held for a gap of a channel',
    expected: 'none where there is no gap, and none for longer than it takes to read a whole list',
    sql: `SELECT f.id, format('%s since %s, of a %s, list in %s', count(*), min(h.held_at), f.kind, f.list_in) AS found
      FROM feeds AS f JOIN held_videos AS h ON h.feed_id = f.id GROUP BY f.id
      HAVING f.kind <> 'channel' OR f.list_in IS NULL OR f.failures = 0 AND min(h.held_at) < now() - interval '2 days'
      LIMIT ${LIMIT}`,
  },
  {
    service: 'monitor-scheduler',
    what: 'the turn of a monitor that has something to tell',
    expected: 'one that was not missed',
    sql: `SELECT m.id, format('emitted %s, fetched %s of %s, due %s', m.emitted, m.fetched, f.last_number, m.due_at) AS found
      FROM ${MONITORS}
      WHERE greatest(m.due_at, m.lease_until) < now() - ${OVERDUE}
        OR ${GOES_ON} AND m.emitted < f.last_number AND m.due_at > now() + ${OVERDUE}
      LIMIT ${LIMIT}`,
  },
  {
    service: 'monitor-scheduler',
    what: 'the action of a monitor',
    expected: 'one that was not missed, and soon where it has something to fetch',
    sql: `SELECT m.id, format('fetched %s of %s, due %s', m.fetched, f.last_number, e.due_at) AS found
      FROM ${MONITORS} LEFT JOIN actions AS e ON e.id = m.id
      WHERE e.id IS NULL OR greatest(e.due_at, e.lease_until) < now() - ${OVERDUE}
        OR ${GOES_ON} AND m.auto_fetch AND m.fetched < f.last_number AND e.due_at > now() + interval '70 minutes'
      LIMIT ${LIMIT}`,
  },
  {
    service: 'bulk-orchestrator',
    what: 'automatic jobs that have the same video',
    expected: 'one of its monitor',
    sql: `SELECT j.monitor_id || ' ' || r.video_id AS id, count(*)::text AS found
      FROM jobs AS j JOIN job_rows AS r ON r.job_id = j.id WHERE j.monitor_id IS NOT NULL
      GROUP BY j.monitor_id, r.video_id HAVING count(*) > 1 LIMIT ${LIMIT}`,
  },
];

type MonitorCounts = {
  readonly id: string;
  readonly reported: number;
  readonly least: number;
  readonly most: number;
};

/** The videos that young monitors have reported and fetched: at most a batch more, whose job is being created. */
const COUNTED = `
  SELECT replace(m.id::text, '-', '') AS id, m.emitted - m.baseline AS reported,
    CASE WHEN m.auto_fetch THEN m.fetched - m.baseline ELSE 0 END AS least,
    CASE WHEN m.auto_fetch THEN coalesce(m.fetching, m.fetched) - m.baseline ELSE 0 END AS most
  FROM monitors AS m WHERE ${YOUNG}`;
const REPORTED = `
  SELECT payload ->> 'monitorId' AS id, count(*)::int AS count, count(DISTINCT v ->> 'video_id')::int AS videos
  FROM messaging.outbox, jsonb_array_elements(payload -> 'videos') AS v
  WHERE subject ~ '\\.new-videos-found\\.' GROUP BY 1`;
/** Of jobs whose rows are all there still. */
const FETCHED = `
  SELECT j.monitor_id AS id, count(r.video_id)::int AS count, bool_or(j.erased_at IS NOT NULL) AS is_erased
  FROM jobs AS j LEFT JOIN job_rows AS r ON r.job_id = j.id WHERE j.monitor_id IS NOT NULL GROUP BY 1`;

type ReportedVideos = { readonly id: string; readonly count: number; readonly videos: number };
type FetchedVideos = { readonly id: string; readonly count: number; readonly is_erased: boolean };

const REFUSED = `SELECT DISTINCT payload ->> 'monitorId' AS id FROM messaging.outbox WHERE subject ~ '\\.new-videos-refused\\.'`;

/** An event that was refused for want of a webhook is emitted again. */
const isReportedOnce = (
  monitor: MonitorCounts,
  { count, videos }: Omit<ReportedVideos, 'id'>,
  isRefused: boolean,
): boolean => (isRefused ? videos >= monitor.reported : count === monitor.reported && videos === count);

type MonitorRecords = {
  readonly reported: ReportedVideos | undefined;
  readonly fetched: FetchedVideos | undefined;
  readonly isRefused: boolean;
};

const compare = (monitor: MonitorCounts, { reported, fetched, isRefused }: MonitorRecords): Breach[] => {
  const subject = `monitor ${monitor.id}`;
  const breaches: Breach[] = [];
  const { count, videos } = reported ?? { count: 0, videos: 0 };
  if (!isReportedOnce(monitor, { count, videos }, isRefused)) {
    const what = 'new videos that a monitor has reported';
    const found = `${count}, of which ${videos} differ`;
    breaches.push({ subject, what, expected: `${monitor.reported}, each once`, found });
  }
  const fetchedCount = fetched?.count ?? 0;
  if (!fetched?.is_erased && (fetchedCount < monitor.least || fetchedCount > monitor.most)) {
    const what = 'new videos in jobs of a monitor';
    breaches.push({
      subject,
      what,
      expected: `${monitor.least} to ${monitor.most}`,
      found: String(fetchedCount),
    });
  }
  return breaches;
};

/** The monitors are read between the events that they emitted and the jobs that they created. */
const checkCounts = async ({ rows }: Evidence): Promise<Breach[]> => {
  const byId = async <Row extends { id: string }>(service: string, sql: string) =>
    new Map((await rows<Row>(service, sql)).map((row) => [row.id, row]));
  const reported = await byId<ReportedVideos>('monitor-scheduler', REPORTED);
  const monitors = await rows<MonitorCounts>('monitor-scheduler', COUNTED);
  const fetched = await byId<FetchedVideos>('bulk-orchestrator', FETCHED);
  const refused = await byId('webhook-dispatcher', REFUSED);
  return monitors.flatMap((monitor) => {
    const { id } = monitor;
    const isRefused = refused.has(id);
    return compare(monitor, { reported: reported.get(id), fetched: fetched.get(id), isRefused });
  });
};

export const monitorsCheck: BookCheck = {
  invariant: 'I11',
  promise: 'each new video of a monitor is reported once and is in one job at most, and none is forgotten',
  check: async (evidence) => [...(await askAll(evidence, questions)), ...(await checkCounts(evidence))],
};
