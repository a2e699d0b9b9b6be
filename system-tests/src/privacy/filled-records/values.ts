import { clinicMoment } from '@clinic/contracts';

/** Somebody with an account. */
export interface Person {
  readonly email: string;
  /** Of their account. */
  readonly id: string;
}
export const other: Person = { email: 'other.person@nowhere.example', id: 'a'.repeat(24) };

/** A time some days from now. */
export const daysFromNow = (days: number): Date => new Date(Date.now() + days * 86_400_000);
export const today = clinicMoment(new Date(), 'Asia/Dhaka').date;

/** Text that is nowhere else in the databases. */
export const mark = (what: string): string => `zqx-${what}`;
