// `npm run lab`: a page on this machine with buttons that break parts of a clinic started for it.
import { buildChanged } from '../../../scripts/stack/build.ts';
import { openOwnClinic } from '../support/start-clinic.ts';
import { openLab } from './lab.ts';

const port = Number(process.env['LAB_PORT'] ?? 8090);
await buildChanged();
console.log('Starting a clinic for the lab …');
const clinic = await openOwnClinic();
const lab = await openLab(clinic.url, port).catch(async (error: unknown) => {
  await clinic.close();
  throw error;
});
console.log(`\n  Failure lab: ${lab.url}\n  Its clinic:  ${lab.clinic}\n\n  Stop: Ctrl-C. Its data is deleted then.\n`);

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await lab.close();
  await clinic.close();
}
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(signal, () => void stop());
