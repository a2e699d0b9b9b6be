import { addDays } from '@clinic/contracts';
import { appointment, doctor, event, medicine, order, today, user } from './records.ts';

/** The queries of one service, to run with growing numbers of records. */
export interface Domain {
  readonly service: 'identity' | 'clinic' | 'pharmacy';
  /** Generated records by collection, from their number; as many as the size, or up to a limit. */
  readonly collections: Readonly<
    Record<string, { readonly make: (index: number) => object; readonly atMost?: number }>
  >;
  readonly questions: readonly Asked[];
  /** The whole list, unpaged. */
  readonly whole: string;
}

export interface Asked {
  readonly what: string;
  readonly path: string;
  /** Why its work naturally grows with the number of records; it then has no target. */
  readonly grows?: string;
}

// Each search finds the same number of records at every size.
const monthAgo = addDays(today, -30);
const anywhere = 'any part of a name may be searched, so that the names are read through, from an index alone';

/** Every possible list, search and count. */
export const domains: readonly Domain[] = [
  {
    service: 'clinic',
    collections: {
      appointments: { make: appointment },
      events: { make: event },
      doctors: { make: doctor, atMost: 1_000 },
    },
    whole: '/appoinments',
    questions: [
      { what: 'appointments, newest page with its count', path: '/appoinments?limit=20' },
      { what: 'appointments of a status, with count', path: '/appoinments?limit=20&status=Pending' },
      { what: 'appointments of a patient', path: '/appoinments?limit=20&email=patient7@mail.example' },
      { what: 'appointments of a doctor', path: '/appoinments?limit=20&email=doctor7@clinic.example' },
      { what: 'appointments of one day', path: `/appoinments?limit=20&from=${today}&until=${today}` },
      { what: 'appointments, search for a name', path: '/appoinments?limit=20&q=number000042' },
      {
        what: 'appointments waiting for a doctor',
        path: '/appoinments/unconfirmed?limit=20&email=doctor7@clinic.example',
      },
      { what: 'history, newest page', path: '/appoinments/events?limit=20' },
      { what: 'history of a person', path: '/appoinments/events?limit=20&person=patient7@mail.example' },
      { what: 'history of an action, with count', path: '/appoinments/events?limit=20&action=booked' },
      {
        what: 'report of a month’s appointments',
        path: `/appoinments/report?from=${monthAgo}&until=${today}`,
        grows: 'a month’s appointments are added up, a hundred times as many of them',
      },
    ],
  },
  {
    service: 'pharmacy',
    collections: { orders: { make: order }, medicines: { make: medicine } },
    whole: '/orderMedi',
    questions: [
      { what: 'orders, newest page with its count', path: '/orderMedi?limit=20' },
      { what: 'orders of a status, with count', path: '/orderMedi?limit=20&status=pending' },
      { what: 'orders of a customer', path: '/orderMedi?limit=20&email=customer7@mail.example' },
      { what: 'orders, search for a customer', path: '/orderMedi?limit=20&q=customer42@' },
      { what: 'medicines, first page with its count', path: '/medicine?limit=20' },
      { what: 'medicines of a status, with count', path: '/medicine?limit=20&status=low%20stock' },
      { what: 'medicines that expire soon, with count', path: '/medicine?limit=20&expiry=soon' },
      { what: 'medicines, search inside names', path: '/medicine?limit=20&q=parlor', grows: anywhere },
      { what: 'report of stock', path: '/medicine/report', grows: 'counts what runs low and what expires' },
      {
        what: 'report of a month’s orders',
        path: `/orderMedi/report?from=${monthAgo}&until=${today}`,
        grows: 'a month’s orders are added up, more of them',
      },
    ],
  },
  {
    service: 'identity',
    collections: { users: { make: user } },
    whole: '/users',
    questions: [
      { what: 'users, first page with its count', path: '/users?limit=20' },
      { what: 'users, newest first', path: '/users?limit=20&sort=newest' },
      { what: 'users of a role, with count', path: '/users?limit=20&role=doctor' },
      { what: 'users, search for a name', path: '/users?limit=20&q=number000042' },
      { what: 'users, search for an email', path: '/users?limit=20&q=quincoran000056' },
      {
        what: 'report of users',
        path: `/users/report?from=${monthAgo}&until=${today}`,
        grows: 'counts all users by role',
      },
    ],
  },
];
