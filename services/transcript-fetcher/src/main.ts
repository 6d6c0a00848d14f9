import { runService } from '@tds/service-kit';
import { transcriptFetcher } from './index.ts';

await runService(transcriptFetcher, process.env);
