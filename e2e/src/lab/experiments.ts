import { cp } from 'node:fs/promises';
import { contractVersion } from '@clinic/contracts';
import { runReleaseCommand } from '@clinic/static-server/release-command';
import { deploy } from '../support/deploy.ts';
import type { Fault, FrontEnd, TestEnvironment } from '../support/test-environment.ts';

/** A remote or a service that can be experimented with. */
export type Part = Exclude<FrontEnd, 'shell'> | 'svc-identity' | 'svc-clinic' | 'svc-pharmacy';

/** An experiment with a part. */
export interface Experiment {
  readonly id: string;
  /** The button. */
  readonly title: string;
  /** What to watch for in the clinic. */
  readonly watch: string;
  /** @throws ReleaseError if the part can't do it now */
  readonly run: (testEnv: TestEnvironment, part: Part) => Promise<void>;
}

const isScript = (url = ''): boolean => url.split('?', 1)[0]?.endsWith('.js') === true;

const missing: Fault = (req, res) => {
  if (!isScript(req.url)) return false;
  res.writeHead(404).end();
  return true;
};
/** A request that never gets a response. */
const hanging: Fault = (req) => isScript(req.url);

const frontEndOf = (testEnv: TestEnvironment, part: Part) => testEnv.frontEnds[part as Exclude<FrontEnd, 'shell'>];
function breakService(testEnv: TestEnvironment, part: Part, fault?: Fault): void {
  const service = testEnv.services.get(part.slice('svc-'.length));
  if (!service) throw new Error(`The lab has no ${part}`);
  service.breakBy(fault);
}

let deployments = 0;

/**
 * Deploys the same code under new file names, so that no browser has them yet, and waits until visitors get it.
 *
 * @returns the version
 */
async function deployNext(testEnv: TestEnvironment, part: Part, contract = contractVersion): Promise<string> {
  deployments += 1;
  const version = `2.${deployments}.0`;
  const front = frontEndOf(testEnv, part);
  await deploy(front, (deployments % 16).toString(16), version);
  await front.publish((descriptor) => ({ ...descriptor, contractVersion: contract }));
  await testEnv.registered(part as FrontEnd, (remote) => remote.version === version);
  return version;
}

/** Experiments with a remote. */
export const remoteExperiments: readonly Experiment[] = [
  {
    id: 'break',
    title: 'Break',
    watch:
      'Reload and open its page: a panel with Retry takes its place, menus and other pages go on. After Mend, Retry brings it back.',
    async run(testEnv, part) {
      await deployNext(testEnv, part);
      frontEndOf(testEnv, part).breakBy(missing);
    },
  },
  {
    id: 'hang',
    title: 'Hang',
    watch: 'Reload and open its page: a line of progress, and within eight seconds the panel. Other pages don’t wait.',
    async run(testEnv, part) {
      await deployNext(testEnv, part);
      frontEndOf(testEnv, part).breakBy(hanging);
    },
  },
  {
    id: 'deploy',
    title: 'Deploy',
    watch:
      'A tab that is open keeps its version, and is offered the new one when you return to it after half a minute.',
    run: async (testEnv, part) => void (await deployNext(testEnv, part)),
  },
  {
    id: 'downgrade',
    title: 'Downgrade',
    watch: 'The release before is served again, without a reload of open pages. Deploy first.',
    run: async (testEnv, part) => void (await runReleaseCommand(frontEndOf(testEnv, part).releases, 'rollback', [])),
  },
  {
    id: 'canary',
    title: 'Canary',
    watch:
      'Half of the browsers get a new release: compare a few private windows at /registry.json. It goes to all after a quiet minute with five visits.',
    async run(testEnv, part) {
      deployments += 1;
      const { dist, releases, ...front } = frontEndOf(testEnv, part);
      const folder = `${dist}-canary-${deployments}`;
      const version = `3.${deployments}.0`;
      await cp(dist, folder, { recursive: true });
      await deploy({ ...front, releases, dist: folder }, (deployments % 16).toString(16), version);
      await runReleaseCommand(releases, 'add', [folder]);
      await runReleaseCommand(releases, 'canary', [version, '--share', '50%', '--visits', '5', '--quiet', '1m']);
    },
  },
  {
    id: 'mend',
    title: 'Mend',
    watch: 'A healthy build is deployed. Press Retry where a panel is shown.',
    async run(testEnv, part) {
      frontEndOf(testEnv, part).breakBy();
      await deployNext(testEnv, part);
    },
  },
];

/** Experiments with a service. */
export const serviceExperiments: readonly Experiment[] = [
  {
    id: 'stop',
    title: 'Stop',
    watch:
      'Lists say that they can’t be loaded and offer Retry; what has been loaded stays. Other domains’ pages go on.',
    run: async (testEnv, part) =>
      breakService(testEnv, part, (_req, res) => {
        res.destroy();
        return true;
      }),
  },
  {
    id: 'hang',
    title: 'Hang',
    watch: 'Within twelve seconds the page says so. A change that was sent says that it may have been made.',
    run: async (testEnv, part) => breakService(testEnv, part, () => true),
  },
  {
    id: 'start',
    title: 'Start',
    watch: 'Retry brings the lists back; the gateway tries again by itself within seconds.',
    run: async (testEnv, part) => breakService(testEnv, part),
  },
];

/** All parts with their experiments. */
export const parts: Readonly<Record<Part, readonly Experiment[]>> = {
  'mf-public': remoteExperiments,
  'mf-clinic': remoteExperiments,
  'mf-pharmacy': remoteExperiments,
  'mf-admin': remoteExperiments,
  'svc-identity': serviceExperiments,
  'svc-clinic': serviceExperiments,
  'svc-pharmacy': serviceExperiments,
};
