import { ProblemError } from '@clinic/service-kit';
import express, { type Router } from 'express';
import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { collectionsOf } from '../collections.ts';
import type { PharmacyContext } from '../settings.ts';

/** Maximum orders per request. */
const mostOrders = 200;

const question = z.object({ ids: z.array(z.string()).max(mostOrders) });

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
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const { success, data } = schema.safeParse(value);
  if (!success) throw new ProblemError('validation_failed', { detail: 'This isn’t a request of svc-messages.' });
  return data;
}
