import type { AccessRule } from './access.ts';
import type { DomainCalls } from './domain.ts';
import type { ProblemCode } from './problems.ts';

/** The product's own services by the name their address is configured under (`IDENTITY_URL`, …). */
export type ServiceName = 'identity' | 'clinic' | 'pharmacy';

/** A REST call without its schemas, so that browsers can load the table without the validator. */
export interface Route {
  /** Name of the service that serves it: one of ours, or a domain's own. */
  readonly service: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path pattern as Express and the router write it. */
  readonly path: string;
  readonly access: AccessRule;
  /** Status of success. */
  readonly status: 200 | 201 | 204;
  /** Errors of its own, in addition to those every call can return (validation, access, limits, outages). */
  readonly errors: readonly ProblemCode[];
  /** Accepts `Idempotency-Key`: the same key and body get the first response again; another body is rejected with 422. */
  readonly idempotent?: true;
  /** A list paged with `limit`, `cursor`, `q`, `status` and `sort`; without them it is the whole array. */
  readonly paged?: true;
  /** Content of a response that isn't JSON: a calendar file, or server-sent events for as long as the client listens. */
  readonly media?: 'text/calendar' | 'text/event-stream';
  /** Seconds until the response must have begun; default ten. */
  readonly timeoutSeconds?: number;
  /** Limit of the body in bytes; default 100 KB. */
  readonly maxBodyBytes?: number;
  /** One line for the API page. */
  readonly summary: string;
}

const admin = ['admin'] as const;
const staff = ['admin', 'pharmacist'] as const;

