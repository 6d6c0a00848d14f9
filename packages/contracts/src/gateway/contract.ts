import { defineContract } from '../contract/define-contract.ts';

/** The gateway answers nothing on the bus. */
export const gateway = defineContract('gateway', {});
