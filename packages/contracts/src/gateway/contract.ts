import { defineContract } from '../contract/define-contract.ts';

/** The gateway answers nothing on the bus. */
export const gateway = defineContract('gateway', {
  objects: { downloads: 'packages that customers install, of every release' },
});
