import { defineService } from '@tds/kit';
import { createDeps } from './create-deps.ts';
import { surface } from './surface.ts';

export const service = defineService({ surface, createDeps });
