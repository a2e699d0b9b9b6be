import { deletionsPath, erasureReport, personPath, ProblemError, type OpenDeletion } from '@clinic/service-kit';
import { erasedEmail } from '@clinic/contracts/erased-person';
import express, { type RequestHandler, type Router } from 'express';
import { ObjectId } from 'mongodb';
import type { IdentityContext } from '../settings.ts';
import { personOf, whoIs } from '../users/held-addresses.ts';
import { usersOf } from '../users/user-record.ts';
import { adoptDeletions } from './adopt-deletions.ts';
import { dataHoldersOf, deletionsOf } from './deletion-record.ts';
import type { DeletionRunner } from './deletion-runner.ts';

/** Adds the calls by which services learn whom to erase, and report what they have erased. */
export function addDeletionRoutes(router: Router, context: IdentityContext, runner: DeletionRunner): void {
  router.get(personPath, whoIs(context));
  router.get(deletionsPath, listOpen(context));
  router.post(`${deletionsPath}/:id`, express.json({ limit: '4kb' }), takeReport(context, runner));
}

const serviceName = erasureReport.shape.service;

/** Deletions that the asking service hasn't finished; from its first question on, deletions wait for this service. */
function listOpen(context: IdentityContext): RequestHandler {
  return async ({ query }, response) => {
    const { success, data: service } = serviceName.safeParse(query['service']);
    if (!success) throw new ProblemError('validation_failed', { detail: 'Say which service asks: ?service=NAME.' });
    const now = new Date();
    await dataHoldersOf(context).updateOne(
      { _id: service },
      { $set: { lastSeenAt: now }, $setOnInsert: { firstSeenAt: now } },
      { upsert: true },
    );
    await adoptDeletions(context);
    const deletions: OpenDeletion[] = [];
    const open = deletionsOf(context).find({
      finishedAt: { $exists: false },
      [`services.${service}.done`]: { $ne: true },
    });
    for await (const { _id, requestId } of open) {
      const user = await usersOf(context).findOne({ _id });
      const id = _id.toHexString();
      // Without the user, only the account is left to go by.
      const person = user ? await personOf(context, user) : { id, email: erasedEmail(id), addresses: [] };
      deletions.push({ person, requestId });
    }
    response.setHeader('Cache-Control', 'no-store').json({ deletions });
  };
}

function takeReport(context: IdentityContext, runner: DeletionRunner): RequestHandler {
  return async ({ params: { id }, body }, response) => {
    const { success, data } = erasureReport.safeParse(body);
    if (!success || typeof id !== 'string' || !ObjectId.isValid(id))
      throw new ProblemError('validation_failed', { detail: 'Send how far the service has got.' });
    const { service, ...report } = data;
    await deletionsOf(context).updateOne(
      // A late report of an earlier step doesn't replace the last one.
      { _id: new ObjectId(id), finishedAt: { $exists: false }, [`services.${service}.done`]: { $ne: true } },
      { $set: { [`services.${service}`]: report } },
    );
    if (report.done) runner.wake();
    response.sendStatus(204);
  };
}
