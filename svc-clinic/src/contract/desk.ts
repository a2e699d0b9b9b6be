/** Who works at the desk: everybody's calendar, appointments and waitlist are theirs to read and change. */
export const desk = { roles: ['admin'], rights: ['reception'] } as const;

/** Whose an appointment, or a doctor's profile, is. */
export const ownDoctor = [{ as: 'doctor', role: 'doctor' }] as const;
export const patientOrDoctor = [{ as: 'patient' }, ...ownDoctor] as const;

/** A call that shows appointments. */
export const appointments = { what: 'appointments', whose: 'patientemail' } as const;
