import { defineProblems } from '@clinic/contracts/problems';

/** Errors of the clinic's calls, besides those that every service can send. */
const clinicProblems = defineProblems({
  times_free: { status: 409, title: 'You can book a free time' },
  too_many_waiting: { status: 409, title: 'Too many places on the waitlist' },
  offer_over: { status: 409, title: 'This offer has ended' },
});

type ClinicProblems = typeof clinicProblems;

/** Why an appointment can't be booked at a time: its patient has an appointment with another doctor then. */
export interface SameTime {
  /** The patient's other appointments at that time; without the doctor's name if the caller may not know it. */
  readonly others: readonly { readonly doctorname?: string; readonly date: string; readonly time: string }[];
  /** Whether the request would be accepted with `alsoThen: true`; if not, the patient is at the limit for that time. */
  readonly canConfirm: boolean;
}

/** A free time of a doctor. */
export interface FreeSlot {
  readonly doctorid: string;
  readonly doctorname: string;
  /** 'yyyy-mm-dd' and 'HH:mm' in the clinic's time zone. */
  readonly date: string;
  readonly time: string;
}

declare module '@clinic/contracts/domain' {
  interface DomainProblems extends ClinicProblems {}

  interface ProblemDetails {
    /** With `times_free`: some of the times that the patient could book now, earliest first for each doctor. */
    readonly freeSlots?: readonly FreeSlot[];
    /** With `too_many_appointments` if the patient has another appointment at that time. */
    readonly sameTime?: SameTime;
  }
}