/** Every REST call by name; docs/identity.md says who may make which. */
export const routes = {
  // --- identity -------------------------------------------------------------------------------------------------
  startSession: {
    service: 'identity', method: 'POST', path: '/jwt', access: { kind: 'idToken' }, status: 200,
    errors: ['rate_limited', 'forbidden', 'account_disabled', 'second_factor_needed', 'second_factor_wrong'],
    summary: 'Exchange a Firebase ID token, and a code where a second factor is set up, for a session of ours',
  },
  proveIdentity: {
    service: 'identity', method: 'POST', path: '/jwt/proof', access: { kind: 'session' }, status: 200, errors: ['rate_limited', 'forbidden', 'second_factor_wrong'],
    summary: 'Prove again who you are, with a new ID token or a code, before an act that can do harm',
  },
  getSession: {
    service: 'identity', method: 'GET', path: '/jwt/session', access: { kind: 'session' }, status: 200, errors: [],
    summary: 'Who am I',
  },
  refreshSession: {
    service: 'identity', method: 'POST', path: '/jwt/refresh', access: { kind: 'refresh' }, status: 200, errors: ['session_ended', 'account_disabled'],
    summary: 'A new access token for the refresh cookie',
  },
  endSession: {
    service: 'identity', method: 'DELETE', path: '/jwt', access: { kind: 'everyone' }, status: 204, errors: [],
    summary: 'Log out',
  },
  getSessionKeys: {
    service: 'identity', method: 'GET', path: '/jwt/keys', access: { kind: 'everyone' }, status: 200, errors: [],
    summary: 'Public keys of the session tokens (JWKS)',
  },
  registerUser: {
    service: 'identity', method: 'POST', path: '/users', access: { kind: 'idToken', orSession: true }, status: 200, errors: ['forbidden', 'second_factor_needed'],
    summary: 'Keep the profile of a new user; the role is always patient',
  },
  listUsers: {
    service: 'identity', method: 'GET', path: '/users', access: { kind: 'restricted', roles: admin }, status: 200, errors: [], paged: true,
    summary: 'All users',
  },
  reportUsers: {
    service: 'identity', method: 'GET', path: '/users/report', access: { kind: 'restricted', roles: admin }, status: 200, errors: [],
    summary: 'How many users there are, and who came in a period',
  },
  getUser: {
    service: 'identity', method: 'GET', path: '/users/:email', status: 200, errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' } },
    summary: 'One user with their role',
  },
  changeRole: {
    service: 'identity', method: 'PATCH', path: '/update-role/:id', access: { kind: 'restricted', roles: admin, freshProof: 'always' }, status: 200,
    errors: ['not_found', 'proof_needed', 'own_role', 'last_admin', 'email_unconfirmed'],
    summary: "Change a user's role",
  },
  getUserHistory: {
    service: 'identity', method: 'GET', path: '/users/:email/history', status: 200, errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' } },
    summary: 'What happened to a user and their role, the latest first',
  },
  changeAccess: {
    service: 'identity', method: 'PATCH', path: '/users/:email/access', access: { kind: 'restricted', roles: admin, freshProof: 'always' }, status: 200,
    errors: ['not_found', 'proof_needed', 'own_account', 'last_admin'],
    summary: 'Switch an account off or on; off ends all its sessions',
  },
  endSessions: {
    service: 'identity', method: 'DELETE', path: '/users/:email/sessions', status: 204, errors: ['not_found', 'proof_needed'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' }, freshProof: 'forOthers' },
    summary: 'Log a user out everywhere',
  },
  changeOwnProfile: {
    service: 'identity', method: 'PATCH', path: '/users/:email', status: 200, errors: ['not_found'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' } },
    summary: "Change one's own name, telephone, date of birth or postal address",
  },
  listSessions: {
    service: 'identity', method: 'GET', path: '/users/:email/sessions', status: 200, errors: ['not_found'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' } },
    summary: 'Where one is logged in, the one used last first',
  },
  endOneSession: {
    service: 'identity', method: 'DELETE', path: '/users/:email/sessions/:id', status: 204, errors: ['not_found'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' } },
    summary: 'Log out on one device',
  },
  startSecondFactor: {
    service: 'identity', method: 'POST', path: '/users/:email/second-factor', status: 200, errors: ['not_found', 'duplicate', 'proof_needed'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' }, freshProof: 'always' },
    summary: 'A new secret for an authenticator app; it counts once a code of it was confirmed',
  },
  confirmSecondFactor: {
    service: 'identity', method: 'POST', path: '/users/:email/second-factor/confirm', status: 200, errors: ['not_found', 'second_factor_wrong', 'rate_limited', 'proof_needed'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' }, freshProof: 'always' },
    summary: 'Set up the authenticator app with a code of it; answers the recovery codes, once',
  },
  renewRecoveryCodes: {
    service: 'identity', method: 'POST', path: '/users/:email/second-factor/recovery-codes', status: 200, errors: ['not_found', 'proof_needed'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' }, freshProof: 'always' },
    summary: 'New recovery codes in place of all old ones; answers them once',
  },
  removeSecondFactor: {
    service: 'identity', method: 'DELETE', path: '/users/:email/second-factor', status: 204, errors: ['not_found', 'proof_needed', 'transition_refused'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' }, freshProof: 'always' },
    summary: 'Remove the second factor; by an admin, for somebody who lost it, which ends their sessions',
  },
  listIdentityLooks: {
    service: 'identity', method: 'GET', path: '/users/:email/looks', status: 200, errors: [], paged: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' } },
    summary: "Which staff looked at a person's account, the latest first",
  },
  inviteStaff: {
    service: 'identity', method: 'POST', path: '/staff/invitations', access: { kind: 'restricted', roles: admin, freshProof: 'always' }, status: 201,
    errors: ['duplicate', 'proof_needed'],
    summary: 'Invite somebody to a staff role, with the profile they start with; answers the link, once',
  },
  listInvitations: {
    service: 'identity', method: 'GET', path: '/staff/invitations', access: { kind: 'restricted', roles: admin }, status: 200, errors: [], paged: true,
    summary: 'Invitations, the newest first',
  },
  revokeInvitation: {
    service: 'identity', method: 'DELETE', path: '/staff/invitations/:id', access: { kind: 'restricted', roles: admin, freshProof: 'always' }, status: 204,
    errors: ['not_found', 'transition_refused', 'proof_needed'],
    summary: 'Take an open invitation back',
  },
  readInvitation: {
    service: 'identity', method: 'POST', path: '/staff/invitation', access: { kind: 'everyone' }, status: 200, errors: ['not_found', 'invitation_over', 'rate_limited'],
    summary: 'Whom an invitation is for, by the token of its link',
  },
  acceptInvitation: {
    service: 'identity', method: 'POST', path: '/staff/invitation/accept', access: { kind: 'session' }, status: 200,
    errors: ['not_found', 'invitation_over', 'email_unconfirmed', 'forbidden', 'last_admin', 'rate_limited'],
    summary: 'Take the role of an invitation, as the confirmed person it is for',
  },
  listAccessEvents: {
    service: 'identity', method: 'GET', path: '/access-events', access: { kind: 'restricted', roles: admin }, status: 200, errors: [], paged: true,
    summary: 'Who signed in, was refused, was given or lost rights, the latest first',
  },
  listIdentityEvents: {
    service: 'identity', method: 'GET', path: '/access-events/all', access: { kind: 'restricted', roles: admin }, status: 200, errors: [], paged: true,
    summary: 'Everything that happened to users and their access, the latest first',
  },
  exportUser: {
    service: 'identity', method: 'GET', path: '/users/:email/export', status: 200, errors: ['not_found', 'proof_needed'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' }, freshProof: 'forOthers' },
    summary: 'All that identity keeps about a person, as a copy for them',
  },
  startErasure: {
    service: 'identity', method: 'POST', path: '/users/:email/erasure', access: { kind: 'restricted', roles: admin, freshProof: 'always' }, status: 200,
    errors: ['not_found', 'own_account', 'last_admin', 'proof_needed'],
    summary: 'Begin to delete a person: locks the account for good and ends its sessions',
  },
  finishErasure: {
    service: 'identity', method: 'DELETE', path: '/users/:email', status: 200, errors: ['not_found', 'own_account', 'last_admin', 'staff_account', 'proof_needed'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' }, freshProof: 'always' },
    summary: 'Delete the account and the user; the last step, once the other services have forgotten the person',
  },
  // --- clinic ---------------------------------------------------------------------------------------------------
  listDoctors: {
    service: 'clinic', method: 'GET', path: '/doctors', access: { kind: 'everyone' }, status: 200, errors: ['not_found'], paged: true,
    summary: 'All doctors; with _id one doctor',
  },
  listFreeTimes: {
    service: 'clinic', method: 'GET', path: '/doctors/:id/free-times', access: { kind: 'everyone' }, status: 200, errors: ['not_found'],
    summary: "A doctor's free times of one day",
  },
  listFreeDays: {
    service: 'clinic', method: 'GET', path: '/doctors/:id/free-days', access: { kind: 'everyone' }, status: 200, errors: ['not_found'],
    summary: 'On which days of a span a doctor has free times',
  },
  listAppointmentsOutsideTimes: {
    service: 'clinic', method: 'GET', path: '/doctors/:id/outside-times', status: 200, errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, owners: [{ as: 'doctor', role: 'doctor' }] },
    summary: "Coming appointments on a doctor's days off or outside the listed times",
  },
  changeAvailability: {
    service: 'clinic', method: 'PATCH', path: '/doctors/:id', status: 200, errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, owners: [{ as: 'doctor', role: 'doctor' }] },
    summary: "Change a doctor's times, days off, and whether the doctor takes appointments; what is booked stays",
  },
  listPharmacists: {
    service: 'clinic', method: 'GET', path: '/pharmacists', access: { kind: 'restricted', roles: admin }, status: 200, errors: [], paged: true,
    summary: 'All pharmacists',
  },
  createProfile: {
    service: 'clinic', method: 'POST', path: '/doc-pharma', access: { kind: 'restricted', roles: admin }, status: 201, errors: ['duplicate'],
    summary: "Create a doctor's or pharmacist's profile",
  },
  changeDoctor: {
    service: 'clinic', method: 'PATCH', path: '/doctors/:id/profile', access: { kind: 'restricted', roles: admin }, status: 200, errors: ['not_found'],
    summary: 'Change what patients read about a doctor',
  },
  changePharmacist: {
    service: 'clinic', method: 'PATCH', path: '/pharmacists/:id', access: { kind: 'restricted', roles: admin }, status: 200, errors: ['not_found'],
    summary: "Change a pharmacist's profile, also whether they are on leave",
  },
  getProfiles: {
    service: 'clinic', method: 'GET', path: '/doc-pharma/:email', status: 200, errors: [],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' } },
    summary: 'The doctor profiles of one e-mail',
  },
  listAppointments: {
    service: 'clinic', method: 'GET', path: '/appoinments', status: 200, errors: [], paged: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' } },
    summary: 'All appointments; with email those where that person is patient or doctor',
  },
  listUnconfirmedAppointments: {
    service: 'clinic', method: 'GET', path: '/appoinments/unconfirmed', status: 200, errors: [], paged: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email', role: 'doctor' } },
    summary: 'Appointments that wait for this doctor to confirm them',
  },
  listClinicLooks: {
    service: 'clinic', method: 'GET', path: '/appoinments/looks', status: 200, errors: [], paged: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' } },
    summary: "Which staff looked at a person's appointments or profile, the latest first",
  },
  watchAppointments: {
    service: 'clinic', method: 'GET', path: '/appoinments/changes', access: { kind: 'session' }, status: 200, errors: [], media: 'text/event-stream',
    summary: 'Says which lists to load again, each time an appointment of the caller (an admin: any) changes',
  },
  listClinicEvents: {
    service: 'clinic', method: 'GET', path: '/appoinments/events', access: { kind: 'restricted', roles: admin }, status: 200, errors: [], paged: true,
    summary: 'Everything that happened to appointments and profiles, the latest first',
  },
  reportAppointments: {
    service: 'clinic', method: 'GET', path: '/appoinments/report', access: { kind: 'restricted', roles: admin }, status: 200, errors: [],
    summary: 'Appointments of a period in figures: by day, specialty and doctor',
  },
  exportClinicData: {
    service: 'clinic', method: 'GET', path: '/appoinments/export', status: 200, errors: ['proof_needed'],
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' }, freshProof: 'forOthers' },
    summary: 'All that the clinic keeps about a person, as a copy for them',
  },
  eraseClinicData: {
    service: 'clinic', method: 'POST', path: '/appoinments/erasure', status: 200, errors: ['proof_needed', 'staff_account'],
    access: { kind: 'restricted', roles: admin, self: { in: 'body', field: 'email' }, freshProof: 'always' },
    summary: 'Forget who a person was: cancels what is still to come and keeps appointments and history without name; to be repeated until done',
  },
  bookAppointment: {
    service: 'clinic', method: 'POST', path: '/appoinments', status: 201, errors: ['slot_taken', 'too_many_appointments', 'idempotency_mismatch', 'in_progress'], idempotent: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'body', field: 'patientemail' } },
    summary: 'Book a slot; the status is always Pending',
  },
  changeAppointmentStatus: {
    service: 'clinic', method: 'PATCH', path: '/update-appoinment/:id', status: 200, errors: ['not_found', 'transition_refused', 'too_late'],
    access: { kind: 'restricted', roles: admin, owners: [{ as: 'patient' }, { as: 'doctor', role: 'doctor' }] },
    summary: 'Confirm or cancel an appointment',
  },
  rescheduleAppointment: {
    service: 'clinic', method: 'PATCH', path: '/appoinments/:id', status: 200, errors: ['not_found', 'slot_taken', 'too_many_appointments', 'transition_refused', 'too_late'],
    access: { kind: 'restricted', roles: admin, owners: [{ as: 'patient' }, { as: 'doctor', role: 'doctor' }] },
    summary: 'Move an appointment to another free slot of its doctor; moved by its patient it is Pending again',
  },
  moveToColleague: {
    service: 'clinic', method: 'PATCH', path: '/appoinments/:id/doctor', status: 200, errors: ['not_found', 'slot_taken', 'too_many_appointments', 'transition_refused'],
    access: { kind: 'restricted', roles: admin },
    summary: 'Move an appointment to a free slot of another doctor, and keep what its patient said to it',
  },
  getAppointmentCalendar: {
    service: 'clinic', method: 'GET', path: '/appoinments/:id/calendar', status: 200, errors: ['not_found'], media: 'text/calendar',
    access: { kind: 'restricted', roles: admin, owners: [{ as: 'patient' }, { as: 'doctor', role: 'doctor' }] },
    summary: 'An appointment as a calendar file (RFC 5545)',
  },
  getAppointmentHistory: {
    service: 'clinic', method: 'GET', path: '/appoinments/:id/history', status: 200, errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, owners: [{ as: 'patient' }, { as: 'doctor', role: 'doctor' }] },
    summary: 'What happened to an appointment, the latest first',
  },
  // --- pharmacy -------------------------------------------------------------------------------------------------
  listMedicines: {
    service: 'pharmacy', method: 'GET', path: '/medicine', access: { kind: 'everyone' }, status: 200, errors: [], paged: true,
    summary: 'All medicine records',
  },
  addMedicine: {
    service: 'pharmacy', method: 'POST', path: '/medicine', access: { kind: 'restricted', roles: staff }, status: 201, errors: ['duplicate'],
    summary: 'Add a medicine to the inventory',
  },
  checkMedicineImport: {
    service: 'pharmacy', method: 'POST', path: '/medicine/import/check', access: { kind: 'restricted', roles: staff }, status: 200, errors: ['duplicate'],
    summary: 'Say whether these medicines could be imported; stores nothing',
  },
  importMedicines: {
    service: 'pharmacy', method: 'POST', path: '/medicine/import', access: { kind: 'restricted', roles: staff }, status: 201,
    errors: ['duplicate', 'idempotency_mismatch', 'in_progress'], idempotent: true, timeoutSeconds: 30,
    summary: 'Add many medicines to the inventory: all of the request or none',
  },
  reportStock: {
    service: 'pharmacy', method: 'GET', path: '/medicine/report', access: { kind: 'restricted', roles: admin }, status: 200, errors: [],
    summary: 'What runs low, is out of stock, expires soon or has expired',
  },
  getMedicine: {
    service: 'pharmacy', method: 'GET', path: '/medicine/:id', access: { kind: 'restricted', roles: staff }, status: 200, errors: ['not_found'],
    summary: 'One medicine record; its ETag stands for what is stated about it, not for its stock',
  },
  updateMedicine: {
    service: 'pharmacy', method: 'PATCH', path: '/medicine/:id', access: { kind: 'restricted', roles: staff }, status: 200, errors: ['not_found', 'changed_meanwhile'],
    summary: 'Restock or edit a medicine; with If-Match only as long as nobody else has edited it',
  },
  listOrders: {
    service: 'pharmacy', method: 'GET', path: '/orderMedi', status: 200, errors: [], paged: true,
    access: { kind: 'restricted', roles: staff, self: { in: 'query', field: 'email' } },
    summary: 'All orders; with email those of one customer',
  },
  listPharmacyLooks: {
    service: 'pharmacy', method: 'GET', path: '/orderMedi/looks', status: 200, errors: [], paged: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' } },
    summary: "Which staff looked at a person's orders, the latest first",
  },
  watchPharmacy: {
    service: 'pharmacy', method: 'GET', path: '/orderMedi/changes', access: { kind: 'session' }, status: 200, errors: [], media: 'text/event-stream',
    summary: 'Says which lists to load again, each time an order of the caller (staff: any order or medicine) changes',
  },
  listPharmacyEvents: {
    service: 'pharmacy', method: 'GET', path: '/orderMedi/events', access: { kind: 'restricted', roles: admin }, status: 200, errors: [], paged: true,
    summary: 'Everything that happened to orders and medicines, the latest first',
  },
  reportOrders: {
    service: 'pharmacy', method: 'GET', path: '/orderMedi/report', access: { kind: 'restricted', roles: admin }, status: 200, errors: [],
    summary: 'Orders of a period in figures: by day and status, revenue, what was sold most',
  },
  exportPharmacyData: {
    service: 'pharmacy', method: 'GET', path: '/orderMedi/export', status: 200, errors: ['proof_needed'],
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' }, freshProof: 'forOthers' },
    summary: 'All that the pharmacy keeps about a person, as a copy for them',
  },
  erasePharmacyData: {
    service: 'pharmacy', method: 'POST', path: '/orderMedi/erasure', status: 200, errors: ['proof_needed', 'staff_account'],
    access: { kind: 'restricted', roles: admin, self: { in: 'body', field: 'email' }, freshProof: 'always' },
    summary: 'Forget who a person was: cancels pending orders and keeps orders and history without name; to be repeated until done',
  },
  placeOrder: {
    service: 'pharmacy', method: 'POST', path: '/orderMedi', status: 201, errors: ['stock_short', 'price_changed', 'too_many_orders', 'idempotency_mismatch', 'in_progress'], idempotent: true,
    access: { kind: 'restricted', roles: [], self: { in: 'body', field: 'customeremail' } },
    summary: 'Order medicines at the prices it names; stock is taken for all lines or none',
  },
  changeOrderStatus: {
    service: 'pharmacy', method: 'PATCH', path: '/orderMedi/:id', status: 200, errors: ['not_found', 'transition_refused'],
    access: { kind: 'restricted', roles: staff, owners: [{ as: 'customer' }] },
    summary: 'Ship, deliver or cancel an order',
  },
  getMedicineHistory: {
    service: 'pharmacy', method: 'GET', path: '/medicine/:id/history', status: 200, errors: ['not_found'],
    access: { kind: 'restricted', roles: staff },
    summary: 'What happened to a medicine and its stock, the latest first',
  },
  getOrderHistory: {
    service: 'pharmacy', method: 'GET', path: '/orderMedi/:id/history', status: 200, errors: ['not_found'],
    access: { kind: 'restricted', roles: staff, owners: [{ as: 'customer' }] },
    summary: 'What happened to an order, the latest first',
  },
} as const satisfies Record<string, Route>;

/** Every call without schemas: the product's own, and those that domains add. */
export type Routes = typeof routes & DomainCalls;

/** Name of a REST call. */
export type CallId = keyof Routes;

/** The calls one service answers. */
export function routesOf(service: ServiceName): [keyof typeof routes, Route][] {
  return (Object.entries(routes) as [keyof typeof routes, Route][]).filter(([, route]) => route.service === service);
}

/**
 * The first segments of the paths a service owns, e.g. `['medicine', 'orderMedi']`: all a gateway needs for routing. Whole
 * segments are compared, so `/medicine` never matches `/medicinestore`.
 */
export function segmentsOf(service: ServiceName): string[] {
  return [...new Set(routesOf(service).map(([, route]) => route.path.split('/')[1] ?? ''))];
}
