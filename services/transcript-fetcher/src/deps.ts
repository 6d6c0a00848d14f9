import type { Sql } from '@tds/base';
import type { Kit } from '@tds/kit';
import type { VideoPlatform } from '@tds/video-platform';
import type { ConnectionPool, Database } from './store/database.ts';
import type { Surface } from './surface.ts';

/** What each room uses; a room that needs more declares it. */
export type Deps = Pick<Kit<Surface>, 'call' | 'messaging' | 'log' | 'objects' | 'bodies'> & {
  readonly db: Database;
  readonly pool: ConnectionPool;
  readonly sql: Sql;
  readonly platform: VideoPlatform;
  readonly now: () => Date;
};
