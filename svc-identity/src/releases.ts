// Says and decides which release of a front-end visitors get, with the service's settings: node src/releases.ts list
import { runCommand } from './deployments/release-commands.ts';
import { runOperatorCommand } from './operator-command.ts';

await runOperatorCommand('releases', (context, words) => runCommand(context, words));
