import type { createDeps } from './create-deps.ts';

export type Deps = Awaited<ReturnType<typeof createDeps>>;
