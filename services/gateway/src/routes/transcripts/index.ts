export { findingRoutes } from './finding.ts';
export { frontMatterFault, passageSize } from './passage-answers.ts';
export { languageHeaders } from './transcript-answers.ts';
export { transcriptRoutes } from './transcripts.ts';
