import { addCalls } from '@clinic/app-kit';
import { seriesRoutes } from '@clinic/svc-clinic/contract/series-routes';

// The table of all pages doesn’t have them.
addCalls(seriesRoutes);
