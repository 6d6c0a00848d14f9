export * from './balance.ts';
export * from './contract.ts';
export {
  type FoundItems,
  MAX_REFS,
  type ShortageCause,
} from './items-commands.ts';
export {
  type FoundBlock,
  type GrantedBlock,
  type GrantOutcome,
  MAX_BLOCKS,
  MAX_GRANTS,
} from './purchase-commands.ts';
export * from './request-commands.ts';
export * from './usage-commands.ts';
