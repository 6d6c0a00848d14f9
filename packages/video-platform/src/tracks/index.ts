export { isChoiceFinal } from './choose-track.ts';
export { sameLanguage } from './language.ts';
