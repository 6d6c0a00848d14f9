import { defineContract } from '../contract/define-contract.ts';

/** What example-service offers to other services, and its own tasks and events. */
export const exampleService = defineContract('example-service', {});
