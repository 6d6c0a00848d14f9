import type { createDeps } from './create-deps.ts';

export type Deps = ReturnType<typeof createDeps>;
