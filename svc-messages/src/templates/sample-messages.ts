import type { MessageKind } from '../contract/kinds.ts';
import type { MessageOfKind } from './render-message.ts';

const visit = {
  id: '000000000000000000000001',
  doctor: 'Dr. Sara Rahman',
  date: '2026-12-01',
  time: '10:00',
  place: 'Level 3, room 12',
  minutes: 30,
  sequence: 0,
} as const;

const pending = { ...visit, status: 'Pending' } as const;
const confirmed = { ...visit, status: 'Confirmed', sequence: 1 } as const;

const order = {
  id: '000000000000000000000002',
  number: '4F09A1',
  lines: [
    { name: 'Paracetamol 500 mg', quantity: 2 },
    { name: 'Saline nasal spray', quantity: 1 },
  ],
  total: 340.5,
  currency: '৳',
};

/** A sample message of each kind, for previews. */
export const sampleMessages: { readonly [Kind in MessageKind]: Extract<MessageOfKind, { readonly kind: Kind }> } = {
  'appointment-booked': { kind: 'appointment-booked', data: { visit: pending } },
  'appointment-confirmed': { kind: 'appointment-confirmed', data: { visit: confirmed } },
  'appointment-moved': {
    kind: 'appointment-moved',
    data: { visit: { ...pending, sequence: 2 }, was: { date: '2026-11-30', time: '09:30' } },
  },
  'appointment-cancelled': {
    kind: 'appointment-cancelled',
    data: { visit: { ...visit, status: 'Cancelled', sequence: 3 } },
  },
  'appointment-reminder': { kind: 'appointment-reminder', data: { visit: confirmed } },
  'waitlist-offer': {
    kind: 'waitlist-offer',
    data: {
      offer: {
        id: '000000000000000000000003',
        doctor: visit.doctor,
        date: visit.date,
        time: visit.time,
        until: '2026-11-30T09:30:00Z',
      },
    },
  },
  'order-placed': { kind: 'order-placed', data: { order } },
  'order-shipped': { kind: 'order-shipped', data: { order } },
  'order-cancelled': { kind: 'order-cancelled', data: { order } },
  'back-in-stock': {
    kind: 'back-in-stock',
    data: { medicine: { id: '000000000000000000000004', name: 'Paracetamol 500 mg' } },
  },
  'staff-invitation': {
    kind: 'staff-invitation',
    data: { link: '/register?invitation=example', role: 'pharmacist', until: '2026-12-08T10:00:00Z' },
  },
  'confirm-address': {
    kind: 'confirm-address',
    data: { link: '/auth/action?mode=verifyEmail&oobCode=example' },
  },
  'password-reset': {
    kind: 'password-reset',
    data: { link: '/auth/action?mode=resetPassword&oobCode=example' },
  },
  'new-device': { kind: 'new-device', data: { device: 'Chrome on Android', at: '2026-11-30T08:15:00Z' } },
  'role-changed': { kind: 'role-changed', data: { role: 'doctor' } },
};
