import { addCalls } from '@clinic/app-kit';
import { stockRoutes } from '@clinic/svc-pharmacy/contract/stock-routes';

// Only the screens of staff make these calls, and a shell of an earlier release doesn't know them.
addCalls(stockRoutes);
