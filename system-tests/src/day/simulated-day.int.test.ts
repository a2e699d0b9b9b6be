// A day of the clinic: four doctors, two receptionists and 120 people who are late, come twice or never, move, cancel and
// walk in, while each service is restarted. The same seed gives the same people; another day: DAY_SEED=7 npm test -- simulated-day
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { Random } from '@clinic/mongo-embedded/testing/random';
import { startPagelessGateway } from '../support/pageless-gateway.ts';
import { startThreeServices } from '../support/three-services.ts';
import { openDay } from './clinic-day.ts';
import { MovedClock } from './moved-clock.ts';
import { peopleOf } from './people.ts';
import { endOf, figuresAgree, historyIsWhole, patientsAgree } from './recount.ts';
import { runDay } from './run-day.ts';

const seed = Number(process.env['DAY_SEED'] ?? 831_923);

test(`a simulated day ends well for everybody (DAY_SEED=${seed})`, { timeout: 600_000 }, async (t) => {
  const random = new Random(seed);
  using clock = new MovedClock();
  await using begun = new AsyncDisposableStack();
  const services = await startThreeServices({ messages: 'idle' });
  begun.defer(() => services.close());
  const gateway = await startPagelessGateway(services, { log: pino({ level: 'silent' }) });
  begun.defer(() => gateway.close());
  const day = await openDay(services, gateway.url, clock);
  begun.defer(() => day.screens.forEach((screen) => screen.close()));

  const people = peopleOf(random, day.doctors.length, 120);
  const everybody = await runDay(day, people, random);

  const ends = Map.groupBy(people, (person) => endOf(day, everybody.get(person)));
  t.diagnostic(
    `${day.answers.requests} requests, ${[...ends].map(([end, { length }]) => `${length} ${end}`).join(', ')}`,
  );
  const final = ['finished', 'missed', 'cancelled', 'another day', 'sent home'];
  assert.deepEqual(
    [...ends.keys()].filter((end) => !final.includes(end)),
    [],
  );
  await historyIsWhole(day, everybody);
  await patientsAgree(everybody);
  await figuresAgree(day, everybody);
  assert.deepEqual(day.answers.violations, []);
});
