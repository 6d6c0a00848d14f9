/** What all rooms of a service stand on. */
const ground = '(config|deps|surface)[.]ts|domain|store|upstream';
/** Rooms of services, lowest first, each with the earlier ones that it may import, by their door (index.ts). */
const rooms = {
  'transcript-fetcher': {
    [ground]: [],
    tracks: [],
    credits: [],
    fetches: ['tracks', 'credits'],
    reads: ['tracks', 'credits', 'fetches'],
    library: ['tracks', 'reads'],
    batches: ['tracks', 'credits', 'fetches', 'reads', 'library'],
    health: [],
  },
  identity: {
    [ground]: [],
    keys: [],
    mails: [],
    'sign-in': ['keys', 'mails'],
    apps: ['keys', 'mails', 'sign-in'],
    people: ['keys', 'sign-in', 'apps'],
    accounts: ['keys', 'mails', 'sign-in', 'apps'],
  },
  gateway: {
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
    'routes/status': ['wire', 'status', 'routes/serve'],
    assistant: [
      'redis',
      'wire',
      'principals',
      'routes/serve',
      'routes/transcripts',
      'routes/jobs',
      'routes/account',
    ],
    front: [
      ...['wire', 'admission', 'cache', 'principals', 'reports', 'oauth', 'pages', 'assistant'],
      ...['routes/serve', 'routes/transcripts', 'routes/jobs', 'routes/account', 'routes/status'],
    ],
  },
};

const wallOf = (service, room, doors, tests) => ({
  name: `${service}-${room === ground ? 'ground' : room}-imports-lower-rooms-by-their-doors`,
  severity: 'error',
  from: { path: `^services/${service}/src/(${room})(/|$)`, pathNot: tests },
  to: {
    path: `^services/${service}/src/`,
    pathNot: `^services/${service}/src/(${[room, ground, ...doors].join('|')})(/|$)`,
  },
});

/** A rule for each room. One that names a later room allows nothing of it, so imports go one way. */
export const wallsOf = (tests) =>
  Object.entries(rooms).flatMap(([service, lines]) =>
    Object.entries(lines).map(([room, below], line) => {
      const lower = Object.keys(lines).slice(0, line);
      const doors = below.filter((name) => lower.includes(name)).map((name) => `${name}/index[.]ts`);
      return wallOf(service, room, doors, tests);
    }),
  );
