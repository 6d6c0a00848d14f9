export { type AssistantDeps, sendMcpMessage } from './assistant.ts';
