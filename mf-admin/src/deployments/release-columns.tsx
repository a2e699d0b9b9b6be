import type { CanaryRules, Deployment } from '@clinic/svc-identity/contract/deployment-calls';
import { Button, StatusBadge } from '@clinic/ui';
import { actionsColumn } from '@clinic/ui/list-parts';
import { RowMenu, type Column } from '@clinic/ui/tables';
import { inWords } from '../instants.tsx';
import type { Change, Release } from './calls.ts';
import { countText, errorsText } from './words.ts';

export interface ReleaseColumnsOptions {
  readonly deployment: Deployment;
  readonly timeZone: string;
  readonly onChoose: (change: Change) => void;
}

/** The columns of a front-end's releases. */
export function releaseColumns({ deployment, timeZone, onChoose }: ReleaseColumnsOptions): readonly Column<Release>[] {
  return [
    {
      key: 'version',
      header: 'Release',
      primary: true,
      cell: (release) => <Version release={release} deployment={deployment} />,
    },
    {
      key: 'at',
      header: 'Deployed',
      foldInto: 'version',
      foldLabel: 'Deployed',
      cell: ({ at }) => inWords(at, timeZone),
    },
    figureColumn('visits', 'Visits', ({ visits }) => countText(visits)),
    figureColumn('errors', 'With errors', errorsText),
    actionsColumn((release) => <Actions release={release} deployment={deployment} onChoose={onChoose} />),
  ];
}

function figureColumn(
  key: string,
  header: string,
  text: (figures: NonNullable<Release['figures']>) => string,
): Column<Release> {
  return { key, header, align: 'end', cell: ({ figures }) => (figures && text(figures)) || '–' };
}

function Version({ release: { version }, deployment: { served, deployed, canary } }: ReleaseProps) {
  return (
    <>
      <span className="block max-w-60 wrap-anywhere">{version}</span>
      <span className="mt-1 flex flex-wrap gap-1">
        {version === served && <StatusBadge status="Served" tone="green" />}
        {version === canary?.version && <StatusBadge status="Canary" tone="blue" icon="activity" />}
        {version === deployed && version !== served && (
          <StatusBadge status="Deployed last" tone="grey" icon="package" />
        )}
      </span>
    </>
  );
}

/** The defaults of the command line. */
const usualRules: CanaryRules = { share: 0.05, errorRate: 0.05, minVisits: 50, quietMinutes: 30 };

interface ReleaseProps {
  readonly release: Release;
  readonly deployment: Deployment;
}

function Actions({
  release: { version },
  deployment: { name, revision, served, held, canary },
  onChoose,
}: ReleaseProps & Pick<ReleaseColumnsOptions, 'onChoose'>) {
  const isServed = version === served;
  // A shell is the same for everybody.
  const mayBeCanary = !isServed && canary === undefined && name !== 'shell';
  if (isServed && held === 'pinned') return null;
  return (
    <RowMenu label={`Actions for ${version} of ${name}`}>
      <Button
        variant="ghost"
        size="sm"
        icon="pin"
        aria-label={`Pin ${version} of ${name}`}
        onClick={() => onChoose({ kind: 'pin', revision, version })}
      >
        Pin
      </Button>
      {mayBeCanary && (
        <Button
          variant="ghost"
          size="sm"
          icon="activity"
          aria-label={`Start ${version} of ${name} as a canary`}
          onClick={() => onChoose({ kind: 'canary', revision, version, ...usualRules })}
        >
          Start canary
        </Button>
      )}
    </RowMenu>
  );
}
