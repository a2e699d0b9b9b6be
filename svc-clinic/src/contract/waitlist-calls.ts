import { filters } from '@clinic/contracts/authority';
import { defineCalls } from '@clinic/contracts/define-calls';
import { email, id, isoDate, paging, text } from '@clinic/contracts/schemas/fields';
import { z } from 'zod';
import { appointments, desk, ownDoctor, patientOrDoctor } from './desk.ts';
import { waitlistParts } from './limits.ts';
import { patientDetails, seenPatient, visitDetails } from './patient.ts';

const part = z.enum(waitlistParts, { error: `Part of day must be one of ${waitlistParts.join(', ')}` });

/** States of a place on the waitlist. */
export const waitlistStatuses = ['waiting', 'offered', 'booked', 'left', 'ended'] as const;

/** States of an offer; `withdrawn` if the time is no longer available or the patient has left the waitlist. */
export const offerStatuses = ['open', 'accepted', 'declined', 'missed', 'withdrawn'] as const;

/** A place on the waitlist. */
export const waitlistEntry = z.object({
  _id: id,
  patientname: z.string(),
  patientemail: z.string(),
  /** The doctor the patient waits for; absent if any doctor of the specialty will do. */
  doctorname: z.string().optional(),
  doctoremail: z.string().optional(),
  /** Absent if the patient waits for one doctor. */
  specialty: z.string().optional(),
  /** The appointment to move to an earlier time; accepting an offer moves it. */
  appointment: z.object({ _id: id, date: z.string(), time: z.string() }).optional(),
  /** First and last day, inclusive, 'yyyy-mm-dd' in the clinic's time zone. */
  from: z.string(),
  until: z.string(),
  parts: z.array(part),
  status: z.enum(waitlistStatuses),
  /** `true` if it has ended because its offers were declined or not answered. */
  afterOffers: z.boolean().optional(),
  /** ISO instant. */
  joinedAt: z.string(),
});
export type WaitlistEntry = z.output<typeof waitlistEntry>;

/** A time held for one patient. */
export const waitlistOffer = z.object({
  _id: id,
  doctorname: z.string(),
  date: z.string(),
  time: z.string(),
  /** Where the doctor sees patients then, if not at the usual location. */
  place: z.string().optional(),
  /** The appointment that accepting moves; absent if it books a new one. */
  moves: z.object({ date: z.string(), time: z.string() }).optional(),
  /** The place on the waitlist ends if this offer is declined or not answered. */
  last: z.literal(true).optional(),
  status: z.enum(offerStatuses),
  /** ISO instants: when it was made, and until when it can be accepted. */
  madeAt: z.string(),
  until: z.string(),
  /** Milliseconds left when the response was sent, so that a wrong clock in the browser doesn't matter. */
  left: z.number(),
});
export type WaitlistOffer = z.output<typeof waitlistOffer>;

const targets = ['doctoremail', 'specialty', 'appointment'] as const;

const joinBody = z
  .object({
    patientemail: email,
    ...seenPatient,
    /** One of the next three is required: the doctor, the specialty, or the appointment to move. */
    doctoremail: email.optional(),
    specialty: text('Specialty').optional(),
    appointment: id.optional(),
    from: isoDate('First day'),
    until: isoDate('Last day'),
    parts: z
      .array(part)
      .min(1, 'Choose at least one part of the day')
      .max(waitlistParts.length, 'Choose each part of the day once'),
    /** Details for the booking; needed unless `appointment` has them. */
    ...z.object(visitDetails).partial().shape,
  })
  .refine((body) => targets.filter((target) => body[target] !== undefined).length === 1, {
    path: ['doctoremail'],
    message: 'Choose a doctor, a specialty or an appointment',
  })
  .refine(({ from, until }) => from <= until, { path: ['until'], message: 'The last day can’t be before the first' })
  .superRefine((body, context) => {
    if (body.appointment !== undefined) return;
    for (const field of Object.keys(patientDetails) as (keyof typeof patientDetails)[])
      for (const { message } of patientDetails[field].safeParse(body[field]).error?.issues ?? [])
        context.addIssue({ code: 'custom', path: [field], message });
  });

const paged = { limit: paging.limit, cursor: paging.cursor, sort: paging.sort };

