import { readPage, type Handler } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { collectionsOf } from '../collections.ts';
import { changeOf } from '../pharmacy-change.ts';
import type { PharmacyContext } from '../settings.ts';
import { askAboutStock as ask, stopAsking } from './ask-about-stock.ts';
import { toStockRequest } from './stock-request-record.ts';

/** Handlers of patients' requests for a message when a medicine is back in stock. */
export function backInStockHandlers(context: PharmacyContext) {
  const { stockRequests } = collectionsOf(context.db);

  const listStockRequests: Handler<'listStockRequests'> = ({ query, caller }) =>
    readPage(stockRequests, {
      filter: { accountId: caller.id },
      query,
      sorts: { newest: { askedAt: -1, _id: -1 } },
      defaultSort: 'newest',
      map: toStockRequest,
    });

  const askAboutStock: Handler<'askAboutStock'> = async (request) =>
    toStockRequest(
      await context.inTransaction((session) =>
        ask(context, changeOf(context, request, session), new ObjectId(request.params.id), request.caller),
      ),
    );

  const stopAskingAboutStock: Handler<'stopAskingAboutStock'> = async (request) => {
    await context.inTransaction((session) =>
      stopAsking(changeOf(context, request, session), new ObjectId(request.params.id), request.caller.id),
    );
  };

  return { listStockRequests, askAboutStock, stopAskingAboutStock };
}
