// Makes somebody an admin, with the service's settings: node src/appoint-admin.ts you@clinic.example
import { CommandError, runOperatorCommand } from './operator-command.ts';
import { appointAdmin } from './users/appoint-admin.ts';

await runOperatorCommand('appoint-admin', async (context, [email, ...rest]) => {
  if (!email?.includes('@') || rest.length > 0)
    throw new CommandError('give one email address: appoint-admin.ts you@clinic.example');
  const changed = await appointAdmin(context, email);
  const said = changed
    ? `${email} is now an admin. Their menu updates within a second.`
    : `${email} is already an admin.`;
  return { lines: [said], done: true };
});