const narrowed = {
  ...paged,
  email: email.optional(),
  /** Only places that are still waiting, or offers that can still be accepted; `false`: only those that are over. */
  open: z.enum(['true', 'false'], { error: 'Open must be true, false or left out' }).optional(),
};

/** The calls about the waitlist and its offers. */
export const waitlistCalls = defineCalls('clinic', {
  joinWaitlist: {
    method: 'POST',
    path: '/waitlist',
    status: 201,
    errors: [
      'not_found',
      'duplicate',
      'times_free',
      'changed_meanwhile',
      'too_many_waiting',
      'transition_refused',
      'email_unconfirmed',
      'rate_limited',
      'idempotency_mismatch',
      'in_progress',
    ],
    idempotent: true,
    access: {
      kind: 'restricted',
      ...desk,
      self: { in: 'body', field: 'patientemail' },
      owners: ownDoctor,
    },
    summary: 'Wait for a free time of a doctor or a specialty, or for an earlier time of an appointment',
    body: joinBody,
    response: waitlistEntry,
    decides: {
      'body.patientemail': 'session',
      'body.userId': 'database',
      'body.doctoremail': 'database',
      'body.specialty': 'database',
      'body.appointment': 'record',
      'body.from': 'database',
      'body.until': 'database',
      'body.parts': 'content',
    },
    shows: appointments,
  },
  listWaitlist: {
    method: 'GET',
    path: '/waitlist',
    paged: true,
    access: { kind: 'restricted', ...desk, self: { in: 'query', field: 'email' } },
    summary: 'List who waits and who has waited, or with email one patient’s places on the waitlist',
    query: z.object({ ...narrowed, q: paging.q }),
    response: z.array(waitlistEntry),
    decides: filters('email', 'open'),
    shows: { ...appointments, narrowedBy: ['email', 'q'] },
  },
  listWaitingForDoctor: {
    method: 'GET',
    path: '/doctors/:id/waitlist',
    errors: ['not_found'],
    paged: true,
    access: { kind: 'restricted', ...desk, owners: ownDoctor },
    summary: 'List who waits for a doctor, in the order in which they joined',
    params: z.object({ id }),
    query: z.object(paged),
    response: z.array(waitlistEntry),
    decides: { 'params.id': 'record' },
    shows: { ...appointments, ownWork: true },
  },
  leaveWaitlist: {
    method: 'DELETE',
    path: '/waitlist/:id',
    status: 204,
    errors: ['not_found', 'rate_limited'],
    access: { kind: 'restricted', ...desk, owners: patientOrDoctor },
    summary: 'Take a place off the waitlist; an open offer goes to the next person',
    params: z.object({ id }),
    response: z.undefined(),
    decides: { 'params.id': 'record' },
  },
  listOffers: {
    method: 'GET',
    path: '/waitlist/offers',
    paged: true,
    access: { kind: 'restricted', ...desk, self: { in: 'query', field: 'email' } },
    summary: 'List the times offered to people on the waitlist, newest first',
    query: z.object(narrowed),
    response: z.array(waitlistOffer),
    decides: filters('email', 'open'),
    shows: { ...appointments, whose: '', narrowedBy: ['email'] },
  },
  acceptOffer: {
    method: 'POST',
    path: '/waitlist/offers/:id/accept',
    errors: [
      'not_found',
      'offer_over',
      'slot_taken',
      'too_many_appointments',
      'transition_refused',
      'changed_meanwhile',
      'too_late',
      'rate_limited',
    ],
    access: { kind: 'restricted', roles: [], owners: [{ as: 'patient' }] },
    summary: 'Accept an offered time: books it, or moves the appointment that the offer is about',
    params: z.object({ id }),
    response: waitlistOffer,
    decides: { 'params.id': 'record' },
  },
  declineOffer: {
    method: 'POST',
    path: '/waitlist/offers/:id/decline',
    errors: ['not_found', 'offer_over', 'rate_limited'],
    access: { kind: 'restricted', roles: [], owners: [{ as: 'patient' }] },
    summary:
      'Decline an offered time; it goes to the next person, and the patient keeps waiting unless it was their `last` offer',
    params: z.object({ id }),
    response: waitlistOffer,
    decides: { 'params.id': 'record' },
  },
});
