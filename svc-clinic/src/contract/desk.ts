/** Who works at the desk: everybody's calendar, appointments and waitlist are theirs to read and change. */
export const desk = { roles: ['admin'], rights: ['reception'] } as const;
