import { demoAccounts, type DemoPerson } from './people.ts';

/** A pharmacist of the demo clinic: person and profile. */
export interface DemoPharmacist extends DemoPerson {
  readonly name: string;
  readonly qualification: string;
  /** Area of expertise. */
  readonly specialization: string;
  /** Years. */
  readonly experience: number;
  readonly status: 'active' | 'on leave';
}

type Row = readonly [string, string, string, string, string, number, DemoPharmacist['status']];

const rows: readonly Row[] = [
  ['Imran', 'Kabir', '1985-04-25', 'B.Pharm, M.Pharm', 'Clinical Pharmacy', 12, 'active'],
  ['Olivia', 'Schmidt', '1990-08-08', 'PharmD', 'Oncology Pharmacy', 8, 'active'],
  ['Shirin', 'Sultana', '1982-01-19', 'B.Pharm', 'Community Pharmacy', 15, 'active'],
  ['Ngozi', 'Eze', '1994-11-30', 'PharmD', 'Pediatric Pharmacy', 4, 'on leave'],
  ['Rahul', 'Das', '1975-06-06', 'M.Pharm, PhD', 'Pharmacovigilance', 22, 'active'],
];

/** Five pharmacists; the first is the demo account. */
export const demoPharmacists: readonly DemoPharmacist[] = rows.map(
  ([firstName, lastName, dateOfBirth, qualification, specialization, experience, status], index) => ({
    firstName,
    lastName,
    dateOfBirth,
    qualification,
    specialization,
    experience,
    status,
    name: `${firstName} ${lastName}`,
    email: index === 0 ? demoAccounts.pharmacist : `${firstName}.${lastName}@clinic.example`.toLowerCase(),
    phone: `+880 1555 01030${index + 1}`,
  }),
);
