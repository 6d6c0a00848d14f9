/** Rooms of services, lowest first, each with the earlier ones that it may import, by their door (index.ts). All may import the ground. */
const rooms = {
  'transcript-fetcher': {
    credits: [],
    health: [],
  },
};
const ground = '(config|deps|surface)[.]ts$|domain/|store/';

const wallOf = (service, room, doors, tests) => ({
  name: `${service}-${room}-imports-lower-rooms-by-their-doors`,
  severity: 'error',
  from: { path: `^services/${service}/src/${room}/`, pathNot: tests },
  to: {
    path: `^services/${service}/src/`,
    pathNot: `^services/${service}/src/(${[`${room}/`, ground, ...doors].join('|')})`,
  },
});

/** A rule for each room. One that names a later room allows nothing of it, so imports go one way. */
export const wallsOf = (tests) =>
  Object.entries(rooms).flatMap(([service, lines]) =>
    Object.entries(lines).map(([room, below], line) => {
      const lower = Object.keys(lines).slice(0, line);
      const doors = below.filter((name) => lower.includes(name)).map((name) => `${name}/index[.]ts$`);
      return wallOf(service, room, doors, tests);
    }),
  );
