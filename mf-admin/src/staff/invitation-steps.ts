import type { StaffRole } from './staff-roles.ts';

/** The steps of an invitation, with their titles. */
export const steps = {
  role: 'Role',
  person: 'Person',
  profile: 'Profile',
  check: 'Check',
} as const;
export type Step = keyof typeof steps;

/** The steps for a role, in order. */
export const stepsOf = (role: StaffRole): readonly Step[] =>
  role === 'admin' ? ['role', 'person', 'check'] : ['role', 'person', 'profile', 'check'];

/** The step of a field; the others are of the profile. */
export const stepOfField: Readonly<Record<string, Step>> = {
  email: 'person',
  role: 'role',
};

/** The heading of a step. */
export function titleOf(step: Step, role: StaffRole): string {
  switch (step) {
    case 'role':
      return 'What will they work as?';
    case 'person':
      return 'Who is it?';
    case 'profile':
      return role === 'doctor' ? 'What patients see about them' : 'Their profile';
    case 'check':
      return 'Check the invitation';
  }
}
