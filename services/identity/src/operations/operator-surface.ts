import { identity, toolSurface } from '@tds/contracts';

export const operatorSurface = toolSurface(identity);

export type OperatorSurface = typeof operatorSurface;
