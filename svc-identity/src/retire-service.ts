// Makes deletions no longer wait for a removed service, with svc-identity's settings: node src/retire-service.ts home-visits
import { CommandError, runOperatorCommand } from './operator-command.ts';
import { retireService } from './personal-data/retire-service.ts';

await runOperatorCommand('retire-service', async (context, [service, ...rest]) => {
  if (service === undefined || rest.length > 0)
    throw new CommandError('give the name of one service: retire-service.ts home-visits');
  const retired = await retireService(context, service);
  const said = retired ? `Deletions no longer wait for ${service}.` : `Deletions don’t wait for ${service}.`;
  return { lines: [said], done: true };
});
