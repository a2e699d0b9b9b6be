import { addCalls } from '@clinic/app-kit';
import { seriesCalls } from '@clinic/svc-clinic/contract/series-calls';

// The table of all pages doesn’t have them.
addCalls(seriesCalls);
