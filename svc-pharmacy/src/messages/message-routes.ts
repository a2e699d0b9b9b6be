import { ProblemError } from '@clinic/service-kit';
import express, { type Router } from 'express';
import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { isStillBack } from '../back-in-stock/ask-about-stock.ts';
import { collectionsOf } from '../collections.ts';
import { changeIn } from '../pharmacy-change.ts';
import type { PharmacyContext } from '../settings.ts';

/** Maximum orders per request. */
const mostOrders = 200;

const question = z.object({ ids: z.array(z.string()).max(mostOrders) });

const id = z.string().regex(/^[0-9a-f]{24}$/);
const stockRequest = z.object({ medicine: id, account: z.string(), email: z.string() });

/** Adds the calls with which svc-messages asks whether a message is still true; the gateway doesn't route them. */
export function addMessageRoutes(router: Router, context: PharmacyContext): void {
  const json = express.json({ limit: '32kb' });
  const { orders } = collectionsOf(context.db);
  router.post('/internal/orders', json, async (request, response) => {
    const ids = parsed(question, request.body).ids.filter((id) => ObjectId.isValid(id));
    const found = await orders
      .find({ _id: { $in: ids.map((id) => new ObjectId(id)) } }, { projection: { status: 1 } })
      .toArray();
    response.json(found.map(({ _id, status }) => ({ id: _id.toHexString(), status })));
  });
  router.post('/internal/back-in-stock', json, async (request, response) => {
    const { medicine, ...who } = parsed(stockRequest, request.body);
    const asked = { medicine: new ObjectId(medicine), ...who };
    const by = { call: 'askAboutStock', caller: undefined, requestId: 'message' } as const;
    const isBack = await context.inTransaction((session) =>
      isStillBack(context, changeIn(context, session, by), asked),
    );
    response.json({ isBack });
  });
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const { success, data } = schema.safeParse(value);
  if (!success) throw new ProblemError('validation_failed', { detail: 'This isn’t a request of svc-messages.' });
  return data;
}
