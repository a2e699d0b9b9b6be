import { filters } from '@clinic/contracts/authority';
import { defineRoutes } from '@clinic/contracts/define-routes';

const admin = ['admin'] as const;
const places = { what: 'appointments', whose: 'patientemail' } as const;
const ownDoctor = [{ as: 'doctor', role: 'doctor' }] as const;

/** The calls about the waitlist and its offers. */
export const waitlistRoutes = defineRoutes('clinic', {
  joinWaitlist: {
    method: 'POST',
    path: '/waitlist',
    status: 201,
    errors: [
      'not_found',
      'duplicate',
      'times_free',
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
      roles: admin,
      self: { in: 'body', field: 'patientemail' },
      owners: ownDoctor,
    },
    summary: 'Wait for a free time of a doctor or a specialty, or for an earlier time of an appointment',
    decides: {
      'body.patientemail': 'session',
      'body.doctoremail': 'database',
      'body.specialty': 'database',
      'body.appointment': 'record',
      'body.from': 'database',
      'body.until': 'database',
      'body.parts': 'content',
    },
    shows: places,
  },
  listWaitlist: {
    method: 'GET',
    path: '/waitlist',
    paged: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' } },
    summary: 'List who waits and who has waited, or with email one patient’s places on the waitlist',
    decides: filters('email', 'open'),
    shows: { ...places, narrowedBy: ['email', 'q'] },
  },
  listWaitingForDoctor: {
    method: 'GET',
    path: '/doctors/:id/waitlist',
    errors: ['not_found'],
    paged: true,
    access: { kind: 'restricted', roles: admin, owners: ownDoctor },
    summary: 'List who waits for a doctor, in the order in which they joined',
    decides: { 'params.id': 'record' },
    shows: { ...places, ownWork: true },
  },
  leaveWaitlist: {
    method: 'DELETE',
    path: '/waitlist/:id',
    status: 204,
    errors: ['not_found', 'rate_limited'],
    access: { kind: 'restricted', roles: admin, owners: [{ as: 'patient' }, ...ownDoctor] },
    summary: 'Take a place off the waitlist; an open offer goes to the next person',
    decides: { 'params.id': 'record' },
  },
  listOffers: {
    method: 'GET',
    path: '/waitlist/offers',
    paged: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' } },
    summary: 'List the times offered to people on the waitlist, newest first',
    decides: filters('email', 'open'),
    shows: { ...places, whose: '', narrowedBy: ['email'] },
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
      'too_late',
      'rate_limited',
    ],
    access: { kind: 'restricted', roles: [], owners: [{ as: 'patient' }] },
    summary: 'Accept an offered time: books it, or moves the appointment that the offer is about',
    decides: { 'params.id': 'record' },
  },
  declineOffer: {
    method: 'POST',
    path: '/waitlist/offers/:id/decline',
    errors: ['not_found', 'offer_over', 'rate_limited'],
    access: { kind: 'restricted', roles: [], owners: [{ as: 'patient' }] },
    summary:
      'Decline an offered time; it goes to the next person, and the patient keeps waiting unless it was their `last` offer',
    decides: { 'params.id': 'record' },
  },
});
