import { api, definePage, useQuery, type ApiProblem } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { CallResponse } from '@clinic/contracts';
import type { Deployment } from '@clinic/svc-identity/contract/deployment-calls';
import { Card, CardSkeleton, EmptyState, ErrorState, PageHeader } from '@clinic/ui';
import { useState } from 'react';
import './calls.ts';
import type { Change } from './calls.ts';
import { CanaryDialog } from './canary-dialog.tsx';
import { ChangeDialog, doneText } from './change-dialog.tsx';
import { DeploymentCard } from './deployment-card.tsx';
import '../setup.ts';

/** A change that the admin has chosen and not confirmed yet. */
interface Chosen {
  readonly deployment: Deployment;
  readonly change: Change;
}

/** Milliseconds between polls: figures come in, and decide about a canary, without anybody's doing. */
const pollMs = 10_000;

/** Deployments (`/dash/deployments`): the release of each front-end that visitors get, its figures and actions. */
export function DeploymentsPage() {
  const answer = useQuery<CallResponse<'listDeployments'>, ApiProblem>({
    queryKey: ['listDeployments'],
    queryFn: ({ signal }) => api.call('listDeployments', { signal }),
    refetchInterval: pollMs,
  });
  const [chosen, setChosen] = useState<Chosen>();
  const close = (): void => setChosen(undefined);
  const change = useChange('changeDeployment', {
    invalidates: ['listDeployments', 'listIdentityEvents'],
    success: doneText,
    onDone: close,
    onError: ({ code }) => {
      // What the admin decided on isn't so any more. Otherwise the same can be tried again.
      if (code === 'changed_meanwhile' || code === 'transition_refused' || code === 'not_found') close();
      void answer.refetch();
    },
  });
  const dialog = chosen && {
    deployment: chosen.deployment,
    busy: change.isPending,
    onCancel: close,
    onConfirm: (body: Change) => change.mutate({ params: { name: chosen.deployment.name }, body }),
  };
  return (
    <>
      <PageHeader
        title="Deployments"
        description="Which release of each part of the site visitors get, and how it’s doing."
      />
      {answer.data ? (
        <FrontEnds answer={answer.data} onChoose={setChosen} />
      ) : answer.isError ? (
        <Card>
          <ErrorState
            title="Error loading deployments"
            text={answer.error.message}
            onRetry={() => void answer.refetch()}
          />
        </Card>
      ) : (
        <>
          <output className="sr-only">Loading...</output>
          <CardSkeleton className="mb-6" />
          <CardSkeleton />
        </>
      )}
      {dialog &&
        (chosen.change.kind === 'canary' ? (
          <CanaryDialog change={chosen.change} {...dialog} />
        ) : (
          <ChangeDialog change={chosen.change} {...dialog} />
        ))}
    </>
  );
}

interface FrontEndsProps {
  readonly answer: CallResponse<'listDeployments'>;
  readonly onChoose: (chosen: Chosen) => void;
}

function FrontEnds({ answer: { days, frontEnds }, onChoose }: FrontEndsProps) {
  if (frontEnds.length === 0)
    return (
      <Card>
        <EmptyState
          icon="package"
          title="Releases aren’t kept here"
          text="This installation rolls back with the tool that deploys it, for example Kubernetes."
        />
      </Card>
    );
  return (
    <div className="grid gap-10">
      <p className="-mb-4 text-sm text-muted">Figures are of the last {days} days.</p>
      {frontEnds.map((deployment) => (
        <DeploymentCard
          key={deployment.name}
          deployment={deployment}
          days={days}
          onChoose={(change) => onChoose({ deployment, change })}
        />
      ))}
    </div>
  );
}

export default definePage({ Component: DeploymentsPage });
