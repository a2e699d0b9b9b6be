// Checks whether a service may be deployed to a running clinic.
import { exitCodes } from '../deployment/answers.ts';
import { serviceMayDeploy } from '../deployment/check.ts';
import { UserError } from '../log.ts';
import { runProgram } from '../program.ts';

const usage = `npm run service -- check svc-clinic [folder] [--clinic https://clinic.example]
  whether it may be deployed to that clinic (by default the one on this machine), from what runs there
  exit code 0: yes, 1: no, 2: unknown`;

const [command, ...args] = process.argv.slice(2);
await runProgram(async () => {
  if (command !== 'check') throw new UserError(usage);
  const { lines, exitCode } = await serviceMayDeploy(args);
  for (const line of lines) console.log(line);
  process.exitCode = exitCode;
}, exitCodes.unknown);
