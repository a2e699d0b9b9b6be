import { addCalls } from '@clinic/app-kit';
import { seriesRoutes } from '@clinic/contracts/clinic/series-routes';

// The table of all pages doesn’t have them.
addCalls(seriesRoutes);
