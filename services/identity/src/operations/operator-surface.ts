import { accountStatusChanged, defineSurface, keyChanged, keyRevoked } from '@tds/contracts';

/** What an operator's command may tell; it answers nothing and takes no work from the running service. */
export const operatorSurface = defineSurface({
  name: 'identity',
  emits: [accountStatusChanged, keyChanged, keyRevoked],
});

export type OperatorSurface = typeof operatorSurface;
