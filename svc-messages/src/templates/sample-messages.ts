import type { MessageKind } from '../contract/kinds.ts';
import type { MessageData, MessageOfKind } from './render-message.ts';

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
  recipient: 'Nadia Rahman',
};

const samples: MessageData = {
  'appointment-booked': { visit: pending },
  'appointment-confirmed': { visit: confirmed },
  'appointment-moved': { visit: { ...pending, sequence: 2 }, was: { date: '2026-11-30', time: '09:30' } },
  'appointment-cancelled': { visit: { ...visit, status: 'Cancelled', sequence: 3 } },
  'appointment-reminder': { visit: { ...confirmed, code: 'K7QM' } },
  'appointment-questions': { visit: { ...confirmed, questions: true } },
  'waitlist-offer': {
    offer: {
      id: '000000000000000000000003',
      doctor: visit.doctor,
      date: visit.date,
      time: visit.time,
      place: visit.place,
      moves: { date: '2026-12-04', time: '11:30' },
      until: '2026-11-30T09:30:00Z',
    },
  },
  'waitlist-ended': { place: { whom: visit.doctor, offers: 3 } },
  'order-placed': { order },
  'order-shipped': { order },
  'order-cancelled': { order },
  'back-in-stock': { medicine: { id: '000000000000000000000004', name: 'Paracetamol 500 mg' } },
  'staff-invitation': { link: '/register?invitation=example', role: 'pharmacist', until: '2026-12-08T10:00:00Z' },
  'confirm-address': { link: '/auth/action?mode=verifyEmail&oobCode=example' },
  'password-reset': { link: '/auth/action?mode=resetPassword&oobCode=example' },
  'address-changed': { link: '/auth/action?mode=recoverEmail&oobCode=example' },
  'new-device': { device: 'Chrome on Android', at: '2026-11-30T08:15:00Z' },
  'role-changed': { role: 'doctor' },
};

/** A sample message of a kind, for previews. */
export const sampleOf = (kind: MessageKind) => ({ kind, data: samples[kind] }) as MessageOfKind;
