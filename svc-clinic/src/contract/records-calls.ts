import { eventFilters, lookers, periodFilters } from '@clinic/contracts/authority';
import { defineCalls } from '@clinic/contracts/define-calls';
import { id } from '@clinic/contracts/schemas/fields';
import { eventList } from '@clinic/contracts/schemas/history';
import { looksAt } from '@clinic/contracts/schemas/looks';
import { erasure, exportOfPerson } from '@clinic/contracts/schemas/personal-data';
import { reportPeriod } from '@clinic/contracts/schemas/report-period';
import { z } from 'zod';
import { appointments } from './desk.ts';
import { appointmentReport } from './reports.ts';

const admin = ['admin'] as const;

/** The calls about all that the service keeps: events, reports, who looked, copies and deletions. */
export const recordsCalls = defineCalls('clinic', {
  listClinicLooks: {
    method: 'GET',
    path: '/appoinments/looks',
    looks: true,
    paged: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' } },
    summary: "List which staff viewed a person's appointments or profile, newest first",
    ...looksAt,
    decides: { 'query.email': 'session' },
    unnoted: lookers,
  },
  listClinicEvents: {
    method: 'GET',
    path: '/appoinments/events',
    access: { kind: 'restricted', roles: admin },
    paged: true,
    summary: 'List all events on appointments and profiles, newest first',
    ...eventList,
    decides: eventFilters,
    shows: { ...appointments, whose: 'people', narrowedBy: ['person', 'record'] },
  },
  reportAppointments: {
    method: 'GET',
    path: '/appoinments/report',
    access: { kind: 'restricted', roles: admin },
    summary: 'Report the appointments in a period by day, specialty and doctor',
    query: reportPeriod,
    response: appointmentReport,
    decides: periodFilters,
    unnoted: 'the public directory of doctors',
  },
  exportClinicData: {
    method: 'GET',
    path: '/appoinments/export',
    personalData: 'copy',
    errors: ['changed_meanwhile', 'proof_needed', 'rate_limited'],
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' }, freshProof: 'forOthers' },
    summary: 'Export everything the clinic service holds about a person',
    ...exportOfPerson,
    decides: { 'query.email': 'session', 'query.userId': 'record' },
    shows: { ...appointments, whose: 'told', copy: true },
  },
  eraseClinicData: {
    method: 'POST',
    path: '/appoinments/erasure',
    personalData: 'erasure',
    errors: ['proof_needed', 'staff_account'],
    access: { kind: 'restricted', roles: admin, self: { in: 'body', field: 'email' }, freshProof: 'always' },
    summary: 'Read how far the deletion of a person has got in the clinic, for earlier front-ends',
    ...erasure,
    decides: { 'body.email': 'database', 'body.userId': 'ignored', 'body.emailConfirmed': 'ignored' },
  },
  erasePatient: {
    method: 'DELETE',
    path: '/appoinments/:id/patient',
    errors: ['not_found', 'proof_needed', 'transition_refused'],
    access: { kind: 'restricted', roles: admin, freshProof: 'always' },
    summary: 'Delete the patient of an appointment who has neither an account nor an email address',
    params: z.object({ id }),
    response: erasure.response,
    decides: { 'params.id': 'record' },
  },
});
