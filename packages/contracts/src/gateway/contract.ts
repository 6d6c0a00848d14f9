import { defineContract } from '../contract/define-contract.ts';

/** HTTP outside, commands inside: it gives nothing on the bus. */
export const gateway = defineContract('gateway', {});
