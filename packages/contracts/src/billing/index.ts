export * from './contract.ts';
export * from './purchase.ts';
export * from './refill.ts';
