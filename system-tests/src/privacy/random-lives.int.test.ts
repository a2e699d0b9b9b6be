import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { clinicMoment } from '@clinic/contracts';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { Random } from '@clinic/mongo-embedded/testing/random';
import { startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { begin, copyOf, leave, openWorld, steps, type Life, type World } from './life.ts';

// Lives random lives through the real services: people register, confirm, move to another address that somebody else then
// takes, book, order, wait, work here for a while, are booked by the reception, and leave; services stop between the steps.
// After each life, nobody's copy has anything of another person, and nothing is left of those who left.

const count = Number(process.env['LIVES'] ?? 2);
const seed = Number(process.env['LIVES_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const stepsOfALife = 7;

let services: ThreeServices;
before(async () => {
  services = await startThreeServices({ messages: 'sending' });
});
after(() => services.close());

const contains = (where: string, text: string): boolean => where.toLowerCase().includes(text.toLowerCase());

/** Where a text was found, to tell which record has it. */
function around(where: string, text: string): string {
  const at = where.toLowerCase().indexOf(text.toLowerCase());
  return where.slice(Math.max(0, at - 400), at + 200);
}

/** The texts that must not be in this person's copy: marks of all others, and addresses that they alone had. */
function foreignTo(life: Life, { lives, walkIns }: World): string[] {
  const others = lives.filter((other) => other !== life);
  const addresses = others.flatMap((other) => [...other.addresses]).filter((email) => !life.addresses.has(email));
  const marks = [...others.flatMap((other) => [...other.marks]), ...[...walkIns.values()].flat()];
  return [...marks.filter((mark) => !life.marks.has(mark)), ...addresses];
}

/** The texts that must not be stored anywhere. */
function goneOf({ lives, walkIns }: World): string[] {
  const left = lives.filter(({ deleted }) => deleted);
  // Somebody else has the address now, with an account or without.
  const others = lives.filter(({ deleted }) => !deleted).flatMap(({ addresses }) => [...addresses]);
  const kept = new Set([...others, ...walkIns.keys()]);
  return left.flatMap(({ marks, addresses }) => [...marks, ...[...addresses].filter((email) => !kept.has(email))]);
}

async function compare(world: World): Promise<void> {
  for (const life of world.lives.filter(({ deleted }) => !deleted)) {
    const copy = await copyOf(world, life);
    for (const foreign of foreignTo(life, world))
      assert.ok(!contains(copy, foreign), `the copy of ${life.person.email} has ${foreign}`);
  }
  await waitUntil(async () => {
    const all = await Promise.all(
      (['identity', 'clinic', 'pharmacy', 'messages'] as const).map((service) => services.dump(service)),
    );
    for (const trace of goneOf(world))
      for (const dump of all) assert.ok(!contains(dump, trace), `${trace} is still stored: ${around(dump, trace)}`);
  });
}

test(
  'random lives leave nothing of others in a copy, and nothing of those who left',
  { timeout: 3_600_000 },
  async () => {
    const random = new Random(seed);
    const world = await openWorld(services, random, clinicMoment(new Date(), 'Asia/Dhaka').date);
    const names = Object.keys(steps) as (keyof typeof steps)[];
    try {
      for (let lived = 0; lived < count; lived += 1) {
        const others = world.lives.filter(({ deleted }) => !deleted);
        const life = await begin(world);
        world.told.push(`register ${life.person.email}`);
        for (const name of ['move' as const, ...Array.from({ length: stepsOfALife }, () => random.pick(names))]) {
          // Somebody else's step, now and then.
          const whose = others.length > 0 && random.next() < 0.3 ? random.pick(others) : life;
          world.told.push(`${name} ${whose.person.email}`);
          await steps[name](world, whose);
        }
        if (random.next() < 0.7) {
          const leaving = random.pick([life, ...others]);
          // An order on its way would keep its address until it has arrived.
          world.told.push(`leave ${leaving.person.email}`);
          await leave(world, leaving);
        }
        await compare(world);
      }
      for (const life of world.lives.filter(({ deleted }) => !deleted)) {
        world.told.push(`leave ${life.person.email}`);
        await leave(world, life);
        await compare(world);
      }
    } catch (error) {
      throw new Error(`LIVES_SEED=${seed} LIVES=${count}: ${world.told.join(', ')}`, { cause: error });
    }
  },
);
