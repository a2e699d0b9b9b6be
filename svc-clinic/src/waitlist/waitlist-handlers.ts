import { isAllowed } from '@clinic/contracts';
import {
  assertOwner,
  findsPerson,
  once,
  ProblemError,
  readPage,
  ownerOfRecord,
  type Handler,
  type ServiceRequest,
} from '@clinic/service-kit';
import { ObjectId, type ClientSession, type Filter } from 'mongodb';
import { collectionsOf } from '../collections.ts';
import { ownDoctor } from '../doctors/read-doctor.ts';
import { historyRecorder } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import { acceptOffer } from './accept-offer.ts';
import { joinWaitlist } from './join-waitlist.ts';
import { leaveWaitlist } from './leave-waitlist.ts';
import { accountOfDoctor, offerOver, settleOffer } from './settle-offer.ts';
import { fillingOf, settleIfOpen } from './sweep.ts';
import {
  activeStatuses,
  doctorTarget,
  toEntry,
  toOffer,
  type OfferRecord,
  type WaitlistRecord,
} from './waitlist-record.ts';
import { desk } from '../contract/desk.ts';

const active = { $in: [...activeStatuses] };
const ended = { $nin: [...activeStatuses] };

const entrySorts = { '-joined': { joinedAt: -1, _id: -1 }, joined: { joinedAt: 1, _id: 1 } } as const;
const offerSorts = { '-made': { madeAt: -1, _id: -1 } } as const;

/** Problems of a booking after which the offered time is no longer available, to anybody or to this patient. */
const spoils = new Set([
  'validation_failed',
  'slot_taken',
  'too_many_appointments',
  'transition_refused',
  'changed_meanwhile',
  'too_late',
]);

/** The offering of a request, which the history names as its actor. */
const offeringOf = (context: ClinicContext, request: Parameters<typeof historyRecorder>[1]) => ({
  ...fillingOf(context),
  recordChange: historyRecorder(context, request),
});

async function show({ db }: ClinicContext, records: readonly WaitlistRecord[], session?: ClientSession) {
  const { appointments } = collectionsOf(db);
  const ids = records.flatMap(({ moving }) => (moving ? [moving] : []));
  const found = await (ids.length === 0
    ? []
    : appointments
        .find({ _id: { $in: ids } }, { projection: { date: 1, time: 1 }, ...(session && { session }) })
        .toArray());
  const moving = new Map(found.map(({ _id, date, time }) => [_id.toHexString(), { date, time }]));
  return records.map((record) => toEntry(record, moving.get(record.moving?.toHexString() ?? '')));
}

async function ownOffer(
  { db }: ClinicContext,
  { params, call, caller }: ServiceRequest<'acceptOffer' | 'declineOffer'>,
  session?: ClientSession,
): Promise<OfferRecord> {
  const offer = await collectionsOf(db).waitlistOffers.findOne(
    { _id: new ObjectId(params.id) },
    session && { session },
  );
  if (!offer) throw new ProblemError('not_found', { detail: 'We can’t find this offer.' });
  assertOwner(call.access, caller, { patient: offer.patientId });
  return offer;
}

function placeLists(context: ClinicContext) {
  const { waitlist, doctors } = collectionsOf(context.db);

  const listWaitlist: Handler<'listWaitlist'> = async ({ query, caller }) => {
    const whose = isAllowed(caller, desk)
      ? { ...(query.email !== undefined && { patientEmail: query.email }) }
      : { patientId: caller.id };
    return readPage(waitlist, {
      filter: [
        [
          ...findsPerson<WaitlistRecord>(query.q, 'words', 'patientEmail'),
          { ...whose, ...(query.open && { status: query.open === 'true' ? active : ended }) },
        ],
      ],
      query,
      sorts: entrySorts,
      defaultSort: '-joined',
      map: { batch: (records: readonly WaitlistRecord[]) => show(context, records) },
    });
  };

  const listWaitingForDoctor: Handler<'listWaitingForDoctor'> = async (request) => {
    const doctor = await ownDoctor(doctors, request);
    return readPage(waitlist, {
      filter: { target: doctorTarget(doctor.email), status: active },
      query: request.query,
      sorts: { joined: entrySorts.joined },
      defaultSort: 'joined',
      map: { batch: (records: readonly WaitlistRecord[]) => show(context, records) },
    });
  };

  return { listWaitlist, listWaitingForDoctor };
}

