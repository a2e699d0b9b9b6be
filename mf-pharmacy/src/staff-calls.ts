import { addCalls } from '@clinic/app-kit';
import { stockCalls } from '@clinic/svc-pharmacy/contract/stock-calls';

// Only the screens of staff make these calls, and a shell of an earlier release doesn't know them.
addCalls(stockCalls);
