import { defineService, loadConfig } from '@tds/service-kit';
import { disownRequestHandler } from './commands/disown-request.ts';
import { getTranscriptHandler } from './commands/get-transcript.ts';
import { getVideoFactsHandler } from './commands/get-video-facts.ts';
import { pollRequestHandler } from './commands/poll-request.ts';
import { config } from './config.ts';
import { createDeps, type Overrides } from './deps.ts';
import { onOperationEnded } from './listeners/on-operation-ended.ts';
import { endAbandonedOperations } from './schedules/end-abandoned-operations.ts';
import { observeStrategies } from './schedules/observe-strategies.ts';
import { purgeOldOperations } from './schedules/purge-old-operations.ts';
import { reconcileReservations } from './schedules/reconcile-reservations.ts';
import { surface } from './surface.ts';
import { fetchTrackHandler } from './tasks/fetch-track.ts';
import { settleOperationHandler } from './tasks/settle-operation.ts';

/** Tests may put their own clock and limits in. */
export const transcriptFetcherWith = (overrides: Overrides) =>
  defineService({
    surface,
    async start(kit, environment) {
      const deps = createDeps(kit, loadConfig(config, environment, { service: surface.name }), overrides);
      return {
        commands: {
          'get-transcript': getTranscriptHandler(deps),
          'poll-request': pollRequestHandler(deps),
          'disown-request': disownRequestHandler(deps),
          'get-video-facts': getVideoFactsHandler(deps),
        },
        tasks: { 'fetch-track': fetchTrackHandler(deps), 'settle-operation': settleOperationHandler(deps) },
        listeners: {},
        watchers: { 'operation-ended': onOperationEnded(deps) },
        schedules: {
          'end-abandoned-operations': endAbandonedOperations(deps),
          'observe-strategies': observeStrategies(deps),
          'purge-old-operations': purgeOldOperations(deps),
          'reconcile-reservations': reconcileReservations(deps),
        },
      };
    },
  });

export { coldLimits } from './domain/cold-caps.ts';

export const transcriptFetcher = transcriptFetcherWith({});
