import { temporaryFolder, type Area } from '../support/area.ts';
import { startClinic } from '../support/clinic.ts';
import { limited } from '../support/results.ts';
import { median } from '../support/rounds.ts';

/** Target: maximum seconds from the command to the first page. */
const target = 10;

export const startUp: Area = {
  name: 'start-up',
  title: 'Starting on a built tree',
  within: 400,
  async run({ effort, say, after }) {
    const dataDir = temporaryFolder({ after }, 'start');
    say('the first start, which builds what has changed and fills the databases …');
    const first = await startClinic(dataDir);
    await first.stop();
    const again: number[] = [];
    for (let step = 0; step < (effort < 1 ? 1 : 3); step += 1) {
      const clinic = await startClinic(dataDir);
      again.push(clinic.startedIn / 1000);
      await clinic.stop();
    }
    return {
      how: `The whole application with ${again.length === 1 ? 'one start' : `the median of ${again.length} starts`}: databases, sign-in, services, front-ends, gateway, until the home page answers.`,
      rows: [
        { ...limited('start again', median(again), 's', target), chart: 'npm start on a built tree' },
        { what: 'the first start with empty databases', ours: { value: first.startedIn / 1000, unit: 's' } },
      ],
      remarks: [
        'The first start also builds front-ends whose sources have changed since the last build; `npm start` adds half a second for its own checks.',
      ],
    };
  },
};
