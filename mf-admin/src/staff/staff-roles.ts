import type { Role } from '@clinic/contracts';

/** The roles of people who work at the clinic. */
export const staffRoles = ['doctor', 'pharmacist', 'admin'] as const satisfies readonly Role[];
export type StaffRole = (typeof staffRoles)[number];

export const isStaffRole = (value: unknown): value is StaffRole => staffRoles.some((role) => role === value);

/** What a role means, for the admin who chooses it. */
export const roleTexts: Readonly<Record<StaffRole, string>> = {
  doctor: 'Appears in the directory, can be booked by patients, and sees their appointments.',
  pharmacist: 'Runs stock and orders, and sees who ordered what.',
  admin: 'Sees and changes everything: users, staff, appointments and orders.',
};

/** The label of a profile's field of work. */
export const expertiseOf = (role: StaffRole): string =>
  role === 'pharmacist' ? 'Area of Expertise' : 'Specialization';
