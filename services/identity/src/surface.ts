import { defineSurface, identity } from '@tds/contracts';

export const surface = defineSurface(identity, {
  schedules: {
    refreshPrincipals: { everySeconds: 5 },
    purgeExpired: { everySeconds: 3_600 },
  },
});

export type Surface = typeof surface;
