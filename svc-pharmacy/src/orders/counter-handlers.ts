import { countToday, once, ownerOfRecord, type DailyAct, type Handler } from '@clinic/service-kit';
import { changeOf } from '../pharmacy-change.ts';
import type { PharmacyContext } from '../settings.ts';
import { enterCounterOrder as enter, isInAnotherName } from './enter-counter-order.ts';
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
    // Before the locks, as svc-identity may be slow; it counts only for an order that isn't entered yet.
    const isUnasked = request.body.otherName === false && (await isInAnotherName(context, request.body));
    return locks.take(
      request.body.items.map(({ medicineId }) => medicineId),
      () =>
        once(context, request, async (session) => {
          await countToday(context, session, request.caller.id, counterOrders);
          const change = changeOf(context, request, session);
          return toOrder(await enter(context, change, request.body, { ownerOf, isUnasked }));
        }),
    );
  };
  return { enterCounterOrder };
}
