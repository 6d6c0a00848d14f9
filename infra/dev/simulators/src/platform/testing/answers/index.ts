export { type Answers, answerFiles, answerSources } from './answers.ts';
