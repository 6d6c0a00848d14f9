export { isolate, isolated } from '@tds/contracts/isolated';
