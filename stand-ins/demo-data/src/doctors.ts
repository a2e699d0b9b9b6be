import type { Specialty } from '@clinic/svc-clinic/contract/limits';
import { doctorRows } from './doctor-rows.ts';
import { demoAccounts, type DemoPerson } from './people.ts';

/** A doctor of the demo clinic: person and profile. */
export interface DemoDoctor extends DemoPerson {
  /** As patients read it, with title. */
  readonly name: string;
  readonly specialty: Specialty;
  readonly qualification: string;
  readonly education: string;
  /** Years. */
  readonly experience: number;
  readonly location: string;
  /** URL of the portrait. */
  readonly image: string;
  readonly isAvailable: boolean;
  /** 'HH:mm' in the clinic's time zone; empty if the doctor lists no times. */
  readonly availableTimes: readonly string[];
  /** 0 to 5. */
  readonly rating: number;
}

/** Eighteen doctors, three for each of the six specialties; the seventh is the demo account. */
export const demoDoctors: readonly DemoDoctor[] = doctorRows.map(([person, training, practice], index) => {
  const [firstName, lastName, dateOfBirth] = person;
  const [specialty, qualification, education, experience] = training;
  const [location, isAvailable, availableTimes, rating] = practice;
  const number = String(index + 1).padStart(2, '0');
  return {
    firstName,
    lastName,
    dateOfBirth,
    specialty,
    qualification,
    education,
    experience,
    location,
    isAvailable,
    availableTimes,
    rating,
    name: `Dr. ${firstName} ${lastName}`,
    email: index === 6 ? demoAccounts.doctor : `${firstName}.${lastName}@clinic.example`.toLowerCase(),
    phone: `+880 1555 0102${number}`,
    image: `/mf/mf-public/portraits/doctor-${number}.svg`,
  };
});
