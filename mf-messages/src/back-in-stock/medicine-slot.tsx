import { addCalls, defineSlotModule } from '@clinic/app-kit';
import { backInStockCalls } from '@clinic/svc-pharmacy/contract/back-in-stock-calls';
import { BackInStock } from './back-in-stock.tsx';
import '../setup.ts';

// The table of all pages doesn’t have them.
addCalls(backInStockCalls);

/** This domain's part of a medicine's card and details. */
export default defineSlotModule<'medicine'>({ Component: BackInStock });
