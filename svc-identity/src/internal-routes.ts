import {
  accountFeedPath,
  accountsPath,
  deletionsPath,
  erasureReport,
  feedPath,
  mostChanges,
  personPath,
  ProblemError,
  staffPath,
} from '@clinic/service-kit';
import { gatewayReport, gatewayReportsPath } from '@clinic/service-kit/deployments/gateway-report';
import express, { type Request, type RequestHandler, type Router } from 'express';
import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { accountChanges } from './account-feed/account-changes.ts';
import { takeReport } from './deployments/take-report.ts';
import { statusesOf, whichInvitations } from './invitations/invitation-statuses.ts';
import type { IdentityParts } from './open-parts.ts';
import { noteErasure, openDeletions } from './personal-data/open-deletions.ts';
import { serveSessionFeed } from './rights/serve-session-feed.ts';
import type { IdentityContext } from './settings.ts';
import { accountStanding } from './users/account-standing.ts';
import { personAt, personOfAccount } from './users/held-addresses.ts';
import { staffList } from './users/staff-list.ts';

const whoIs = z.object({
  email: z.string().max(320).toLowerCase(),
  id: z
    .string()
    .regex(/^[0-9a-f]{24}$/)
    .optional(),
});

const feedQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(mostChanges).default(mostChanges),
});

/** What services of the clinic ask, and gateways. */
export function addInternalRoutes(router: Router, context: IdentityContext, { watch, deletions }: IdentityParts): void {
  router.get(feedPath, serveSessionFeed(watch, context.stopping));
  router.get(
    staffPath,
    json(() => staffList(context)),
  );
  router.get(
    accountFeedPath,
    json(({ query }) =>
      accountChanges(context, valid(feedQuery, query, 'Send the position to read after, and a limit.')),
    ),
  );
  router.get(
    `${accountsPath}/:id`,
    json((request) => accountStanding(context, idOf(request))),
  );
  router.get(
    personPath,
    json(async ({ query }) => {
      const { email, id } = valid(whoIs, query, 'Send the address, and the account if you know it.');
      return id === undefined ? personAt(context, email) : personOfAccount(context, new ObjectId(id));
    }),
  );
  router.post(
    '/internal/invitations',
    express.json({ limit: '128kb' }),
    json(({ body }) =>
      statusesOf(context, valid(whichInvitations, body, 'Send the invitations by address, role and end.')),
    ),
  );
  router.get(
    deletionsPath,
    json(async ({ query }) => {
      const service = valid(erasureReport.shape.service, query['service'], 'Say which service asks: ?service=NAME.');
      return { deletions: await openDeletions(context, service) };
    }),
  );
  router.post(`${deletionsPath}/:id`, express.json({ limit: '4kb' }), async (request, response) => {
    const said = 'Send how far the service has got.';
    const report = valid(erasureReport, request.body, said);
    if (!ObjectId.isValid(idOf(request))) throw new ProblemError('validation_failed', { detail: said });
    await noteErasure(context, deletions, idOf(request), report);
    response.sendStatus(204);
  });
  router.post(
    gatewayReportsPath,
    express.json({ limit: '1mb' }),
    json(({ body }) => takeReport(context, valid(gatewayReport, body, 'This isn’t a report of a gateway.'))),
  );
}

const json =
  (answer: (request: Request) => Promise<unknown>): RequestHandler =>
  async (request, response) => {
    response.setHeader('Cache-Control', 'no-store').json(await answer(request));
  };

const idOf = ({ params: { id } }: Request): string => String(id);

/** @throws ProblemError validation_failed with the detail */
function valid<T>(schema: z.ZodType<T>, value: unknown, detail: string): T {
  const { success, data } = schema.safeParse(value);
  if (!success) throw new ProblemError('validation_failed', { detail });
  return data;
}
