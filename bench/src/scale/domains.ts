import { addDays } from '@clinic/contracts';
import { appointment, doctor, event, medicine, movement, order, today, user } from './records.ts';

/** The queries of one service, to run with growing numbers of records. */
export interface Domain {
  readonly service: 'identity' | 'clinic' | 'pharmacy';
  /** Record generators by collection, from a record's number; as many records as the size, or up to a limit. */
  readonly collections: Readonly<
    Record<string, { readonly make: (index: number) => object; readonly atMost?: number }>
  >;
  readonly questions: readonly Question[];
  /** The whole list, unpaged. */
  readonly whole: string;
}

export interface Question {
  readonly what: string;
  readonly path: string;
  /** Why its work naturally grows with the number of records; it then has no target. */
  readonly grows?: string;
}

// Each search finds the same number of records at every size.
const monthAgo = addDays(today, -30);

/** Every possible list, search and count. */
export const domains: readonly Domain[] = [
  {
    service: 'clinic',
    collections: {
      appointments: { make: appointment },
      events: { make: event },
      doctors: { make: doctor },
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
        what: 'appointments of a status, search for a name',
        path: '/appoinments?limit=5&q=number000042&status=Confirmed',
      },
      {
        what: 'appointments waiting for a doctor',
        path: '/appoinments/unconfirmed?limit=20&email=doctor7@clinic.example',
      },
      { what: 'doctors, first page with its count', path: '/doctors?limit=20' },
      { what: 'doctors, search inside names', path: '/doctors?limit=20&q=arloran%20nr235' },
      {
        what: 'doctors, search for a letter',
        path: '/doctors?limit=20&q=q',
        grows: 'reads doctors in the order of their names until a page matches',
      },
      {
        what: 'doctors of a search, soonest first',
        path: '/doctors?limit=20&sort=soonest&q=arloran%20nr235',
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
    collections: { orders: { make: order }, medicines: { make: medicine }, movements: { make: movement } },
    whole: '/orderMedi',
    questions: [
      { what: 'orders, newest page with its count', path: '/orderMedi?limit=20' },
      { what: 'orders of a status, with count', path: '/orderMedi?limit=20&status=pending' },
      { what: 'orders of a customer', path: '/orderMedi?limit=20&email=customer7@mail.example' },
      { what: 'orders, search for a customer', path: '/orderMedi?limit=20&q=customer42@' },
      { what: 'orders, search for a recipient', path: '/orderMedi?limit=20&q=number000042' },
      { what: 'orders of a status, search for a recipient', path: '/orderMedi?limit=1&q=number000042&status=pending' },
      { what: 'orders, search for a recipient whom nobody has', path: '/orderMedi?limit=20&q=zzzz' },
      { what: 'medicines, first page with its count', path: '/medicine?limit=20' },
      { what: 'medicines of a status, with count', path: '/medicine?limit=20&status=low%20stock' },
      { what: 'medicines that expire soon, with count', path: '/medicine?limit=20&expiry=soon' },
      { what: 'medicines, search inside names', path: '/medicine?limit=20&q=arloran%20235' },
      { what: 'medicines, search for a letter', path: '/medicine?limit=20&q=q' },
      {
        what: 'report of stock',
        path: '/medicine/report',
        grows: 'counts what runs low and what expires',
      },
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
      { what: 'users, search for a letter', path: '/users?limit=20&q=q' },
      {
        what: 'users of a role, search for a letter and a name',
        path: '/users?limit=20&q=n%20number000042&role=patient',
      },
      { what: 'users, search inside names', path: '/users?limit=20&q=mber000042' },
      { what: 'users, search for an email', path: '/users?limit=20&q=quincoran000056' },
      {
        what: 'report of users',
        path: `/users/report?from=${monthAgo}&until=${today}`,
        grows: 'counts all users by role',
      },
    ],
  },
];
