import { Random } from '@clinic/mongo-embedded/testing/random';

/** What somebody is going to do on the day. */
export interface Person {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  /** Index of the doctor they come to. */
  readonly doctor: number;
  /** Has an account, and books by phone; the desk books for others, who have no email address. */
  readonly account: boolean;
  /** Comes without an appointment, at this minute of the day. */
  readonly walksInAt?: number;
  readonly wish: 'comes' | 'stays away' | 'cancels' | 'leaves' | 'comes after all';
  /** Minutes after the appointment; negative: before. */
  readonly lateness: number;
  /** Who says that they are here: the desk, both receptionists at once, the patient, or patient and desk at once. */
  readonly arrival: 'desk' | 'both desks' | 'phone' | 'phone and desk';
  /** The appointment is moved first: to later the same day, to another day, or to later and back. */
  readonly move?: 'later' | 'another day' | 'and back';
  /** What the staff note by mistake, take back, and note again. */
  readonly mistake?: 'arrived' | 'called' | 'finished';
  /** The doctor confirms the appointment. */
  readonly confirmed: boolean;
  /** For what depends on the answers; each person's own, so that the order of answers changes nobody else's day. */
  readonly random: Random;
}

export const opensAt = 8 * 60;
export const closesAt = 18 * 60;
/** Minutes of a visit: with four doctors and a place for everybody. */
export const visitMinutes = 20;

/** @param random - decides everything; see `Random` */
export function peopleOf(random: Random, doctors: number, count: number): Person[] {
  return Array.from({ length: count }, (_, index) => {
    const account = random.next() < 0.35;
    const walksIn = !account && random.next() < 0.25;
    const wish = random.pick([
      ...Array.from({ length: 14 }, () => 'comes' as const),
      'stays away' as const,
      'stays away' as const,
      'cancels' as const,
      'cancels' as const,
      'leaves' as const,
      'comes after all' as const,
    ]);
    return {
      name: `Dayton Marlowe${index}x`,
      email: `day${index}@mail.example`,
      phone: `+880 1777 ${String(200_000 + index)}`,
      doctor: index % doctors,
      account,
      ...(walksIn && { walksInAt: opensAt + random.below(closesAt - opensAt - 120) }),
      // Whoever walks in is here.
      wish: walksIn && wish !== 'leaves' ? 'comes' : wish,
      // Most come a little early, some very late.
      lateness: random.next() < 0.15 ? 20 + random.below(60) : random.below(40) - 35,
      arrival: account
        ? random.pick(['phone', 'phone', 'phone and desk', 'desk'])
        : random.pick(['desk', 'desk', 'both desks']),
      ...(!walksIn && random.next() < 0.2 && { move: random.pick(['later', 'another day', 'and back'] as const) }),
      ...(random.next() < 0.2 && { mistake: random.pick(['arrived', 'called', 'finished'] as const) }),
      confirmed: random.next() < 0.5,
      random: new Random(random.below(2 ** 31)),
    };
  });
}
