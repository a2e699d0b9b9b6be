// `npm run bench [-- area …] [-- --quick]`: measures, and saves the figures in results/.
import { areas } from './areas.ts';
import { keepResults, printArea } from './report/report.ts';
import type { Area } from './support/area.ts';
import { stopSharedClinic } from './support/clinic.ts';
import { runArea } from './support/run-area.ts';
import { killPrograms } from './support/program.ts';
import type { AreaResult } from './support/results.ts';

/** A quick run takes a tenth of the time, and its figures are not saved. */
const quickEffort = 0.1;

const usage = `usage: npm run bench [-- area …] [-- --quick]; areas: ${areas.map(({ name }) => name).join(', ')}`;

async function main(args: readonly string[]): Promise<void> {
  const quick = args.includes('--quick');
  const names = args.filter((arg) => arg !== '--quick');
  const isNamed = ({ name }: Area, asked: string): boolean => name === asked || name.startsWith(`${asked}-`);
  const unknown = names.filter((name) => !areas.some((area) => isNamed(area, name)));
  if (unknown.length > 0) throw new Error(`There is no area ${unknown.join(', ')}.\n${usage}`);
  const chosen: readonly Area[] =
    names.length === 0 ? areas : areas.filter((area) => names.some((name) => isNamed(area, name)));
  const began = performance.now();
  const results: AreaResult[] = [];
  let broken = 0;
  for (const area of chosen) {
    console.log(`\n${area.title} …`);
    try {
      const result = await runArea(area, quick ? quickEffort : 1);
      printArea(result);
      results.push(result);
      // After each area, so that finished areas are saved even if a later one is interrupted.
      if (!quick) keepResults(results);
    } catch (error) {
      broken += 1;
      console.error(`${area.name} could not be measured: ${(error as Error).stack}`);
    }
  }
  await stopSharedClinic();
  console.log(
    `\n${Math.round((performance.now() - began) / 1000)} s in all.${quick ? ' A quick look: nothing was kept.' : ' Kept in bench/results.'}`,
  );
  process.exit(broken > 0 ? 1 : 0);
}

for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.once(event, () => process.exit(1));
process.once('exit', killPrograms);

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error((error as Error).message);
  process.exit(1);
});
