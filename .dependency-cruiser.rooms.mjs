/**
 * Rooms of large houses, lowest first, each with the earlier ones that it may import, by their door (index.ts). All stand on the first,
 * which has no door.
 */
export const houses = {
  'packages/contracts': {
    '(?!index[.])[a-z-]+[.]ts|contract': [],
    search: [],
    'credits-ledger': [],
    billing: ['credits-ledger'],
    'transcript-fetcher': [],
    'webhook-dispatcher': [],
    'monitor-scheduler': ['search', 'webhook-dispatcher'],
    'bulk-orchestrator': ['search', 'webhook-dispatcher'],
    identity: ['billing', 'webhook-dispatcher'],
    archiver: [],
    status: [],
    gateway: [],
  },
  'packages/http-api': {
    '(?!index[.])[a-z-]+[.]ts': [],
    fields: [],
    routes: [],
    openapi: ['routes'],
  },
  'packages/video-platform': {
    '(budget|metrics|recent-outcomes|types)[.]ts|config|errors': [],
    transport: [],
    tracks: [],
    classification: ['transport'],
    health: ['classification'],
    reading: ['classification'],
    tokens: ['transport', 'classification', 'health', 'reading'],
    timedtext: ['classification', 'reading'],
    player: ['tracks', 'classification', 'reading'],
    serving: ['transport', 'tracks', 'classification', 'health', 'reading', 'timedtext', 'player'],
    discovery: ['transport', 'classification', 'health', 'reading', 'serving'],
    settings: ['transport'],
  },
  'packages/web/dashboard': {
    '(?!main|shell|build)[a-z-]+[.]tsx?': [],
    api: [],
    parts: ['api'],
    plots: ['parts'],
    read: ['parts'],
    pages: ['api', 'parts', 'plots', 'read'],
  },
  'services/transcript-fetcher': {
    '(config|deps|surface)[.]ts|domain|store': [],
    tracks: [],
    credits: [],
    fetches: ['tracks', 'credits'],
    reads: ['tracks', 'credits', 'fetches'],
    library: ['tracks', 'reads'],
    batches: ['tracks', 'credits', 'fetches', 'reads', 'library'],
    health: [],
  },
  'services/identity': {
    '(config|deps|surface)[.]ts|domain|store|upstream': [],
    keys: [],
    mails: [],
    'sign-in': ['keys', 'mails'],
    apps: ['keys', 'mails', 'sign-in'],
    people: ['keys', 'sign-in', 'apps'],
    accounts: ['keys', 'mails', 'sign-in', 'apps'],
  },
  'services/gateway': {
    '(config|surface)[.]ts|domain': [],
    redis: [],
    wire: [],
    admission: ['redis'],
    cache: ['redis'],
    principals: ['redis', 'wire', 'admission', 'cache'],
    reports: ['redis', 'wire', 'cache'],
    refunds: ['redis'],
    streams: ['redis'],
    status: ['reports'],
    oauth: ['redis', 'wire', 'admission'],
    pages: ['wire', 'status', 'oauth'],
    'routes/serve': ['redis', 'wire', 'admission', 'cache', 'reports', 'refunds', 'streams', 'status', 'oauth'],
    'routes/transcripts': ['wire', 'cache', 'principals', 'refunds', 'routes/serve'],
    'routes/jobs': ['wire', 'streams', 'routes/serve', 'routes/transcripts'],
    'routes/account': ['wire', 'pages', 'routes/serve'],
    'routes/links': ['wire', 'pages', 'routes/serve'],
    'routes/status': ['wire', 'status', 'routes/serve'],
    assistant: [
      'redis',
      'wire',
      'principals',
      'routes/serve',
      'routes/transcripts',
      'routes/jobs',
      'routes/account',
      'routes/links',
    ],
    front: [
      ...['wire', 'admission', 'cache', 'principals', 'reports', 'oauth', 'pages', 'assistant'],
      ...[
        'routes/serve',
        'routes/transcripts',
        'routes/jobs',
        'routes/account',
        'routes/links',
        'routes/status',
      ],
    ],
  },
};

/** Of a house where a page names each part that it shows, a door would be a list of all files. */
const withoutDoors = new Set(['packages/web/dashboard']);

const wallOf = (house, ground, room, doors, tests) => ({
  name: `${house}-${room === ground ? 'ground' : room}-imports-lower-rooms-by-their-doors`,
  severity: 'error',
  from: { path: `^${house}/src/(${room})(/|$)`, pathNot: tests },
  to: {
    path: `^${house}/src/`,
    pathNot: `^${house}/src/(${[room, ground, ...doors].join('|')})(/|$)`,
  },
});

/** A rule for each room. One that names a later room allows nothing of it, so imports go one way. */
export const wallsOf = (tests) =>
  Object.entries(houses).flatMap(([house, rooms]) => {
    const [ground] = Object.keys(rooms);
    return Object.entries(rooms).map(([room, below], line) => {
      const lower = Object.keys(rooms).slice(0, line);
      const doors = below
        .filter((name) => lower.includes(name))
        .map((name) => (withoutDoors.has(house) ? name : `${name}/index[.]ts`));
      return wallOf(house, ground, room, doors, tests);
    });
  });
