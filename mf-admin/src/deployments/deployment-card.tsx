import { useConfig } from '@clinic/app-kit';
import type { Deployment } from '@clinic/svc-identity/contract/deployment-calls';
import { Button, Card, StatusBadge, type Tone } from '@clinic/ui';
import { DataTable } from '@clinic/ui/tables';
import { useMemo } from 'react';
import { inWords } from '../instants.tsx';
import type { Change } from './calls.ts';
import { releaseColumns } from './release-columns.tsx';
import { canaryRulesText, countText, decisionText, errorsText, percentText } from './words.ts';

export interface DeploymentCardProps {
  readonly deployment: Deployment;
  /** Days that the figures cover. */
  readonly days: number;
  readonly onChoose: (change: Change) => void;
}

const held = {
  pinned: { text: 'Pinned', tone: 'yellow' },
  'rolled back': { text: 'Rolled back', tone: 'yellow' },
  promoted: { text: 'Promoted', tone: 'green' },
} as const satisfies Record<NonNullable<Deployment['held']>, { readonly text: string; readonly tone: Tone }>;

/** A reason this build doesn't know, from a newer release, is shown as it is. */
const heldBadge = (why: NonNullable<Deployment['held']>): { readonly text: string; readonly tone: Tone } =>
  Object.hasOwn(held, why) ? held[why] : { text: why, tone: 'grey' };

/** One front-end: the release in use and why, its canary, all its releases and the actions on them. */
export function DeploymentCard({ deployment, days, onChoose }: DeploymentCardProps) {
  const { name, revision, before, decision, canary } = deployment;
  const { clinicTimeZone } = useConfig();
  const columns = useMemo(
    () => releaseColumns({ deployment, timeZone: clinicTimeZone, onChoose }),
    [deployment, clinicTimeZone, onChoose],
  );
  const heading = `deployment-${name}`;
  return (
    <section aria-labelledby={heading} className="grid gap-3">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id={heading} className="text-heading font-bold wrap-anywhere">
          {name}
        </h2>
        {deployment.held && (
          <StatusBadge status={heldBadge(deployment.held).text} tone={heldBadge(deployment.held).tone} />
        )}
        {canary && <StatusBadge status="Canary running" tone="blue" icon="activity" />}
        <span className="flex flex-wrap gap-2 sm:ms-auto">
          {deployment.held && (
            <Button
              variant="ghost"
              size="sm"
              icon="pin"
              aria-label={`Unpin ${name}`}
              onClick={() => onChoose({ kind: 'unpin', revision })}
            >
              Unpin
            </Button>
          )}
          {before !== undefined && (
            <Button
              variant="soft"
              size="sm"
              icon="chevron-left"
              aria-label={`Roll back ${name}`}
              onClick={() => onChoose({ kind: 'rollback', revision })}
            >
              Roll back
            </Button>
          )}
        </span>
      </header>
      {decision && (
        <p className="text-sm text-muted wrap-anywhere">
          {decisionText(decision)}, on {inWords(decision.at, clinicTimeZone)}.
        </p>
      )}
      {name === 'shell' && (
        <p className="text-sm text-muted">
          The frame of every page, so all visitors get the same release: it can’t be a canary. Its visits are page
          loads; who only reads a public page runs no scripts, and isn’t counted.
        </p>
      )}
      {canary && <CanaryPanel name={name} canary={canary} onStop={() => onChoose({ kind: 'stop', revision })} />}
      <DataTable
        caption={`Releases of ${name}, with what pages reported in the last ${days} days`}
        columns={columns}
        rows={deployment.releases}
        rowKey={({ version }) => version}
        empty={{ title: 'No releases yet', icon: 'package' }}
      />
    </section>
  );
}

interface CanaryPanelProps {
  readonly name: string;
  readonly canary: NonNullable<Deployment['canary']>;
  readonly onStop: () => void;
}

function CanaryPanel({ name, canary, onStop }: CanaryPanelProps) {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-[1_1_18rem]">
        <p className="font-semibold wrap-anywhere">
          {percentText(canary.share)} of visitors get {canary.version}
        </p>
        <p className="text-sm">
          {countText(canary.visits)} visits so far, with errors: {errorsText(canary)}
        </p>
        {canary.oneNetwork === true && (
          <p className="text-sm font-semibold">
            Without one network’s errors it would be below {percentText(canary.errorRate)}, so it isn’t rolled back.
            Stop it if that network is yours.
          </p>
        )}
        <p className="text-sm text-muted">{canaryRulesText(canary)}</p>
      </div>
      <Button variant="secondary" size="sm" icon="x" aria-label={`Stop the canary of ${name}`} onClick={onStop}>
        Stop it
      </Button>
    </Card>
  );
}
