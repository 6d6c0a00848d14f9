export { type Answers, answerSources } from './answers.ts';
export { answerFiles } from './files.ts';
