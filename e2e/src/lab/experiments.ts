import { cp, readdir } from 'node:fs/promises';
import { contractVersion } from '@clinic/contracts';
import { runReleaseCommand } from '@clinic/static-server/release-command';
import { changeScript, deploy } from '../support/deploy.ts';
import type { Fault, FrontEnd, TestEnvironment } from '../support/test-environment.ts';
import { deployUnderReader } from './reader.ts';
import { sendVisitors } from './visitors.ts';

/** A remote or a service that can be experimented with. */
export type Part = Exclude<FrontEnd, 'shell'> | 'svc-identity' | 'svc-clinic' | 'svc-pharmacy';

/** An experiment with a part. */
export interface Experiment {
  readonly id: string;
  /** The button. */
  readonly title: string;
  /** What to watch for in the clinic. */
  readonly watch: string;
  /** @returns what came of it, if that isn't plain. @throws ReleaseError if the part can't do it now */
  readonly run: (testEnv: TestEnvironment, part: Part) => Promise<string | void>;
}

/** A page of each part. */
export const pagesOf: Readonly<Record<Part, string>> = {
  'mf-public': '/about',
  'mf-clinic': '/dash/patient',
  'mf-pharmacy': '/medicinestore',
  'mf-admin': '/dash/overview',
  'svc-identity': '/login',
  'svc-clinic': '/ourDoctors',
  'svc-pharmacy': '/medicinestore',
};

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

/** Gives half of the browsers a new release. @param change - of the files of its build */
async function startCanary(
  testEnv: TestEnvironment,
  part: Part,
  change?: (folder: string) => Promise<void>,
): Promise<void> {
  deployments += 1;
  const { dist, releases, ...front } = frontEndOf(testEnv, part);
  const folder = `${dist}-canary-${deployments}`;
  const version = `3.${deployments}.0`;
  await cp(dist, folder, { recursive: true });
  await deploy({ ...front, releases, dist: folder }, (deployments % 16).toString(16), version);
  await change?.(folder);
  await runReleaseCommand(releases, 'add', [folder]);
  await testEnv.operate('canary', part, version, '--share', '50%', '--visits', '4', '--quiet', '1m');
}

/** Makes every page of a build throw. */
async function breakPages(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((one) => /^page-.*\.js$/.test(one)))
    await changeScript(folder, name, (text) => `throw new TypeError('a bug of the lab');${text}`);
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
    run: async (testEnv, part) => void (await testEnv.operate('rollback', part)),
  },
  {
    id: 'canary',
    title: 'Canary',
    watch:
      'Half of the browsers get a new release. After four visits and a quiet minute it goes to all. Visits come by Send visitors, or from private windows of yours.',
    run: (testEnv, part) => startCanary(testEnv, part),
  },
  {
    id: 'bad-canary',
    title: 'Bad canary',
    watch:
      'Half of the browsers get a release whose pages throw. The other half sees nothing of it, and after four visits it is rolled back.',
    run: (testEnv, part) => startCanary(testEnv, part, breakPages),
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

/** Only where no account is needed. */
const visitors: Experiment = {
  id: 'visitors',
  title: 'Send visitors',
  watch: 'Each is a browser of its own, opened out of sight, and reports its visit as everybody’s does.',
  run: (testEnv, part) => sendVisitors(testEnv.url, pagesOf[part], part),
};

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

/** Only where pages reach visitors as HTML. */
const reader: Experiment = {
  id: 'reader',
  title: 'Deploy under a reader',
  watch: 'A browser, out of sight, shows the page as HTML. The remote is deployed anew, then somebody uses the page.',
  run: (testEnv, part) => deployUnderReader(testEnv.url + pagesOf[part], () => deployNext(testEnv, part)),
};

/** All parts with their experiments. */
export const parts: Readonly<Record<Part, readonly Experiment[]>> = {
  'mf-public': [...remoteExperiments, visitors, reader],
  'mf-clinic': remoteExperiments,
  'mf-pharmacy': [...remoteExperiments, visitors, reader],
  'mf-admin': remoteExperiments,
  'svc-identity': serviceExperiments,
  'svc-clinic': serviceExperiments,
  'svc-pharmacy': serviceExperiments,
};
