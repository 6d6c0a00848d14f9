import { defineSurface, exampleService } from '@tds/contracts';

export const surface = defineSurface(exampleService, {});

export type Surface = typeof surface;
