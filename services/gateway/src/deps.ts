import type { createDeps } from './create-deps.ts';

/** What routes and middleware work with. */
export type Deps = Awaited<ReturnType<typeof createDeps>>;
