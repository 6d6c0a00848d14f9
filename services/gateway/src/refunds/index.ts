export { answerOrWaive, type WaivedRequests } from './waived-requests.ts';