function placeChanges(context: ClinicContext) {
  const { waitlist } = collectionsOf(context.db);

  const join: Handler<'joinWaitlist'> = async (request) => {
    const { patientemail, userId } = request.body;
    const ownerOf = await ownerOfRecord(context, patientemail, request.caller, userId);
    return once(context, request, async (session) => {
      const entry = await joinWaitlist(
        {
          ...offeringOf(context, request),
          rules: context.settings,
          caller: request.caller,
          requested: request.body,
          ownerOf,
          assertStaff: (doctor) => assertOwner(request.call.access, request.caller, { doctor }),
        },
        session,
      );
      const [shown] = await show(context, [entry], session);
      return shown ?? toEntry(entry);
    });
  };

  const leave: Handler<'leaveWaitlist'> = async (request) => {
    await context.inTransaction(async (session) => {
      const entry = await waitlist.findOne({ _id: new ObjectId(request.params.id) }, { session });
      if (!entry) throw new ProblemError('not_found', { detail: 'We can’t find this place on the waitlist.' });
      const offering = offeringOf(context, request);
      const doctor = await accountOfDoctor(offering, entry.doctorEmail, session);
      assertOwner(request.call.access, request.caller, { patient: entry.patientId, doctor });
      await leaveWaitlist(offering, entry, 'left', session);
    });
  };

  return { joinWaitlist: join, leaveWaitlist: leave };
}

const openOffers = (open: 'true' | 'false'): Filter<OfferRecord> =>
  open === 'true' ? { status: 'open', until: { $gt: new Date() } } : { status: { $ne: 'open' } };

function offerList(context: ClinicContext) {
  const { waitlist, waitlistOffers } = collectionsOf(context.db);

  const listOffers: Handler<'listOffers'> = async ({ query, caller }) => {
    const { email, open } = query;
    const everyone = isAllowed(caller, desk) && email !== caller.email;
    const patients =
      everyone && email !== undefined ? await waitlist.distinct('patientId', { patientEmail: email }) : undefined;
    const whose = everyone ? { ...(patients && { patientId: { $in: patients } }) } : { patientId: caller.id };
    return readPage(waitlistOffers, {
      filter: { ...whose, ...(open && openOffers(open)) },
      query,
      sorts: offerSorts,
      defaultSort: '-made',
      map: (record) => toOffer(record),
    });
  };

  return { listOffers };
}

function offerDecisions(context: ClinicContext) {
  const accept: Handler<'acceptOffer'> = async (request) => {
    const offer = await ownOffer(context, request);
    const ownerOf = await ownerOfRecord(context, request.caller.email, request.caller);
    try {
      const accepted = await context.inTransaction(async (session) => {
        const current = await ownOffer(context, request, session);
        // A client may repeat a request whose response it lost.
        if (current.status === 'accepted') return current;
        if (current.status !== 'open') throw offerOver();
        return acceptOffer(
          {
            ...offeringOf(context, request),
            rules: context.settings,
            caller: request.caller,
            ownerOf,
            assertMayTouch: (ownership) => assertOwner(request.call.access, request.caller, ownership),
          },
          current,
          session,
        );
      });
      return toOffer(accepted);
    } catch (error) {
      // Somebody else may get the slot.
      if (error instanceof ProblemError && spoils.has(error.code)) await settleIfOpen(context, offer, 'withdrawn');
      throw error;
    }
  };

  const decline: Handler<'declineOffer'> = async (request) =>
    toOffer(
      await context.inTransaction(async (session) => {
        const offer = await ownOffer(context, request, session);
        if (offer.status === 'declined') return offer;
        return settleOffer(offeringOf(context, request), offer, 'declined', session);
      }),
    );

  return { acceptOffer: accept, declineOffer: decline };
}

/** Handlers of the calls about the waitlist and its offers. */
export const waitlistHandlers = (context: ClinicContext) => ({
  ...placeLists(context),
  ...placeChanges(context),
  ...offerList(context),
  ...offerDecisions(context),
});
