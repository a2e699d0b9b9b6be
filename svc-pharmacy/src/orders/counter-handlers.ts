import { countToday, once, ownerOfRecord, type DailyAct, type Handler } from '@clinic/service-kit';
import { changeOf } from '../pharmacy-change.ts';
import type { PharmacyContext } from '../settings.ts';
import { enterCounterOrder as enter } from './enter-counter-order.ts';
import type { KeyedLocks } from './keyed-locks.ts';
import { toOrder } from './order-record.ts';

/** Each holds stock and writes to somebody. */
const counterOrders: DailyAct = {
  act: 'counter-orders',
  most: 300,
  done: 'entered counter orders',
  instead: 'ask a colleague',
};

/** The handler of orders that staff enter at the counter. */
export function counterHandlers(context: PharmacyContext, locks: KeyedLocks) {
  const enterCounterOrder: Handler<'enterCounterOrder'> = async (request) => {
    const ownerOf = await ownerOfRecord(context, request.body.customeremail);
    return locks.take(
      request.body.items.map(({ medicineId }) => medicineId),
      () =>
        once(context, request, async (session) => {
          await countToday(context, session, request.caller.id, counterOrders);
          return toOrder(await enter(context, changeOf(context, request, session), request.body, ownerOf));
        }),
    );
  };
  return { enterCounterOrder };
}
