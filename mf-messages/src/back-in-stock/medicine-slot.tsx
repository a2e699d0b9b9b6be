import { addCalls, defineSlotModule } from '@clinic/app-kit';
import { backInStockRoutes } from '@clinic/svc-pharmacy/contract/back-in-stock-routes';
import { BackInStock } from './back-in-stock.tsx';
import '../setup.ts';

// The table of all pages doesn’t have them.
addCalls(backInStockRoutes);

/** This domain's part of a medicine's card and details. */
export default defineSlotModule<'medicine'>({ Component: BackInStock });
