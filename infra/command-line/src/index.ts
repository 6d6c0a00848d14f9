export { Argument, InvalidArgumentError, Option } from '@commander-js/extra-typings';
export { command } from './command.ts';
export { count } from './count.ts';
