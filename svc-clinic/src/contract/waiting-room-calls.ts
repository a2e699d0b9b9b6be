import { defineCalls } from '@clinic/contracts/define-calls';
import { z } from 'zod';

const admin = { kind: 'restricted', roles: ['admin'] } as const;

/** What the screen in the waiting room shows: numbers and rooms, never who it is. */
export const waitingRoom = z.object({
  /** ISO instant; the screen says when it is old. */
  at: z.string(),
  /** Who is called in, latest first. */
  called: z.array(
    z.object({
      number: z.number(),
      /** The visit's place, otherwise the doctor's name. */
      room: z.string(),
    }),
  ),
  /** The numbers of those who wait, longest first. */
  waiting: z.array(z.number()),
});
export type WaitingRoom = z.output<typeof waitingRoom>;

/** The calls about the screen in the waiting room, which reads at a secret address. */
export const waitingRoomCalls = defineCalls('clinic', {
  getWaitingScreen: {
    method: 'GET',
    path: '/appoinments/waiting-screen',
    access: admin,
    summary: 'Get whether the waiting-room screen has an address, and since when',
    response: z.object({ since: z.string().optional() }),
  },
  replaceWaitingScreen: {
    method: 'POST',
    path: '/appoinments/waiting-screen',
    access: admin,
    status: 201,
    summary: 'Make the secret address of the waiting-room screen; an earlier address stops working',
    response: z.object({
      since: z.string(),
      /** The secret of the screen's address, shown this once: only its hash is stored. */
      secret: z.string(),
    }),
  },
  endWaitingScreen: {
    method: 'DELETE',
    path: '/appoinments/waiting-screen',
    access: admin,
    status: 204,
    summary: 'End the address of the waiting-room screen',
    response: z.undefined(),
  },
  readWaitingRoom: {
    method: 'GET',
    path: '/waiting-room/:secret',
    access: { kind: 'everyone' },
    errors: ['not_found', 'rate_limited'],
    summary: 'Get which numbers are called where, for the screen with this secret address',
    params: z.object({ secret: z.string().max(200, 'This isn’t the address of a screen') }),
    response: waitingRoom,
    decides: { 'params.secret': 'proof' },
    unnoted: 'numbers and rooms, nobody’s name',
  },
});
