export * from './contract.ts';
export * from './delivery-commands.ts';
export * from './document-commands.ts';
export * from './receiver-commands.ts';
export * from './statuses.ts';
export * from './webhook-commands.ts';
export * from './webhook-events.ts';
