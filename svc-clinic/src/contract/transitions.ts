import type { TransitionTable } from '@clinic/contracts';

export const appointmentStatuses = ['Pending', 'Confirmed', 'Cancelled'] as const;
export type AppointmentStatus = (typeof appointmentStatuses)[number];

/** `doctor` and `patient` are those of the appointment; `admin` is any admin. */
export type AppointmentActor = 'admin' | 'doctor' | 'patient';

export const appointmentTransitions: TransitionTable<AppointmentStatus, AppointmentActor> = {
  Pending: { Confirmed: ['admin', 'doctor', 'patient'], Cancelled: ['admin', 'doctor', 'patient'] },
  Confirmed: { Cancelled: ['admin', 'doctor', 'patient'] },
  Cancelled: {},
};

/** States in which an appointment holds its slot. */
export const slotHoldingStatuses = ['Pending', 'Confirmed'] as const satisfies readonly AppointmentStatus[];
